"""Runs side by side share a machine: each has cores of its own while there are enough."""

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from boardzero.base import processes
from boardzero.base.processes import on_cores


@pytest.fixture(autouse=True)
def no_other_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_two_runs_have_different_cores() -> None:
    with ExitStack() as first, ExitStack() as second:
        one = processes._reserve(range(4), 2, first)
        two = processes._reserve(range(4), 2, second)
        assert sorted(one + two) == [0, 1, 2, 3]


def test_a_run_shares_only_what_it_must() -> None:
    with ExitStack() as first, ExitStack() as second:
        processes._reserve(range(4), 3, first)
        assert len(set(processes._reserve(range(4), 2, second)) - {0, 1, 2}) == 1


def test_cores_are_free_again_after_a_run() -> None:
    with ExitStack() as run:
        processes._reserve(range(2), 2, run)
    with ExitStack() as run:
        assert processes._reserve(range(2), 1, run) == [0]


def test_without_a_place_for_the_locks_cores_are_chosen_by_lot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with ExitStack() as run:
        assert sorted(processes._reserve(range(3), 3, run)) == [0, 1, 2]


def test_the_process_has_all_its_cores_back_afterwards() -> None:
    before = os.sched_getaffinity(0)
    with on_cores(1):
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before
