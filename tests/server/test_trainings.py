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
from boardzero.server.training import CountRate, NewRun, Trainings
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


def test_a_page_changes_a_few_values_of_a_recipe_within_bounds(tmp_path: Path) -> None:
    trainings = Trainings(tmp_path)
    for changes, says in [
        ({"selfplay.games": 5_000_000.0}, "selfplay.games must be 10 to 1000"),
        ({"selfplay.games": 10.5}, "whole number"),
        ({"run.start_from": 1.0}, "run.start_from"),
    ]:
        with pytest.raises(BoardZeroError, match=says):
            trainings.start(NewRun(recipe="wang-gomoku-small", minutes=1.0, changes=changes))
    assert list(tmp_path.iterdir()) == []


def test_what_a_training_does_is_read_from_its_news(folder: Path) -> None:
    trainings = Trainings(folder)
    name = trainings.start(WISH)
    news = folder / f".{name}.out"
    starting = trainings.doing(name, [])
    assert starting is not None
    assert starting.what == "starting"
    with news.open("a") as file:
        file.write('{"event": "games", "iteration": 1, "done": 66, "total": 250}\n{"event": "ga')
    playing = trainings.doing(name, [0])
    assert playing is not None
    assert (playing.what, playing.done, playing.total) == ("playing", 66, 250)
    assert playing.version == 1
    assert playing.left is not None
    assert 0 < playing.left <= 60


def test_the_time_until_all_is_done_follows_from_the_pace() -> None:
    now = [0.0]
    pace = CountRate(clock=lambda: now[0])
    assert pace.seconds_left(1, 10, 100) is None
    now[0] = 20.0
    assert pace.seconds_left(1, 20, 100) == pytest.approx(160.0)
    assert pace.seconds_left(2, 0, 100) is None
