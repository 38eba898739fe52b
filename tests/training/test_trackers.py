"""The numbers of a run reach every tracker that is asked for, and a table always."""

import csv
import sys
from types import SimpleNamespace

import pytest

from boardzero.base.errors import BoardZeroError
from boardzero.runs.events import GateDecided, LossMeasured, VersionArchived
from boardzero.runs.run_folder import RunFolder
from boardzero.training.trackers import tracked
from tests.training.tiny import tiny

LOSS = LossMeasured({"policy": 2.5, "value": 0.75}, 40, iteration=1)
GATE = GateDecided(3, 0, 1, True, iteration=1)


@pytest.fixture
def run(tmp_path):
    return RunFolder.create(tmp_path / "first", tiny())


def rows(run):
    with (run.path / "scalars.csv").open() as file:
        return list(csv.DictReader(file))


def test_every_number_is_a_line_of_the_table(run):
    with tracked(run, tiny()) as tell:
        tell(LOSS)
        tell(GATE)
    assert rows(run) == [
        {"tag": "loss/policy", "step": "40", "value": "2.5"},
        {"tag": "loss/value", "step": "40", "value": "0.75"},
        {"tag": "gate/score", "step": "1", "value": "0.75"},
    ]


def test_a_run_that_goes_on_adds_to_its_table(run):
    for _ in range(2):
        with tracked(run, tiny()) as tell:
            tell(GATE)
    assert len(rows(run)) == 2


def test_a_new_version_lets_others_see_the_table(run):
    with tracked(run, tiny()) as tell:
        tell(GATE)
        tell(VersionArchived(1, 8, iteration=1))
        assert [row["tag"] for row in rows(run)] == ["gate/score", "version"]


def test_an_unknown_tracker_is_named_with_the_nearest(run):
    with pytest.raises(BoardZeroError, match="wandb"), tracked(run, tiny(), ["wanb"]):
        pass


@pytest.mark.parametrize("name", ["wandb", "mlflow"])
def test_a_tracker_that_is_not_installed_is_named_with_its_command(run, name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(BoardZeroError, match=f"pip install {name}"), tracked(run, tiny(), [name]):
        pass


def test_weights_and_biases_gets_the_recipe_and_every_number(run, monkeypatch):
    told, ended = [], []
    theirs = SimpleNamespace(log=told.append, finish=lambda: ended.append(True))
    began = []

    def init(**settings):
        began.append(settings)
        return theirs

    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=init))
    with tracked(run, tiny(), ["wandb"]) as tell:
        tell(GATE)
    assert began[0]["name"] == "first"
    assert began[0]["config"]["search"]["simulations"] == 8
    assert told == [{"gate/score": 0.75, "gate/score/step": 1}]
    assert ended == [True]


def test_mlflow_gets_every_number_with_its_step(run, monkeypatch):
    told = []

    def noted(name):
        return lambda *given, **named: told.append((name, *given, *named.values()))

    names = ("set_experiment", "start_run", "log_dict", "log_metric", "end_run")
    theirs = SimpleNamespace(**{name: noted(name) for name in names})
    monkeypatch.setitem(sys.modules, "mlflow", theirs)
    with tracked(run, tiny(), ["mlflow"]) as tell:
        tell(LOSS)
    assert told[:2] == [("set_experiment", "boardzero"), ("start_run", "first")]
    assert told[3:] == [
        ("log_metric", "loss/policy", 2.5, 40),
        ("log_metric", "loss/value", 0.75, 40),
        ("end_run",),
    ]
