"""Trainings begun from the page: one at a time, and never out of sight."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from boardzero import BoardZeroError
from boardzero.runs.run_folder import RunFolder
from boardzero.server import training
from boardzero.server.training import NewRun, Trainings
from tests.training.tiny import tiny

# Holds the lock of a run, as a training does, until it is told to end.
TRAINER = """
import sys, time
from pathlib import Path
from boardzero.runs.run_folder import RunFolder
from boardzero.runs.recipe import load_recipe
folder = Path(sys.argv[sys.argv.index("--run") + 1])
run = RunFolder.create(folder, load_recipe(str(folder.parent / "tiny.toml")))
with run.lock():
    try:
        time.sleep(60)
    except KeyboardInterrupt:
        (folder / "stopped").touch()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for runs in which training takes no time to begin."""
    (tmp_path / "tiny.toml").write_text(tiny().toml())
    (tmp_path / "trainer.py").write_text(TRAINER)
    popen = subprocess.Popen
    started = []

    def start(command: list[str], **options: object) -> subprocess.Popen[bytes]:
        process = popen([sys.executable, str(tmp_path / "trainer.py"), *command], **options)  # type: ignore[call-overload]
        started.append(process)
        return process  # type: ignore[no-any-return]

    monkeypatch.setattr(training.subprocess, "Popen", start)
    monkeypatch.setattr(training, "recipe_names", lambda: ["tiny"])
    yield tmp_path
    for process in started:
        process.kill()
        process.wait()


WISH = NewRun(recipe="tiny", minutes=1.0)


def test_of_four_starts_at_once_one_begins(folder: Path) -> None:
    trainings = Trainings(folder)

    def start(_: int) -> str:
        try:
            return trainings.start(WISH)
        except BoardZeroError as error:
            return str(error)

    with ThreadPoolExecutor(4) as threads:
        said = list(threads.map(start, range(4)))
    assert len(RunFolder.all_in(folder)) == 1
    assert sum("running already" in text for text in said) == 3


def test_a_new_server_sees_and_stops_what_an_earlier_one_began(folder: Path) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which who runs tests may ignore
    name = Trainings(folder).start(WISH)
    later = Trainings(folder)  # as after a kill of the server
    while RunFolder(folder / name).trainer() is None:
        time.sleep(0.05)
    assert later.is_running(name)
    with pytest.raises(BoardZeroError, match="running already"):
        later.start(WISH)
    for _ in range(4):  # Python may lose an interrupt that comes while it loads a library
        later.stop(name)
        end = time.monotonic() + 10
        while later.is_running(name) and time.monotonic() < end:
            time.sleep(0.05)
    assert not later.is_running(name)
    assert (folder / name / "stopped").exists()
