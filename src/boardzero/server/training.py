"""Training begun from the page: the program's own trainer, by one of its own recipes.

A browser chooses a recipe by name and how long; it cannot say anything else about the process.
Who trains a run is known by the lock of its folder: so a server sees and stops what an earlier one
has begun.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from pydantic import Field

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.runs.recipe import list_recipes, recipe_names
from boardzero.runs.run_folder import RunFolder
from boardzero.server.messages import Incoming, Outgoing, SpecText


class NewRun(Incoming):
    recipe: SpecText
    minutes: float = Field(gt=0, le=600)


class RecipeView(Outgoing):
    name: str
    game: str
    about: str


def recipes() -> list[RecipeView]:
    """Those that come with the program."""
    return [
        RecipeView(name=name, game=recipe.game, about=recipe.about)
        for name, recipe in list_recipes().items()
    ]


@dataclass(frozen=True, slots=True)
class _Training:
    process: subprocess.Popen[bytes]
    began: float
    minutes: float


class Trainings:
    """The processes that train runs in the server's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: dict[str, _Training] = {}
        self._starting = Lock()

    def start(self, wish: NewRun) -> str:
        """Begin a run, and return its name once its folder is there."""
        if wish.recipe not in recipe_names():
            raise nearest("recipe", wish.recipe, recipe_names())
        with self._starting:  # whoever asks at the same time sees this one run
            if any(self.is_running(run.name) for run in RunFolder.all_in(self._folder)):
                raise BoardZeroError("a training is running already; stop it first")
            return self._start(wish)

    def _start(self, wish: NewRun) -> str:
        name = f"{wish.recipe}-{time.strftime('%Y%m%d-%H%M%S')}"
        path = self._folder / name
        command = [sys.executable, "-m", "boardzero", "train", wish.recipe, "--json"]
        command += ["--run", str(path), "--minutes", f"{wish.minutes:g}"]
        self._folder.mkdir(parents=True, exist_ok=True)
        log = self._log(name).open("wb")
        with log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log
            )
        self._started[name] = _Training(process, time.monotonic(), wish.minutes)
        self._wait_for(name, process)
        return name

    def is_running(self, name: str) -> bool:
        training = self._started.get(name)
        if training is not None and training.process.poll() is None:
            return True
        return RunFolder(self._folder / name).trainer() is not None

    def progress(self, name: str) -> float | None:
        """How much of its time a training has used that this server began."""
        training = self._started.get(name)
        if training is None or training.process.poll() is not None:
            return None
        return min(1.0, (time.monotonic() - training.began) / (60 * training.minutes))

    def stop(self, name: str) -> None:
        """As Ctrl-C would: the trainer keeps what it has."""
        training = self._started.get(name)
        if training is not None and training.process.poll() is None:
            training.process.send_signal(signal.SIGINT)
        elif (trainer := RunFolder(self._folder / name).trainer()) is not None:
            with suppress(OSError):  # it may just have ended, or be somebody else's
                os.kill(trainer, signal.SIGINT)

    def close(self) -> None:
        for name in self._started:
            self.stop(name)

    def trouble(self, name: str) -> str | None:
        """The last words of a training that failed."""
        training = self._started.get(name)
        if training is None or training.process.poll() in (None, 0, 130):
            return None
        said = self._log(name).read_text(errors="replace").strip().splitlines()
        return said[-1] if said else "the training failed without a word"

    def _wait_for(self, name: str, process: subprocess.Popen[bytes]) -> None:
        while not RunFolder.is_run(self._folder / name):
            if process.poll() is not None:
                raise BoardZeroError(f"the training did not begin: {self.trouble(name)}")
            time.sleep(0.1)

    def _log(self, name: str) -> Path:
        return self._folder / f".{name}.err"
