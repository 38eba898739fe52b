"""PUCT with a sparse net: in every game and within every bound. The nets have learned nothing."""

import time
from pathlib import Path
from threading import Timer

import pytest

from boardzero import make
from boardzero.players import Choice, Limit, make_player
from boardzero.players.zero_player import ZeroPlayer
from tests.models.test_sparse import write_sparse_model


def zero(folder: Path, game: str, options: str = "", *, policy: bool = False) -> ZeroPlayer:
    write_sparse_model(folder, game, policy=policy)
    player = make_player(f"zero:model={folder}{options}", make(game))
    assert isinstance(player, ZeroPlayer)
    return player


@pytest.mark.parametrize("policy", [False, True])
@pytest.mark.parametrize(
    "game", ["international", "gomoku:size=15", "chexers", "examples/connect_four.py"]
)
def test_a_number_of_simulations_is_searched_exactly_and_gives_the_same_again(
    tmp_path: Path, game: str, policy: bool
) -> None:
    player = zero(tmp_path / "m", game, ",sims=300", policy=policy)
    state = make(game).start()
    first, second = player.choose(state), player.choose(state)
    assert first.nodes == 300
    assert first.candidates == second.candidates
    assert sum(c.visits for c in first.candidates) == 300
    assert sum(c.prior or 0 for c in first.candidates) == pytest.approx(1, abs=1e-4)
    assert first.move in state.moves()
    assert first.values is not None
    assert len(first.values) == make(game).players


def test_time_bounds_it_and_it_tells_what_it_thinks(tmp_path: Path) -> None:
    player = zero(tmp_path / "m", "english")
    told: list[Choice] = []
    player.on_progress = told.append
    choice = player.choose(make("english").start(), Limit(time=0.6))
    assert 0.55 <= choice.time < 1.5
    assert told
    assert choice.nodes > 500


def test_it_can_be_stopped_and_goes_on_with_its_tree(tmp_path: Path) -> None:
    player = zero(tmp_path / "m", "english")
    state = make("english").start()
    Timer(0.2, player.stop).start()
    begun = time.monotonic()
    choice = player.choose(state, Limit(time=60))
    assert time.monotonic() - begun < 10
    for text in choice.pv[:2]:
        state.play(text)
    assert sum(c.visits for c in player.choose(state, Limit(time=0)).candidates) > 100


def test_a_full_tree_ends_the_search(tmp_path: Path) -> None:
    player = zero(tmp_path / "m", "gomoku:size=15", ",memory=1")
    assert player.choose(make("gomoku:size=15").start(), Limit(time=60)).nodes > 10


@pytest.mark.parametrize("simulations", [1, 2, 40])
def test_a_capture_of_several_jumps_is_one_move(tmp_path: Path, simulations: int) -> None:
    player = zero(tmp_path / "m", "international", policy=True)
    state = make("international").parse_fen("W:W33,31:B29,20,19,22,11")
    assert player.choose(state, Limit(simulations=simulations)).move in state.moves()


def test_of_gomoku_only_moves_that_need_a_look_are_searched(tmp_path: Path) -> None:
    player = zero(tmp_path / "m", "gomoku:size=15", ",sims=50")
    state = make("gomoku:size=15").start()
    for move in ("h8", "a1", "i8", "a3", "j8", "a5", "k8"):
        state.play(move)
    choice = player.choose(state)  # white loses unless it stops the four
    assert {c.move.text for c in choice.candidates} <= {"g8", "l8"}
