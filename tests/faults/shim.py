"""Runs `drive.py` on the faulty disk: compiles and preloads it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def drive(folder: Path, scenario: str, *, mode: str, every: int, timeout: float) -> dict[str, Any]:
    """What came of a fault at every so many steps of a scenario."""
    library = folder / "disk.so"
    compiler = ["cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(HERE / "disk.c"), "-ldl"]
    subprocess.run(compiler, check=True)
    work = folder / "work"
    work.mkdir()
    command = [sys.executable, "-m", "tests.faults.drive", scenario, "--mode", mode]
    done = subprocess.run(
        [*command, "--every", str(every)],
        env={**os.environ, "LD_PRELOAD": str(library), "FAULTY_FOLDER": str(work)},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
