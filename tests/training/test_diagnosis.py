"""A run that is broken in one way is told what is wrong with it; a healthy one hears nothing."""

import json
from pathlib import Path

import numpy as np
import pytest

from boardzero.cli import main
from boardzero.runs.diagnosis import diagnose
from boardzero.runs.events import ProbesMeasured
from boardzero.runs.run_folder import RunFolder
from boardzero.training.train import train
from boardzero.training.trainer import Trainer
from tests.training.tiny import tiny

HEALTHY = {
    "search__simulations": 24,
    "selfplay__games": 16,
    "learn__lr": 0.003,
    "learn__uses": 4,
    "run__iterations": 4,
    "gate__threshold": 0.01,
}


def causes(folder: Path, **broken: object) -> list[str]:
    run = train(tiny(**{**HEALTHY, **broken}), run=folder / "run", cores=1)
    return [finding.name for finding in diagnose(run)]


def test_a_healthy_run_hears_nothing(tmp_path, capsys):
    assert causes(tmp_path) == []
    assert main(["diagnose", str(tmp_path / "run")]) == 0
    assert capsys.readouterr().out == "run: nothing is wrong\n"


def test_a_run_that_has_hardly_begun_hears_that_it_is_too_early(tmp_path):
    assert causes(tmp_path, selfplay__games=4, run__iterations=1) == ["too early to say"]


def test_a_learning_rate_that_is_too_high_is_named(tmp_path):
    assert causes(tmp_path, learn__lr=3.0)[0] == "learning rate too high"


def test_games_without_exploration_are_named(tmp_path):
    lacks = {"search__noise_weight": 0.0, "selfplay__temperature": 0.0}
    assert causes(tmp_path, **lacks)[0] == "no exploration"


@pytest.mark.slow
def test_a_value_of_the_wrong_sign_is_named(tmp_path, monkeypatch):
    drawn = Trainer._draw

    def negated(self, replay, games, batch):
        inputs, policies, values, further = drawn(self, replay, games, batch)
        return inputs, policies, -values, further

    monkeypatch.setattr(Trainer, "_draw", negated)
    assert causes(tmp_path, learn__uses=12)[0] == "value has the wrong sign"


@pytest.mark.slow
def test_a_window_of_one_game_is_named(tmp_path):
    assert "window too small" in causes(tmp_path, replay__games=1)


@pytest.mark.slow
def test_too_few_simulations_are_named_with_how_many_would_do(tmp_path, capsys):
    assert "too few simulations" in causes(tmp_path, search__simulations=2)
    assert main(["diagnose", str(tmp_path / "run"), "--json"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    (found,) = [one for one in findings if one["name"] == "too few simulations"]
    wanted = int("".join(filter(str.isdigit, found["change"])))
    assert 20 <= wanted <= 50  # twice the moves of a board of 25 points, some of them taken


@pytest.mark.slow
def test_a_gate_that_never_passes_is_named(tmp_path):
    assert causes(tmp_path, gate__rule="score", gate__threshold=0.99)[-1] == "gate never passes"


def test_nothing_of_the_run_is_changed_by_looking(tmp_path):
    causes(tmp_path, run__iterations=1)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert main(["diagnose", str(tmp_path / "run")]) == 0
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


def test_a_run_that_is_not_there_is_told_in_a_sentence(tmp_path, capsys):
    assert main(["diagnose", str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("seed", range(3))
def test_random_outcomes_have_no_sign(seed):
    """The bound for a wrong sign is wider than what chance does to a thousand positions."""
    draw = np.random.default_rng(seed)
    found = np.corrcoef(draw.choice([-1.0, 1.0], 1000), draw.normal(size=1000))[0, 1]
    assert found > -0.15


def test_a_blind_spot_is_named(tmp_path):
    assert "probes failing" not in causes(tmp_path, run__iterations=2)
    run = RunFolder(tmp_path / "run")
    shares = {"stop three": 0.5, "stop three, row": 0.9, "stop three, diagonal": 0.1}
    for version in range(6):
        run.log(ProbesMeasured(shares, version, 0.5, 200, "8 simulations"))
    (found,) = [finding for finding in diagnose(run) if finding.name == "probes failing"]
    assert found.evidence == "stop three, diagonal: 10% answered rightly, row: 90%"
