"""What games say about themselves, and that nobody else says it for them."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from variants import ALL, DRAUGHTS, GAMES, name

import boardzero
from boardzero import BoardZeroError, make
from boardzero.base.specs import parse_spec, read_options
from boardzero.games import GameTraits, PdnGame, read_games, write_game
from boardzero.games.traits import LEAST_LEVELS, LEVEL_NAMES
from boardzero.players import player_family
from tests.games.tictactoe import TicTacToe
from tests.reference.draughts import number

SOURCE = Path(boardzero.__file__).parent


@pytest.mark.parametrize("spec", ALL, ids=name)
def test_every_seat_has_a_name_of_its_own(spec: str) -> None:
    game = make(spec)
    assert game.seats == game.traits.seats
    assert len(set(game.seats)) == game.players


@pytest.mark.parametrize("spec", ALL, ids=name)
def test_squares_are_numbered_where_their_labels_are_numbers(spec: str) -> None:
    game = make(spec)
    assert game.traits.numbered == all(text.isdigit() for text in game.geometry.labels.values())


@pytest.mark.parametrize("spec", ALL, ids=name)
def test_the_classic_players_of_a_game_can_play_it(spec: str) -> None:
    game = make(spec)
    players = game.traits.players
    assert LEAST_LEVELS <= len(players.ladder) <= len(LEVEL_NAMES)
    assert players.unchanging[0] == "random"
    chosen = (*players.ladder, *players.rungs, players.summit, *players.analysts, players.opponent)
    for player in (*chosen, *players.unchanging):
        parsed = parse_spec(player)
        family = player_family(parsed.name)
        family.check_plays(game)
        read_options(parsed, family.options)


@pytest.mark.parametrize("spec", DRAUGHTS)
def test_the_pdn_tag_of_a_variant_agrees_with_its_rules(spec: str) -> None:
    game = make(spec)
    assert game.traits.pdn is not None
    _, first, columns, rows, notation, *_ = game.traits.pdn.tag.split(",")
    assert first == game.seats[0][0].upper()
    assert (int(columns), int(rows)) == (game.geometry.columns, game.geometry.rows)
    assert game.traits.pdn.algebraic == notation.startswith("A")
    assert game.traits.numbered or game.traits.pdn.algebraic


def test_every_variant_has_a_pdn_number_of_its_own() -> None:
    numbers = [make(spec).traits.pdn.number for spec in DRAUGHTS]  # type: ignore[union-attr]
    assert len(set(numbers)) == len(DRAUGHTS)


@pytest.mark.parametrize("spec", DRAUGHTS)
def test_a_game_of_every_variant_comes_back_from_pdn_by_its_game_type(spec: str) -> None:
    state = make(spec).start()
    for _ in range(8):
        state.play(state.moves()[-1])
    (read,) = read_games(write_game(PdnGame.of(state)))
    assert read.game == state.game
    assert read.final() == state


@pytest.mark.parametrize("spec", DRAUGHTS)
def test_the_largest_capture_is_forced_where_the_traits_say_so(spec: str) -> None:
    game = make(spec)
    places = ((5, 0), (7, 6)), ((4, 1), (2, 3), (6, 5))  # the one man takes two, the other one
    white, black = (",".join(str(number(game.geometry.rows, at)) for at in side) for side in places)
    taken = sorted(len(move.captured) for move in game.parse_fen(f"W:W{white}:B{black}").moves())
    assert game.traits.must_capture
    assert taken == ([2] if game.traits.largest_capture else [1, 2])


def test_counters_are_read_from_a_position() -> None:
    (exits,) = make("chexers").traits.counters
    state = make("chexers").parse_fen("4/5/6/3r3/6/5/4 r 1,0,3 9")
    assert (exits.name, exits.read(state)) == ("exits", [1, 0, 3])


# Games written in Python.


def test_a_game_in_python_has_usual_traits() -> None:
    traits = TicTacToe().game().traits
    assert traits.seats == ("first", "second")
    assert not traits.numbered
    assert (traits.must_capture, traits.pdn, traits.composer, traits.counters) == (
        False,
        None,
        None,
        (),
    )


def test_a_game_in_python_may_change_its_traits() -> None:
    class Own(TicTacToe):
        def traits(self, usual: GameTraits) -> GameTraits:
            return replace(usual, seats=("cross", "nought"), must_capture=True)

    game = Own().game()
    assert game.seats == ("cross", "nought")
    assert game.traits.must_capture


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("nonsense", r"traits\(\) gave 'nonsense', not GameTraits"),
        (ZeroDivisionError("why"), r"traits\(\) raised ZeroDivisionError: why"),
        (("one",), "has 2 players but names 1 seats"),
    ],
)
def test_wrong_traits_are_refused_in_a_sentence(answer: object, sentence: str) -> None:
    class Wrong(TicTacToe):
        def traits(self, usual: GameTraits) -> GameTraits:
            if isinstance(answer, Exception):
                raise answer
            return replace(usual, seats=answer) if isinstance(answer, tuple) else answer  # type: ignore[return-value]

    with pytest.raises(BoardZeroError, match=sentence):
        Wrong().game()


# One home for each fact.


def test_nothing_outside_games_and_protocols_goes_by_the_name_of_a_game() -> None:
    """No comparison with a name, and no table of names; benchmarks choose theirs."""
    exempt = ("games", "protocols", "bench")
    for file in SOURCE.rglob("*.py"):
        place = file.relative_to(SOURCE)
        if place.parts[0] in exempt or place == Path("base/plugins.py"):  # which has players
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Compare | ast.Dict | ast.Set | ast.Tuple | ast.List):
                constants = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}
                assert constants.isdisjoint(GAMES), f"{place}, line {node.lineno}"
