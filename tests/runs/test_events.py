"""Events of a run, and the lines of the log that hold them."""

import json
import time
from pathlib import Path

import pytest

from boardzero.lodz.events import (
    ChoicesTested,
    CyclesDone,
    DataMade,
    EpochFitted,
    SamplesSplit,
)
from boardzero.lodz.recipes import DqnRecipe, SupervisedRecipe
from boardzero.runs.events import (
    ClusterResized,
    Event,
    GamesOdd,
    GamesPlayed,
    GateDecided,
    LossMeasured,
    MessageRefused,
    ProbesMeasured,
    Resumed,
    ShardSetAside,
    StartedFromGames,
    StartedFromModel,
    Stopped,
    VersionArchived,
    WorkerMeasured,
    WorkerStats,
    WorkerStopped,
)
from boardzero.runs.log import append_event, read_events
from boardzero.runs.run_folder import RunFolder
from tests.training.tiny import tiny

EVENTS: list[Event] = [
    StartedFromModel("runs/a/versions/0003"),
    StartedFromGames(30, 900, 2),
    Resumed(16, 2),
    ShardSetAside("shard-000001.damaged"),
    GamesPlayed(8, 8, 812.5, 4000),
    LossMeasured({"policy": 2.5, "value": 0.5, "moves_left": 0.25}, 50, "small"),
    LossMeasured({"policy": 2.5, "value": 0.5}, 100),
    GateDecided(3, 0, 1, True),
    VersionArchived(1, 8),
    ProbesMeasured({"stop three": 0.5, "stop three, row": 0.75}, 1, 0.5, 228, "8 simulations"),
    Stopped("done"),
    MessageRefused("worker 1", "pc/1", 1, "cut short"),
    WorkerStopped("worker 1", "pc/1", "it computes otherwise"),
    GamesOdd("worker 2", "pc/1", "all are drawn"),
    ClusterResized(3, 2, "http://127.0.0.1:8265"),
    DataMade(5, 10, 300),
    SamplesSplit(90, 10, 100),
    EpochFitted({"piece": 0.25, "move": 0.5}, 1, 4, 0.5, 0.25),
    EpochFitted({"net": 0.25}, 2, 4),
    CyclesDone(100, 1000, 3.5, 0.5, 0.25, 0.125, 0.0625),
    ChoicesTested(40, 30, 25),
]

# As the program wrote them before events had classes.
OLD = b"""\
{"time": 1790000000.1, "event": "version", "iteration": 1, "minutes": 0.01, "version": 0, "games": 0}
{"time": 1790000001.2, "event": "games", "iteration": 1, "minutes": 0.05, "done": 8, "total": 8, \
"positions_per_second": 812.5, "evaluations_per_second": 4000}
{"time": 1790000002.3, "event": "loss", "iteration": 1, "minutes": 0.06, "policy": 2.5, "value": 0.5, "step": 50}
{"time": 1790000003.4, "event": "gate", "iteration": 1, "minutes": 0.07, "wins": 3, "draws": 0, \
"losses": 1, "accepted": true}
[1]
{"event": "games", "iteration": "torn
{"time": 1790000004.5, "event": "from a later version", "iteration": 1}
{"time": 1790000004.5, "event": "gate", "iteration": 1, "wins": "many"}
{"time": 1790000005.6, "event": "stopped", "reason": "done"}
"""  # noqa: E501


OTHERS = (*DqnRecipe.events, *SupervisedRecipe.events)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_reads_back_from_its_line(event: Event, tmp_path: Path) -> None:
    append_event(tmp_path / "log.jsonl", event)
    assert read_events(tmp_path / "log.jsonl", OTHERS) == [event]


def test_fields_of_a_mapping_lie_flat_and_what_is_not_known_is_left_out(tmp_path: Path) -> None:
    event = LossMeasured({"policy": 2.5, "value": 0.5}, 100, iteration=3, minutes=1.5)
    append_event(tmp_path / "log.jsonl", event)
    line = json.loads((tmp_path / "log.jsonl").read_text())
    assert abs(line.pop("time") - time.time()) < 60
    assert line == {
        "event": "loss",
        "iteration": 3,
        "minutes": 1.5,
        "policy": 2.5,
        "value": 0.5,
        "step": 100,
    }


def test_a_log_from_before_events_had_classes_reads_back(tmp_path: Path) -> None:
    run = RunFolder.create(tmp_path / "run", tiny())
    (run.path / "log.jsonl").write_bytes(OLD)
    wanted: list[Event] = [
        VersionArchived(0, 0, iteration=1, minutes=0.01),
        GamesPlayed(8, 8, 812.5, 4000, iteration=1, minutes=0.05),
        LossMeasured({"policy": 2.5, "value": 0.5}, 50, iteration=1, minutes=0.06),
        GateDecided(3, 0, 1, True, iteration=1, minutes=0.07),
        Stopped("done"),
    ]
    assert run.read_log() == wanted
    assert run.read_log(most_bytes=200) == wanted[-1:]


def test_only_what_is_rare_is_logged() -> None:
    assert not GamesPlayed(7, 8, 812.5, 4000).logged
    assert not WorkerMeasured(WorkerStats("worker 1", "pc/1", 900, 3, 0)).logged
    assert all(event.logged for event in EVENTS)


def test_every_event_can_be_shown_and_drawn() -> None:
    for event in EVENTS:
        assert all(notice.label and notice.text for notice in event.notices())
        assert all(scalar.tag for scalar in event.scalars())
    tags = {scalar.tag for event in EVENTS for scalar in event.scalars()}
    assert {"loss/small/moves_left", "loss/policy", "gate/score", "fit/net", "cycles/legal"} <= tags


def test_probes_are_drawn_by_theme_and_by_what_several_themes_share() -> None:
    seen = {"stop three": 0.6, "stop three, row": 1.0, "stop three, column": 0.2}
    seen |= {"stop four": 0.5, "stop four, row": 0.8, "double threat, diagonals": 0.3}
    again = {**seen, "stop four": 0.9}
    events = [ProbesMeasured(shares, 0, 0.5, 228, "8 simulations") for shares in (seen, again)]
    events.append(ProbesMeasured(seen, 1, 0.5, 228, "8 simulations"))
    themes, where = ProbesMeasured.figures(events)
    assert {c.name: (list(c.x), list(c.y)) for c in themes.curves} == {
        "stop three": ([0, 1], [0.6, 0.6]),
        "stop four": ([0, 1], [0.9, 0.5]),  # the last of what was measured twice
    }
    assert [(c.name, list(c.y)) for c in where.curves] == [("row", [0.9, 0.9])]
    assert not list(ProbesMeasured.figures([]))
