"""What a crew does with workers that err, lie or vanish: scripted ones, without any process."""

import re
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from boardzero.base.errors import BoardZeroError
from boardzero.training.fleet import Crew
from boardzero.training.selfplay_worker import FinishedGame, Heartbeat, NewVersion
from boardzero.workers.launcher import Refusal
from tests.search.stored import self_play
from tests.training.scripted import Heard, ScriptedStaff, game
from tests.training.tiny import tiny


def crew_of(staff: ScriptedStaff, heard: Heard, numbers: Sequence[int]) -> Crew:
    crew = Crew(tiny(), staff, size=None, tell=heard)
    crew.start([], numbers, version=3)
    return crew


def listen(crew: Crew) -> list[bytes]:
    return list(crew.listen(timeout=0))


def test_games_are_dealt_evenly_and_no_more_than_a_worker_can_soon_begin(heard: Heard) -> None:
    staff = ScriptedStaff(2)
    crew = crew_of(staff, heard, range(40))
    assert [post.numbers for post in staff.posts] == [[*range(0, 16, 2)], [*range(1, 16, 2)]]
    assert crew.unfinished == 40
    staff.posts[0].says = [FinishedGame(game(0), 0)]
    assert listen(crew) == [game(0)]
    assert staff.posts[0].numbers[-1] == 16
    assert crew.unfinished == 39


def test_a_worker_that_has_no_place_yet_gets_no_games(heard: Heard) -> None:
    staff = ScriptedStaff(1)
    crew = Crew(tiny(), staff, size=None, tell=heard)
    staff.posts[0].ready = False
    crew.start([], range(3), version=0)
    assert isinstance(staff.posts[0].heard[0], NewVersion)
    assert staff.posts[0].numbers == []
    staff.posts[0].ready = True
    listen(crew)
    assert staff.posts[0].numbers == [0, 1, 2]


def test_games_of_a_worker_that_dies_go_to_others_and_a_new_one_joins(heard: Heard) -> None:
    staff = ScriptedStaff(2)
    crew = crew_of(staff, heard, range(6))
    staff.posts[0].alive = False
    listen(crew)
    assert sorted(staff.posts[1].numbers + staff.posts[2].numbers) == [0, 1, 2, 3, 4, 5]
    assert isinstance(staff.posts[2].heard[0], NewVersion)
    assert crew.unfinished == 6


def test_a_crew_that_loses_a_node_goes_on_smaller_and_grows_with_a_new_one(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardzero.training.fleet._LOOK_SECONDS", 0.0)
    staff = ScriptedStaff(2)
    crew = crew_of(staff, heard, range(6))
    staff.places, staff.posts[0].alive, staff.posts[0].stranded = 1, False, True
    listen(crew)
    assert (crew.size, crew.unfinished, len(staff.posts)) == (1, 6, 2)
    staff.places = 3
    listen(crew)
    assert crew.size == 3


def test_workers_that_die_again_and_again_end_the_run_but_lost_nodes_do_not(heard: Heard) -> None:
    staff = ScriptedStaff(1)
    crew = crew_of(staff, heard, range(6))
    for _ in range(30):
        staff.posts[-1].alive, staff.posts[-1].stranded = False, True
        listen(crew)
    for _ in range(20):
        staff.posts[-1].alive = False
        listen(crew)
    staff.posts[-1].alive = False
    with pytest.raises(BoardZeroError, match="died 20 times"):
        listen(crew)


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
    yield FinishedGame(good[:21] + good[23:25] * 2 + good[25:], 0), "illegal action|choice"
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
    staff = ScriptedStaff(1)
    crew = crew_of(staff, heard, range(6))
    staff.posts[0].says = [message, FinishedGame(game(0), 0)]
    assert listen(crew) == [game(0)]
    (said,) = heard.reasons()
    assert re.search(reason, said), said
    assert heard[0][1] == {"worker": "worker 1", "node": "there", "count": 1, "reason": said}
    (report,) = crew.reports()
    assert (report.games, report.refused) == (1, 1)


def test_a_game_that_came_back_spoiled_is_dealt_again_once_the_worker_has_nothing_left(
    heard: Heard,
) -> None:
    staff = ScriptedStaff(1)
    crew = crew_of(staff, heard, range(2))
    staff.posts[0].says = [
        FinishedGame(game(1), 0),
        FinishedGame(b"spoiled", 0),
        Heartbeat(10, 1.0, taken=2, left=0),
    ]
    assert listen(crew) == [game(1)]
    assert staff.posts[0].numbers == [0, 1, 0]
    # A beat from before it was dealt says nothing.
    staff.posts[0].says = [Heartbeat(10, 1.0, taken=2, left=0)]
    listen(crew)
    assert staff.posts[0].numbers == [0, 1, 0]


def test_a_worker_that_sends_only_garbage_is_dismissed_and_its_place_stays_empty(
    heard: Heard,
) -> None:
    staff = ScriptedStaff(2)
    crew = crew_of(staff, heard, range(6))
    staff.posts[0].says = [FinishedGame(b"garbage", 0)] * 8
    assert listen(crew) == []
    assert [kind for kind, _ in heard] == ["refused"] * 5 + ["dismissed"]
    assert not staff.posts[0].alive
    assert sorted(staff.posts[1].numbers) == [0, 1, 2, 3, 4, 5]
    assert len(staff.posts) == 2


def test_what_a_worker_cannot_do_ends_the_run_with_its_sentence(heard: Heard) -> None:
    staff = ScriptedStaff(1)
    crew = crew_of(staff, heard, range(6))
    staff.posts[0].says = [Refusal("the net cannot be read")]
    with pytest.raises(BoardZeroError, match="the net cannot be read"):
        listen(crew)


def test_games_of_an_earlier_match_are_not_counted(heard: Heard) -> None:
    staff = ScriptedStaff(1)
    crew = crew_of(staff, heard, range(2))
    crew.start([], range(2), stream=5)
    staff.posts[0].says = [FinishedGame(game(0), 0)]
    assert listen(crew) == []
    assert heard == []
    assert crew.unfinished == 2


def test_a_model_travels_to_workers_with_another_disk(tmp_path: Path, heard: Heard) -> None:
    (tmp_path / "card.json").write_text("{}")
    (tmp_path / "net.onnx").write_bytes(b"net")
    (tmp_path / "net.safetensors").write_bytes(b"not needed to play")
    staff = ScriptedStaff(1)
    crew = Crew(tiny(), staff, size=None, tell=heard)
    crew.use([tmp_path], version=2)
    message = staff.posts[0].heard[-1]
    assert isinstance(message, NewVersion)
    with message.folders() as (folder,):
        assert folder != tmp_path
        assert {f.name: f.read_bytes() for f in folder.iterdir()} == {
            "card.json": b"{}",
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
