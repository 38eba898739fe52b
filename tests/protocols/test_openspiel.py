"""OpenSpiel's games as ours."""

import random
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pyspiel
import pytest

from boardzero import BoardZeroError, make
from boardzero.games import families

SUITABLE = [
    "breakthrough",
    "chinese_checkers(players=3)",
    "clobber",
    "connect_four",
    "dots_and_boxes",
    "go(board_size=5)",
    "hex(board_size=4)",
    "mancala",
    "nim",
    "nine_mens_morris",
    "othello",
    "oware",
    "pentago",
    "tic_tac_toe",
    "ultimate_tic_tac_toe",
    "misere(game=tic_tac_toe())",
]


@pytest.mark.parametrize("name", SUITABLE)
def test_a_random_game_goes_as_in_openspiel(name: str) -> None:
    ours, theirs = make(f"openspiel:{name}").start(), pyspiel.load_game(name).new_initial_state()
    rng = random.Random(3)
    for _ in range(60):
        if theirs.is_terminal():
            break
        assert ours.actions() == theirs.legal_actions()
        assert ours.to_move == theirs.current_player()
        action = rng.choice(ours.actions())
        ours.play_action(action)
        theirs.apply_action(action)
    outcome = ours.outcome()
    assert (outcome is not None) == theirs.is_terminal()
    if outcome is not None:
        assert outcome.values == theirs.returns()


def test_parameters_are_written_as_openspiel_writes_them() -> None:
    assert make("openspiel:connect_four(rows=4,columns=5)").start().actions() == list(range(5))
    game = make('openspiel:game="connect_four(rows=4,columns=5)"')
    assert game.spec == "openspiel:connect_four(rows=4,columns=5)"
    assert game.title == "Connect Four"
    assert game.shape.rows == 4
    assert game.shape.actions == 5


def test_it_is_listed_only_where_its_package_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "openspiel" in [family.name for family in families()]
    assert make("openspiel").spec == "openspiel:tic_tac_toe"
    monkeypatch.setattr("boardzero.games.registry.find_spec", lambda _: None)
    assert "openspiel" not in [family.name for family in families()]


def test_openspiel_draws_its_own_boards() -> None:
    state = make("openspiel:tic_tac_toe").parse_fen("start 4")
    assert str(state) == "...\n.x.\n..."
    lines = ElementTree.fromstring(state.svg(size=100)).iter("{http://www.w3.org/2000/svg}text")
    assert [line.text for line in lines] == ["...", ".x.", "..."]


def test_positions_are_equal_however_they_were_reached() -> None:
    game = make("openspiel:tic_tac_toe")
    one = game.parse_fen("start 0 1 2")
    other = game.parse_fen("start 2 1 0")
    assert one == other
    assert one.key() == other.key()
    assert one.fen() != other.fen()
    assert one != game.parse_fen("start 0 2 1")


def test_positions_that_look_alike_but_allow_different_actions_differ() -> None:
    game = make("openspiel:ultimate_tic_tac_toe")
    first, second = game.start(), game.start()
    first.play_action(0)
    second.play_action(1)
    assert first != second
    assert first.key() != second.key()


def test_the_observation_is_the_movers_with_a_plane_for_the_seat() -> None:
    state = make("openspiel:connect_four").parse_fen("start 3 4")
    planes = state.encode()
    assert planes.shape == (4, 6, 7)
    assert np.argwhere(planes[1]).tolist() == [[0, 3]]
    state.play_action(0)
    assert np.argwhere(state.encode()[1]).tolist() == [[0, 4]]
    assert (planes[3] == 0).all()
    assert (state.encode()[3] == 1).all()


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("openspiel:conect_four", "did you mean 'connect_four'?"),
        ("openspiel:kuhn_poker", "kuhn_poker cannot be played here: it has chance"),
        ("openspiel:phantom_ttt", "phantom_ttt cannot be played here: it hides information"),
        ("openspiel:matrix_rps", "matrix_rps cannot be played here: its players act at the same"),
        ("openspiel:chinese_checkers(players=6)", "cannot be played here: it has 6 players"),
        ("openspiel:cliff_walking", "cannot be played here: it is not for 2 to 4 players"),
        ("openspiel:connect_four(row=1)", "cannot make connect_four(row=1): Unknown parameter"),
        ("openspiel:connect_four(", "OpenSpiel cannot make connect_four(: Missing closing"),
    ],
)
def test_a_game_that_is_not_suitable_is_refused_in_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(BoardZeroError) as caught:
        make(spec)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("fen", ["", "3 4", "start x", "start 9", "start 4 4"])
def test_a_bad_position_is_refused_in_a_sentence(fen: str) -> None:
    with pytest.raises(BoardZeroError, match="is not a FEN of openspiel:tic_tac_toe"):
        make("openspiel:tic_tac_toe").parse_fen(fen)


def test_boardzero_does_not_import_openspiel_until_it_is_asked_for() -> None:
    code = "import sys, boardzero; assert 'pyspiel' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_the_package_a_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BoardZeroError, match=r"pip install 'boardzero\[openspiel\]'"):
        make("openspiel:connect_four")
