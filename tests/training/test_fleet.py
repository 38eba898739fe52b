"""What a fleet does with workers that err, lie or vanish: scripted ones, without any process."""

import re
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from boardzero.base.errors import BoardZeroError
from boardzero.models.card import ModelCard, NetCard, write_card
from boardzero.runs.events import MessageRefused, WorkerStopped
from boardzero.training.fleet import Players, SelfPlayFleet
from boardzero.training.game_worker import FinishedGame, Heartbeat, NewVersion
from boardzero.workers.launcher import Refusal
from tests.search.stored import self_play
from tests.training.scripted import Heard, ScriptedLauncher, game
from tests.training.tiny import tiny


def fleet_of(launcher: ScriptedLauncher, heard: Heard, numbers: Sequence[int]) -> SelfPlayFleet:
    fleet = SelfPlayFleet(Players.with_puct(tiny()), launcher, size=None, tell=heard)
    fleet.start([], numbers, version=3)
    return fleet


def collect(fleet: SelfPlayFleet) -> list[bytes]:
    return list(fleet.collect(timeout=0))


def test_games_are_assigned_evenly_and_no_more_than_a_worker_can_soon_begin(heard: Heard) -> None:
    launcher = ScriptedLauncher(2)
    fleet = fleet_of(launcher, heard, range(40))
    assert [worker.numbers for worker in launcher.workers] == [
        [*range(0, 16, 2)],
        [*range(1, 16, 2)],
    ]
    assert fleet.unfinished == 40
    launcher.workers[0].says = [FinishedGame(game(0), 0)]
    assert collect(fleet) == [game(0)]
    assert launcher.workers[0].numbers[-1] == 16
    assert fleet.unfinished == 39


def test_a_worker_that_has_no_place_yet_gets_no_games(heard: Heard) -> None:
    launcher = ScriptedLauncher(1)
    fleet = SelfPlayFleet(Players.with_puct(tiny()), launcher, size=None, tell=heard)
    launcher.workers[0].ready = False
    fleet.start([], range(3), version=0)
    assert isinstance(launcher.workers[0].heard[0], NewVersion)
    assert launcher.workers[0].numbers == []
    launcher.workers[0].ready = True
    collect(fleet)
    assert launcher.workers[0].numbers == [0, 1, 2]


def test_games_of_a_worker_that_dies_go_to_others_and_a_new_one_joins(heard: Heard) -> None:
    launcher = ScriptedLauncher(2)
    fleet = fleet_of(launcher, heard, range(6))
    launcher.workers[0].alive = False
    collect(fleet)
    assert sorted(launcher.workers[1].numbers + launcher.workers[2].numbers) == [0, 1, 2, 3, 4, 5]
    assert isinstance(launcher.workers[2].heard[0], NewVersion)
    assert fleet.unfinished == 6


def test_a_fleet_that_loses_a_node_goes_on_smaller_and_grows_with_a_new_one(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardzero.training.fleet._LOOK_SECONDS", 0.0)
    launcher = ScriptedLauncher(2)
    fleet = fleet_of(launcher, heard, range(6))
    launcher.places, launcher.workers[0].alive, launcher.workers[0].node_lost = 1, False, True
    collect(fleet)
    assert (fleet.size, fleet.unfinished, len(launcher.workers)) == (1, 6, 2)
    launcher.places = 3
    collect(fleet)
    assert fleet.size == 3


def test_workers_that_die_again_and_again_end_the_run_but_lost_nodes_do_not(heard: Heard) -> None:
    launcher = ScriptedLauncher(1)
    fleet = fleet_of(launcher, heard, range(6))
    for _ in range(30):
        launcher.workers[-1].alive, launcher.workers[-1].node_lost = False, True
        collect(fleet)
    for _ in range(20):
        launcher.workers[-1].alive = False
        collect(fleet)
    launcher.workers[-1].alive = False
    with pytest.raises(BoardZeroError, match="died 20 times"):
        collect(fleet)


def flawed() -> Iterator[tuple[object, str]]:
    good = game(0)
    other = self_play("gomoku:size=6,line=4", 1, simulations=4)[0]
    yield FinishedGame(b"", 0), "cut short"
    yield FinishedGame(b"\xff" * 200, 0), "unknown format"
    yield FinishedGame("a text", 0), "something else than a game"  # type: ignore[arg-type]
    yield FinishedGame(good + b"x", 0), "followed by other bytes"
    yield FinishedGame(game(77), 0), "game 77, which it was not asked for"
    yield FinishedGame(good[:3] + struct.pack("<I", 4) + good[7:], 0), "version 4"
    yield FinishedGame(good[:2] + b"\x7f" + good[3:], 0), "another winner"
    # the first stone put again where it already lies
    yield FinishedGame(good[:23] + good[23:25] * 2 + good[27:], 0), "illegal action"
    yield FinishedGame(other[:7] + good[7:11] + other[11:], 0), "illegal|not over|outcome|other"
    chexers = self_play("chexers", 1, simulations=2)[0]
    yield FinishedGame(chexers[:7] + good[7:11] + chexers[11:], 0), "for other players"
    yield "hello", "unknown kind .str."
    yield None, "unknown kind .NoneType."


@pytest.mark.parametrize("place", range(12))
def test_what_is_no_good_game_is_refused_and_counted_and_nothing_else_happens(
    heard: Heard, place: int
) -> None:
    message, reason = list(flawed())[place]
    launcher = ScriptedLauncher(1)
    fleet = fleet_of(launcher, heard, range(6))
    launcher.workers[0].says = [message, FinishedGame(game(0), 0)]
    assert collect(fleet) == [game(0)]
    (said,) = heard.reasons()
    assert re.search(reason, said), said
    assert heard == [MessageRefused("worker 1", "there", 1, said)]
    (worker,) = fleet.stats()
    assert (worker.games, worker.refused) == (1, 1)


def test_a_game_that_came_back_spoiled_is_assigned_again_once_the_worker_has_nothing_left(
    heard: Heard,
) -> None:
    launcher = ScriptedLauncher(1)
    fleet = fleet_of(launcher, heard, range(2))
    launcher.workers[0].says = [
        FinishedGame(game(1), 0),
        FinishedGame(b"spoiled", 0),
        Heartbeat(10, 1.0, taken=2, left=0),
    ]
    assert collect(fleet) == [game(1)]
    assert launcher.workers[0].numbers == [0, 1, 0]
    # A beat from before it was assigned says nothing.
    launcher.workers[0].says = [Heartbeat(10, 1.0, taken=2, left=0)]
    collect(fleet)
    assert launcher.workers[0].numbers == [0, 1, 0]


def test_a_worker_that_sends_only_garbage_is_dismissed_and_its_place_stays_empty(
    heard: Heard,
) -> None:
    launcher = ScriptedLauncher(2)
    fleet = fleet_of(launcher, heard, range(6))
    launcher.workers[0].says = [FinishedGame(b"garbage", 0)] * 8
    assert collect(fleet) == []
    assert [type(event) for event in heard] == [MessageRefused] * 5 + [WorkerStopped]
    assert not launcher.workers[0].alive
    assert sorted(launcher.workers[1].numbers) == [0, 1, 2, 3, 4, 5]
    assert len(launcher.workers) == 2


def test_what_a_worker_cannot_do_ends_the_run_with_its_sentence(heard: Heard) -> None:
    launcher = ScriptedLauncher(1)
    fleet = fleet_of(launcher, heard, range(6))
    launcher.workers[0].says = [Refusal("the net cannot be read")]
    with pytest.raises(BoardZeroError, match="the net cannot be read"):
        collect(fleet)


def test_games_of_an_earlier_match_are_not_counted(heard: Heard) -> None:
    launcher = ScriptedLauncher(1)
    fleet = fleet_of(launcher, heard, range(2))
    fleet.start([], range(2), stream=5)
    launcher.workers[0].says = [FinishedGame(game(0), 0)]
    assert collect(fleet) == []
    assert heard == []
    assert fleet.unfinished == 2


def test_a_model_travels_to_workers_with_another_disk(tmp_path: Path, heard: Heard) -> None:
    net = NetCard(file="net.onnx", encoding="mover", policy="flat")
    write_card(tmp_path, ModelCard(game=tiny().game, nets=(net,)))
    (tmp_path / "net.onnx").write_bytes(b"net")
    (tmp_path / "net.safetensors").write_bytes(b"not needed to play")
    launcher = ScriptedLauncher(1)
    fleet = SelfPlayFleet(Players.with_puct(tiny()), launcher, size=None, tell=heard)
    fleet.load([tmp_path], version=2)
    message = launcher.workers[0].heard[-1]
    assert isinstance(message, NewVersion)
    with message.folders() as (folder,):
        assert folder != tmp_path
        assert {f.name: f.read_bytes() for f in folder.iterdir()} == {
            "card.json": (tmp_path / "card.json").read_bytes(),
            "net.onnx": b"net",
        }
    assert not folder.exists()


def test_alone_a_machine_does_not_even_load_ray() -> None:
    code = (
        "import sys; import boardzero.training.train;"
        "import boardzero.cli.tournament, boardzero.cli.sweep;"
        "assert 'ray' not in sys.modules, 'loaded'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
