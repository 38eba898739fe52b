"""Every number for every option, in processes that may die of it: no signal, no traceback."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "least"), [("players", 1000), ("recipes", 1500)])
def test_no_number_kills_a_process_or_is_a_traceback(kind: str, least: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.numbers", kind],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    *tried, last = done.stdout.splitlines()
    assert done.returncode == 0, f"{tried[-1:]} {last}: {done.stderr[-1000:]}"
    assert last.startswith("all ")
    assert len(tried) >= least
