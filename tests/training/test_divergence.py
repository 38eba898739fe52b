"""Weights and losses that are no numbers any more: the run stops, and what was good stays."""

from pathlib import Path

import pytest
import torch

from boardzero import BoardZeroError
from boardzero.runs.events import LossMeasured, Resumed
from boardzero.runs.log import append_event, read_events
from boardzero.runs.run_folder import RunFolder
from boardzero.training.sparse_candidate import SparseCandidate
from boardzero.training.train import train
from boardzero.training.trainer import Trainer
from tests.training.tiny import check, tiny
from tests.training.tiny_sparse import tiny_sparse


@pytest.mark.parametrize("mode", ["sync", pytest.param("async", marks=pytest.mark.slow)])
def test_a_run_that_diverges_stops_with_a_sentence_and_keeps_its_versions(
    tmp_path: Path, mode: str
) -> None:
    recipe = tiny(learn__lr=1000.0, learn__optimizer="sgd", learn__uses=40, run__mode=mode)
    for _ in range(2):  # also when it is tried again
        with pytest.raises(BoardZeroError, match=r"diverged.*run\.start_from.*learn\.lr=100"):
            train(recipe, run=tmp_path / "run", cores=1)
    run = RunFolder.open(tmp_path / "run")
    assert run.versions() == [0]
    assert check(run.path)


def test_a_candidate_that_was_saved_as_garbage_is_left_for_the_last_version(
    tmp_path: Path,
) -> None:
    recipe = tiny(run__iterations=1, gate__games=0)
    run = train(recipe, run=tmp_path / "run", cores=1)
    from boardzero.training.candidate import CandidateTrainer

    trainer = CandidateTrainer(run, recipe, run.replay())
    list(trainer.begin())
    with torch.no_grad():
        next(trainer._trainers.trainers[0].net.parameters()).fill_(float("nan"))
    trainer.save()
    again = CandidateTrainer(run, recipe, run.replay())
    list(again.begin())
    assert again._trainers.is_finite


def test_a_sparse_net_that_diverges_stops_its_run_with_a_sentence_and_keeps_its_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SparseCandidate, "_rate", lambda _: 1e38)
    for _ in range(2):  # also when it is tried again
        with pytest.raises(BoardZeroError, match=r"diverged.*run\.start_from.*learn\.lr="):
            train(tiny_sparse(), run=tmp_path / "run", cores=1)
    run = RunFolder.open(tmp_path / "run")
    assert run.versions() == [0]


def test_a_sparse_candidate_that_was_saved_as_garbage_is_left_for_the_last_version(
    tmp_path: Path,
) -> None:
    recipe = tiny_sparse(run__iterations=1, gate__games=0)
    run = train(recipe, run=tmp_path / "run", cores=1)
    good = SparseCandidate(run, recipe, run.replay(), threads=1)
    list(good.begin())
    state = run.candidate / "trainer.bin"
    data = state.read_bytes()
    state.write_bytes(data[:-12] + b"\0\0\xc0\x7f" + data[-8:])  # the last moment is no number
    again = SparseCandidate(run, recipe, run.replay(), threads=1)
    list(again.begin())
    assert again._is_finite
    assert run.versions()


def test_the_log_never_tells_what_is_no_number(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    append_event(log, LossMeasured({"policy": float("nan"), "value": 1.0}, 50))
    append_event(log, Resumed(1, 1))
    assert [type(event) for event in read_events(log)] == [Resumed]


def test_a_round_that_no_memory_could_hold_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardzero.training.trainer._MOST_SAMPLES", 100)
    with pytest.raises(BoardZeroError, match="at most 100 fit into memory"):
        train(tiny(learn__uses=1000), run=tmp_path / "run", cores=1)


def test_the_minutes_hold_however_long_a_round_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    step = Trainer._step

    def counted(self: Trainer, *args: object) -> dict[str, float]:
        steps.append(1)
        monkeypatch.setattr("time.monotonic", lambda: 1e12)  # the time is over now
        return step(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Trainer, "_step", counted)
    run = train(tiny(learn__uses=1000), run=tmp_path / "run", cores=1, minutes=1000)
    assert len(steps) <= 2
    assert run.versions() == [0]


def test_minutes_are_a_number(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match="not nan"):
        train(tiny(), run=tmp_path / "run", minutes=float("nan"))
