"""Runs of sparse nets that are broken in one way are told so, and a healthy one hears nothing."""

from pathlib import Path

import pytest

from boardzero.cli import main
from boardzero.runs.diagnosis import diagnose
from boardzero.training.train import train
from tests.training.tiny_sparse import tiny_sparse


def causes(folder: Path, **broken: object) -> list[str]:
    healthy = {"selfplay__games": 40, "run__iterations": 6, "learn__uses": 4}
    run = train(tiny_sparse(**{**healthy, **broken}), run=folder / "run", cores=1)
    return [finding.name for finding in diagnose(run)]


def test_a_healthy_run_hears_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert causes(tmp_path) == []
    assert main(["diagnose", str(tmp_path / "run")]) == 0
    assert capsys.readouterr().out == "run: nothing is wrong\n"


@pytest.mark.parametrize(
    ("broken", "cause"),
    [
        ({"learn__lr": 1.0, "learn__final_lr": 1.0}, "learning rate too high"),
        ({"replay__positions": 200}, "window too small"),
        ({"gate__rule": "score", "gate__threshold": 100.0}, "gate never passes"),
        ({"selfplay__most_moves": 1}, "all draws"),
        ({"selfplay__games": 2, "selfplay__first_games": 4}, "too early to say"),
    ],
)
def test_a_cause_is_named(tmp_path: Path, broken: dict[str, object], cause: str) -> None:
    assert cause in causes(tmp_path, **broken)
