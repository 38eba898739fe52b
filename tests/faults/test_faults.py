"""A fault at every write: nothing that was told is lost, nothing is half there, all is said."""

import sys
from pathlib import Path

import pytest

from tests.faults.shim import drive

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the disk is preloaded")


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["fails", "full", "torn"])
@pytest.mark.parametrize("scenario", ["web game", "data set", "import", "tables"])
def test_a_fault_at_any_write_loses_nothing(tmp_path: Path, scenario: str, mode: str) -> None:
    found = drive(tmp_path, scenario, mode=mode, every=7, timeout=1800)
    assert found["steps"] > 2


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["fails", "full", "torn"])
@pytest.mark.parametrize("scenario", ["training", "tournament"])
def test_a_fault_at_any_write_of_much_work_loses_nothing(
    tmp_path: Path, scenario: str, mode: str
) -> None:
    found = drive(tmp_path, scenario, mode=mode, every=23, timeout=1800)
    assert found["steps"] > 20
