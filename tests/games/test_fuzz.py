"""100,000 damaged positions, moves and files: each is read or refused in a sentence, none crashes.

Most are valid texts with a few random changes, because those get past the first checks; Hypothesis
adds texts that resemble nothing. A success is used: its moves are listed and its FEN reads back.
"""

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boardzero
from boardzero import BoardZeroError, Game, State
from boardzero.games import PdnGame, families, read_games, write_game
from tests.games.variants import DRAUGHTS
from tests.reference.draughts import random_game

FENS = 56_000
MOVES = 12_000
FILES = 32_000

# Positions that have many ways to capture the same pieces.
LATTICES = (
    "W:WK13:B7,8,9,10,17,18,20,21,23,30,31,39,40,41,42,43",
    "W:WK6,K12,K14,K37,K45,K50:B5,7,8,9,10,17,20,21,23,30,31,39,40,41,42,43",
    "W:WK24,K25,K46:B7,8,9,10,17,20,21,23,29,30,31,39,40,41,42,43",
    "W:WK46:B8,9,10,19,20,22,23,29,30,31,33,40,41,43:M46x8",
)
STRANGE = "0123456789abcdefghijKWBMxX:;,.-+*/\\[](){}<>\"'%$#!?&= \t\n\r\0é½國\u2028\ud800"


def damaged(rng: random.Random, seeds: list[str]) -> str:
    """One of the seeds with one to four changes."""
    text = rng.choice(seeds)
    for _ in range(rng.randint(1, 4)):
        start = rng.randint(0, len(text))
        end = min(len(text), start + rng.randint(0, 12))
        part = text[start:end]
        replacement = (
            "",
            rng.choice(STRANGE),
            part + rng.choice(STRANGE),
            part * rng.randint(2, 4),
            rng.choice(seeds)[start:end],
            str(rng.randint(-1, 120)),
        )
        text = text[:start] + rng.choice(replacement) + text[end:]
    return text


def is_refused(read: Callable[[], object]) -> bool:
    """Whether there is an error, which must be one sentence."""
    try:
        read()
    except BoardZeroError as error:
        lines = str(error).split("\n")
    else:
        return False
    assert len(lines) == 1
    assert lines[0]
    return True


def use(state: State) -> None:
    moves = state.moves()
    assert (state.outcome() is None) == bool(moves)
    assert state.game.parse_fen(state.fen()) == state
    if moves:
        state.play(moves[-1])


def seeds_of(game: Game, rng: random.Random) -> list[str]:
    fens = [state.fen() for _ in range(6) for state in random_game(game, rng, plies=120)]
    return [*fens, *(LATTICES if game.name == "international" else ())]


@pytest.mark.parametrize("family", [family.name for family in families()])
def test_damaged_fens_crash_no_game(family: str) -> None:
    game = boardzero.make(family)
    rng = random.Random(f"fen {family}")
    seeds = seeds_of(game, rng)
    refused = 0
    number = FENS // len(families())
    for _ in range(number):
        text = damaged(rng, seeds)
        refused += is_refused(lambda text=text: use(game.parse_fen(text)))
    assert 0.3 * number < refused < number


@pytest.mark.parametrize("name", DRAUGHTS)
def test_damaged_moves_crash_no_game(name: str) -> None:
    rng = random.Random(f"move {name}")
    states = [s for s in random_game(boardzero.make(name), rng) if s.moves()]
    if name == "international":
        states += map(boardzero.make(name).parse_fen, LATTICES)
    refused = 0
    number = MOVES // len(DRAUGHTS)
    for _ in range(number):
        state = rng.choice(states)
        text = damaged(rng, [str(move) for move in state.moves()])
        refused += is_refused(lambda text=text, state=state: state.after(text))
    assert 0.5 * number < refused < number


def short_files(name: str, rng: random.Random) -> Iterator[str]:
    """A few games with everything that PDN can hold, short because most of them fail early."""
    game = boardzero.make(name)
    for state in (rng.choice(random_game(game, rng, plies=12)) for _ in range(20)):
        record = PdnGame.of(state, tags={"White": 'a "b"'}, comments={1: "c;d", 2: "(e"})
        text = write_game(record)
        yield text[text.index("[White") :]
        yield text.replace("2.", "(1. x ( {)} ) ) $4 ; y\n% z\n2.") + text[-60:]
    middle = rng.choice(random_game(game, rng, plies=60))
    yield write_game(PdnGame.of(game.parse_fen(middle.fen())))


@pytest.mark.parametrize("name", DRAUGHTS)
def test_damaged_files_crash_nothing(name: str) -> None:
    rng = random.Random(f"pdn {name}")
    seeds = list(short_files(name, rng))
    refused = 0
    number = FILES // len(DRAUGHTS)
    for _ in range(number):
        text = damaged(rng, seeds)
        game = rng.choice((None, name))
        refused += is_refused(
            lambda text=text, game=game: [record.final() for record in read_games(text, game)]
        )
    assert 0.2 * number < refused < number


@given(st.text(), st.sampled_from([family.name for family in families()]))
@settings(deadline=None, max_examples=500)
def test_any_text_is_a_position_or_refused(text: str, family: str) -> None:
    is_refused(lambda: use(boardzero.make(family).parse_fen(text)))


@given(st.text(), st.sampled_from([family.name for family in families()]))
@settings(deadline=None, max_examples=500)
def test_any_text_is_a_move_or_refused(text: str, family: str) -> None:
    is_refused(lambda: boardzero.make(family).start().parse(text))


@given(st.text())
@settings(deadline=None, max_examples=500)
def test_any_text_is_a_pdn_file_or_refused(text: str) -> None:
    is_refused(lambda: list(read_games(text, "international")))


@pytest.mark.parametrize(
    "text", ["W" * 1_000_000, "W:W" + "1," * 500_000, "1-" * 500_000, "9" * 999]
)
def test_long_nonsense_is_refused_with_a_short_sentence(text: str) -> None:
    state = boardzero.make("international").start()
    for read in (state.game.parse_fen, state.parse):
        with pytest.raises(BoardZeroError) as caught:
            read(text)
        assert len(str(caught.value)) < 600


@pytest.mark.parametrize("fen", LATTICES)
def test_positions_with_thousands_of_routes_list_their_moves(fen: str) -> None:
    state = boardzero.make("international").parse_fen(fen)
    moves = state.moves()
    assert moves
    assert {len(move.captured) for move in moves} == {len(moves[0].captured)}
    assert [state.parse(str(move)) for move in moves] == moves
