"""Runs of sparse nets that are broken in one way are told so, and a healthy one hears nothing."""

import struct
from pathlib import Path

import pytest

from boardzero import _core
from boardzero.cli import main
from boardzero.runs.diagnosis import diagnose
from boardzero.runs.events import ProbesMeasured
from boardzero.runs.run_folder import RunFolder
from boardzero.training import sparse_candidate
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
        ({"selfplay__least_random": 0, "selfplay__most_random": 0}, "no exploration"),
        ({"replay__positions": 200}, "window too small"),
        ({"selfplay__nodes": 2}, "too few nodes"),
        (
            {"selfplay__nodes": 2, "selfplay__search": "puct", "net__policy": True},
            "too few simulations",
        ),
        ({"gate__rule": "score", "gate__threshold": 100.0}, "gate never passes"),
        ({"selfplay__most_moves": 1}, "all draws"),
        ({"selfplay__games": 2, "selfplay__first_games": 4}, "too early to say"),
    ],
)
def test_a_cause_is_named(tmp_path: Path, broken: dict[str, object], cause: str) -> None:
    assert cause in causes(tmp_path, **broken)


def test_a_value_of_the_wrong_sign_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fit = sparse_candidate.fit

    def negated(
        trainer: _core.SparseTrainer, records: list[bytes], learn: object, **options: object
    ) -> object:
        return fit(trainer, [with_the_other_winner(one) for one in records], learn, **options)

    monkeypatch.setattr(sparse_candidate, "fit", negated)
    assert causes(tmp_path, learn__result_share=1.0)[0] == "value has the wrong sign"


def with_the_other_winner(record: bytes) -> bytes:
    """A game of two players; cpp/selfplay/record.hpp says where its bytes hold what."""
    game, changed = _core.parse_record(record), bytearray(record)
    struct.pack_into("<b", changed, 2, -1 if game.winner is None else 1 - game.winner)
    outcome = 13 + len(game.fen)
    struct.pack_into("<2f", changed, outcome, *(-value for value in game.outcome))
    assert _core.parse_record(bytes(changed)).outcome == [-value for value in game.outcome]
    return bytes(changed)


def test_a_blind_spot_is_named(tmp_path: Path) -> None:
    assert "probes failing" not in causes(tmp_path, run__iterations=2)
    run = RunFolder(tmp_path / "run")
    shares = {"stop three": 0.5, "stop three, row": 0.9, "stop three, diagonal": 0.1}
    for version in range(6):
        run.log(ProbesMeasured(shares, version, 0.5, 200, "8 simulations"))
    (found,) = [finding for finding in diagnose(run) if finding.name == "probes failing"]
    assert found.evidence == "stop three, diagonal: 10% answered rightly, row: 90%"
