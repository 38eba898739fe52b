"""A fault at every write: does work again and again, each time with the next step going wrong.

    python -m tests.faults.drive training --mode full --every 1

Afterwards nothing that was told to be finished is lost, the work can be gone on with to the same
result, and what was said is a sentence. Each attempt is a fork of one process in which everything
is loaded; `tests/faults/disk.c` must be preloaded, as `tests/faults/shim.py` does.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from tests.faults.scenarios import SCENARIOS, Scenario, quickly

MODES = {"fails": 1, "full": 2, "torn": 3}
_SENTENCE = 3  # exit code of a process that ended with one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("--mode", choices=MODES, default="full")
    parser.add_argument("--every", type=int, default=1, help="of so many steps only one")
    given = parser.parse_args()
    scenario = SCENARIOS[given.scenario]
    root = Path(os.environ["FAULTY_FOLDER"])
    quickly()
    if given.scenario == "import":
        _write_archive(root / "run.zip")
    reference, total = _unbroken(scenario, root)
    counts = {"sentence": 0, "killed": 0, "unhurt": 0}
    for n in range(0, total, given.every):
        ending = _attempt(scenario, root, n, MODES[given.mode], reference)
        counts[ending] += 1
    print(json.dumps({"scenario": given.scenario, "mode": given.mode, "steps": total, **counts}))


def _unbroken(scenario: Scenario, root: Path) -> tuple[str, int]:
    """The result on a good disk, and the number of steps to it."""
    folder = Path(tempfile.mkdtemp(dir=root))
    code, told = _forked(lambda tell: _counted(scenario, folder, tell))
    assert code == 0, told
    shutil.rmtree(folder)
    return told[-2], int(told[-1])


def _counted(scenario: Scenario, folder: Path, tell: Callable[[str], None]) -> None:
    disk = _disk()
    disk.fault_arm(-1, 0)
    scenario.work(folder, tell)
    steps = disk.fault_steps()
    tell(repr(scenario.result(folder)))
    tell(str(steps))


def _attempt(scenario: Scenario, root: Path, n: int, mode: int, reference: str) -> str:
    folder = Path(tempfile.mkdtemp(dir=root))
    where = f"step {n}, mode {mode}"

    def broken(tell: Callable[[str], None]) -> None:
        _disk().fault_arm(n, mode)
        scenario.work(folder, tell)

    def mended(tell: Callable[[str], None]) -> None:
        lost = scenario.missing(folder, told)
        assert not lost, f"{where}: lost {lost}"
        scenario.work(folder, lambda _: None)
        tell(repr(scenario.result(folder)))

    code, said = _forked(broken)
    told = [text for text in said if not text.startswith("sentence: ")]
    assert code in (0, _SENTENCE, -signal.SIGKILL), f"{where}: {said[-1:]}"
    assert (code == -signal.SIGKILL) <= (mode == MODES["torn"]), where
    again, said = _forked(mended)
    assert again == 0, f"{where}: it does not go on: {said}"
    assert said[-1] == reference, f"{where}: another result"
    shutil.rmtree(folder)
    return {0: "unhurt", _SENTENCE: "sentence"}.get(code, "killed")


def _forked(work: Callable[[Callable[[str], None]], None]) -> tuple[int, list[str]]:
    """Exit code (negative: the signal) and what was told, of work in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.setpgid(0, 0)
        os._exit(_ending(work, lambda text: _write(writer, text)))
    os.close(writer)
    with os.fdopen(reader) as lines:
        told = [json.loads(line) for line in lines]
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), told


def _write(writer: int, text: str) -> None:
    os.write(writer, json.dumps(text).encode() + b"\n")


def _ending(work: Callable[[Callable[[str], None]], None], tell: Callable[[str], None]) -> int:
    try:
        work(tell)
    except BoardZeroError as error:
        sentence = str(error)
        tell(f"sentence: {sentence}")
        return _SENTENCE if sentence and "\n" not in sentence else 1
    except BaseException:
        tell(traceback.format_exc())
        return 1
    return 0


def _disk() -> ctypes.CDLL:
    disk = ctypes.CDLL(None)
    disk.fault_arm.argtypes = [ctypes.c_long, ctypes.c_int]
    disk.fault_steps.restype = ctypes.c_long
    return disk


def _write_archive(file: Path) -> None:
    """A run as one file, made by the scenario of training."""
    from boardzero.models.file_bundle import pack

    folder = Path(tempfile.mkdtemp(dir=file.parent))
    code, told = _forked(lambda tell: SCENARIOS["training"].work(folder, tell))
    assert code == 0, told
    pack(folder / "run", file)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
