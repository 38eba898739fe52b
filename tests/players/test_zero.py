"""The player with a net: what it tells, and the time that it takes. The net has learned nothing."""

import random
import time
from pathlib import Path
from threading import Timer
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from boardzero import _core, make
from boardzero.players import Choice, Clock, Limit, make_player
from boardzero.players.leaf_nets import BATCH, OnnxLeafNets
from boardzero.players.time_management import seconds_for_move
from boardzero.players.zero_player import ZeroPlayer, _without_repetition
from boardzero.training.imitation import ImitatedGame, imitation_record
from boardzero.training.model_files import write_model
from boardzero.training.trainer_group import TrainerGroup
from tests.search.stored import draw
from tests.training.tiny import tiny


def zero(folder: Path, spec: str, options: str = "", **changes: object) -> ZeroPlayer:
    recipe = tiny(game=spec, **changes)
    write_model(folder, TrainerGroup(make(spec), recipe), run="a", version=0, games=0, minutes=0)
    player = make_player(f"zero:model={folder}{options}", make(spec))
    assert isinstance(player, ZeroPlayer)
    return player


def test_it_tells_what_it_thinks_while_it_thinks(tmp_path: Path) -> None:
    player = zero(tmp_path / "m", "english")
    told: list[Choice] = []
    player.on_progress = told.append
    state = make("english").start()
    last = player.choose(state, Limit(time=1.0))
    assert len(told) >= 2
    assert [c.nodes for c in told] == sorted({c.nodes for c in told})
    assert told[-1].nodes <= last.nodes
    for choice in (*told, last):
        assert choice.move in state.moves()
        assert choice.pv[0] == choice.move.text
        assert choice.depth == len(choice.pv)
        assert choice.value is not None
        assert choice.nodes_per_second > 0
        assert len(choice.candidates) == len(state.moves())
        assert sum(c.visits for c in choice.candidates) >= choice.nodes - 1


def test_it_shares_out_a_clock_as_all_players_do(tmp_path: Path) -> None:
    player = zero(tmp_path / "m", "gomoku:size=6,line=4")
    state = make("gomoku:size=6,line=4").start()
    for limit in (Limit(clock=Clock(5.0)), Limit(clock=Clock(0.5, moves=2)), Limit(time=0.0)):
        wanted = seconds_for_move(limit)
        assert wanted is not None
        choice = player.choose(state, limit)
        assert choice.time >= 0.9 * wanted
        assert choice.time < wanted + 0.3


def test_the_first_bound_that_is_reached_counts(tmp_path: Path) -> None:
    player = zero(tmp_path / "m", "gomoku:size=6,line=4", ",sims=30")
    state = make("gomoku:size=6,line=4").start()
    assert player.choose(state).nodes == 30
    assert player.choose(state, Limit(simulations=9, nodes=5)).nodes == 5
    assert player.choose(state, Limit(simulations=9, time=60)).nodes == 9


@pytest.mark.parametrize("limit", [Limit(clock=Clock(6000.0)), Limit(time=60)])
def test_a_level_stays_what_it_is_when_there_is_a_clock(tmp_path: Path, limit: Limit) -> None:
    player = zero(tmp_path / "m", "gomoku:size=6,line=4", ",sims=30")
    state = make("gomoku:size=6,line=4").start()
    without, within = player.choose(state), player.choose(state, limit)
    assert within.nodes == 30
    assert within.candidates == without.candidates


def test_against_time_it_goes_on_with_its_tree_and_only_in_the_same_game(tmp_path: Path) -> None:
    spec = "gomoku:size=6,line=4"
    player = zero(tmp_path / "m", spec)

    def visits_at_once(moves: str) -> int:
        state = make(spec).start()
        for move in moves.split():
            state.play(move)
        return sum(c.visits for c in player.choose(state, Limit(time=0)).candidates)

    expected = player.choose(make(spec).start(), Limit(time=0.5)).pv
    here = " ".join(expected[:2])
    assert visits_at_once(here) > BATCH
    player.new_game()
    assert visits_at_once(here) <= BATCH
    assert visits_at_once("a1") <= BATCH


def test_it_can_be_stopped(tmp_path: Path) -> None:
    player = zero(tmp_path / "m", "english")
    Timer(0.2, player.stop).start()
    begun = time.monotonic()
    assert player.choose(make("english").start(), Limit(time=60)).nodes > 0
    assert time.monotonic() - begun < 10


def test_a_forced_move_takes_nothing_from_the_clock(tmp_path: Path) -> None:
    player = zero(tmp_path / "m", "english")
    state = make("english").parse_fen("B:W22,32:B18,1")  # one capture, and captures are mandatory
    assert len(state.moves()) == 1
    first, second = (player.choose(state, Limit(clock=Clock(1000.0))) for _ in range(2))
    assert first.time < 5
    assert second.candidates[0].visits > first.candidates[0].visits  # nor anything from the tree


@pytest.mark.parametrize("simulations", [1, 2, 40])
def test_a_capture_of_several_jumps_is_one_move(tmp_path: Path, simulations: int) -> None:
    player = zero(tmp_path / "m", "international")
    state = make("international").parse_fen("W:W33,31:B29,20,19,22,11")
    moves = state.moves()
    choice = player.choose(state, Limit(simulations=simulations))
    assert choice.move in moves
    assert choice.pv[0] == choice.move.text
    assert {c.move for c in choice.candidates} <= set(moves)


@pytest.mark.parametrize("spec", ["gomoku:size=5,line=4", "international"])
def test_a_net_with_history_sees_the_positions_of_the_game(tmp_path: Path, spec: str) -> None:
    player = zero(tmp_path / "m", spec, format={"history": 3})
    seen: list[NDArray[np.float32]] = []
    assert isinstance(player._nets, OnnxLeafNets)
    (net,) = player._nets.exact

    def watched(planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        seen.append(planes.copy())
        return net(planes)

    player._nets.exact = [watched]
    state, dice = make(spec).start(), random.Random(4)
    compared = 0
    for _ in range(12):
        seen.clear()
        player.choose(state, Limit(simulations=2))
        moves = [move for move in state.history if not isinstance(move, int)]
        actions = [a for move in [*moves, state.moves()[0]] for a in move.actions]
        record = imitation_record(make(spec), ImitatedGame(actions, (0.0, 0.0)), number=0)
        here = sum(len(move.actions) for move in moves)
        plies = [decision.ply for decision in _core.parse_record(record).decisions]
        if here in plies:  # else there was only one thing to do
            wanted = draw(spec, record, plies.index(here), form=("mover", "flat", 3)).inputs
            assert np.array_equal(seen[0][0], wanted)
            compared += 1
        state.play(dice.choice(state.moves()))
    assert compared > 6


def test_a_temperature_plays_by_lot_and_a_seed_repeats_it(tmp_path: Path) -> None:
    spec = "gomoku:size=6,line=4"
    state = make(spec).start()
    hot = zero(tmp_path / "m", spec, ",temperature=1,sims=40")
    assert len({hot.choose(state).move.text for _ in range(12)}) > 1
    folder = tmp_path / "m"
    again = [make_player(f"zero:model={folder},temperature=1,seed=5", make(spec)) for _ in "ab"]
    texts = [[player.choose(state).move.text for _ in range(6)] for player in again]
    assert texts[0] == texts[1]


def test_who_is_ahead_leaves_positions_that_came_before() -> None:
    state = make("english").parse_fen("B:WK32:BK1,K5,K12")
    for text in ("5-9", "32-28", "9-5", "28-32"):
        state.play(text)
    moves = {move.text: move.actions[0] for move in state.moves()}

    def candidates(*rated: tuple[str, float, int]) -> list[_core.RootAction]:
        found = [SimpleNamespace(action=moves[m], value=v, visits=n) for m, v, n in rated]
        return cast(list[_core.RootAction], found)

    again, onward = ("5-9", 0.9, 50), ("12-16", 0.85, 30)
    found = candidates(again, onward, ("1-6", 0.4, 20), ("12-8", 0.88, 1))
    assert [c.action for c in _without_repetition(state, found)] == [moves["12-16"]]
    # Who leads on anyhow, is not ahead, or has nothing else that is good, goes by the search.
    for rest in (
        candidates(onward, again),
        candidates(("5-9", 0.1, 50), ("12-16", 0.09, 30)),
        candidates(again, ("12-16", -0.5, 30)),
    ):
        assert _without_repetition(state, rest) == rest


def test_a_recipe_with_a_gumbel_root_thinks_by_the_clock_too(tmp_path: Path) -> None:
    player = zero(tmp_path / "m", "english", search__root="gumbel")
    state = make("english").start()
    counted = player.choose(state, Limit(simulations=16))
    assert sum(c.visits for c in counted.candidates) == 16
    timed = player.choose(state, Limit(time=0.3))
    assert timed.time < 1
    visits = [c.visits for c in timed.candidates]
    assert len(set(visits)) > 2  # a plan for a million would still give all of them equal numbers


def test_the_latest_version_of_a_run_is_called_by_its_number(tmp_path: Path) -> None:
    for version in (0, 3):
        zero(tmp_path / "run" / "versions" / f"{version:04}", "english")
    player = make_player(f"zero:run={tmp_path}/run,sims=5", make("english"))
    assert player.spec == f"zero:run={tmp_path}/run,sims=5,version=3"
