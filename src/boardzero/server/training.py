"""Training begun from the page: the program's own trainer, by one of its own recipes.

A browser chooses a recipe by name, how long, and a few of its values within bounds; it cannot say
anything else about the process.
Who trains a run is known by the lock of its folder: so a server sees and stops what an earlier one
has begun.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Literal

from pydantic import Field

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.runs.recipe import AnyRecipe, list_recipes, load_recipe, recipe_names
from boardzero.runs.run_folder import RunFolder
from boardzero.server.messages import Incoming, Outgoing, SpecText

# The values of a recipe that a browser may change, and how far.
_KNOBS: Mapping[str, tuple[float, float]] = {
    "search.simulations": (4, 400),
    "selfplay.games": (10, 1000),
    "learn.lr": (0.0001, 0.02),
    "net.blocks": (1, 10),
    "net.channels": (8, 128),
    "net.hidden": (16, 512),
}


_TAIL = 4096  # bytes of news that are read


class NewRun(Incoming):
    recipe: SpecText
    minutes: float = Field(gt=0, le=600)
    changes: dict[str, float] = Field(default={}, max_length=len(_KNOBS))  # by key


class KnobView(Outgoing):
    """A value of a recipe that may be changed."""

    key: str
    value: float
    low: float
    high: float
    whole: bool  # a number of something


class RecipeView(Outgoing):
    name: str
    game: str
    about: str
    iterations: int | None  # of playing and learning, each with
    games: int | None  # so many games; None where a recipe does not say
    knobs: list[KnobView]
    text: str  # all of it


def recipes() -> list[RecipeView]:
    """Those that come with the program."""
    return [
        RecipeView(
            name=name,
            game=recipe.game,
            about=recipe.about,
            iterations=_whole(_value(recipe, "run.iterations")),
            games=_whole(_value(recipe, "selfplay.games")),
            knobs=_knobs(recipe),
            text=recipe.toml(),
        )
        for name, recipe in list_recipes().items()
    ]


def _value(recipe: AnyRecipe, key: str) -> float | None:
    """A number of a recipe, if it has it."""
    section, _, name = key.partition(".")
    value = getattr(getattr(recipe, section, None), name, None)
    return value if isinstance(value, int | float) else None


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _knobs(recipe: AnyRecipe) -> list[KnobView]:
    found = [(key, _value(recipe, key), bounds) for key, bounds in _KNOBS.items()]
    return [
        KnobView(
            key=key,
            value=value,
            low=min(low, value),
            high=max(high, value),
            whole=isinstance(value, int),
        )
        for key, value, (low, high) in found
        if value is not None
    ]


class Doing(Outgoing):
    """What a training does now."""

    what: Literal["starting", "playing", "learning"]
    done: int  # games of this iteration, or steps of whatever it does
    total: int  # 0 where nothing is counted
    version: int  # that comes next
    next_version: float | None  # seconds until then, as far as can be said
    left: float | None  # seconds of its time


@dataclass(frozen=True, slots=True)
class _Training:
    process: subprocess.Popen[bytes]
    began: float
    minutes: float
    pace: CountRate


class CountRate:
    """How fast something is counted, seen by who looks at it now and then."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._round = -1
        self._first = (0.0, 0)

    def seconds_left(self, round_: int, done: int, total: int) -> float | None:
        """Until all of this round is done; None until that can be told."""
        now = self._clock()
        if round_ != self._round:
            self._round, self._first = round_, (now, done)
        since, before = self._first
        if done <= before or now <= since:
            return None
        return (total - done) * (now - since) / (done - before)


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
        _check_changes(wish)
        with self._starting:  # whoever asks at the same time sees this one run
            if any(self.is_running(run.name) for run in RunFolder.all_in(self._folder)):
                raise BoardZeroError("a training is running already; stop it first")
            return self._start(wish)

    def _start(self, wish: NewRun) -> str:
        name = f"{wish.recipe}-{time.strftime('%Y%m%d-%H%M%S')}"
        path = self._folder / name
        command = [sys.executable, "-m", "boardzero", "train", wish.recipe, "--json"]
        command += ["--run", str(path), "--minutes", f"{wish.minutes:g}"]
        for key, value in wish.changes.items():
            command += ["--set", f"{key}={value:g}"]
        self._folder.mkdir(parents=True, exist_ok=True)
        with self._log(name).open("wb") as log, self._news(name).open("wb") as news:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=news, stderr=log)
        self._started[name] = _Training(process, time.monotonic(), wish.minutes, CountRate())
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

    def doing(self, name: str, versions: Sequence[int]) -> Doing | None:
        """What a training that this server began does now."""
        training = self._started.get(name)
        if training is None or training.process.poll() is not None:
            return None
        news = _last_news(self._news(name))
        done, total = int(news.get("done", 0)), int(news.get("total", 0))
        kind = news.get("event", "")
        playing = kind in ("version", "resumed", "start") or (kind == "games" and done < total)
        left = training.began + 60 * training.minutes - time.monotonic()
        playing_left = (
            training.pace.seconds_left(int(news.get("iteration", 0)), done, total)
            if kind == "games" and playing
            else None
        )
        return Doing(
            what="playing" if playing else "learning" if kind else "starting",
            done=done if kind not in ("version", "gate") else 0,
            total=total,
            version=(versions[-1] if versions else -1) + 1 or 1,
            next_version=playing_left,
            left=max(0.0, left),
        )

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

    def _news(self, name: str) -> Path:
        """What the training tells as it goes on, a line each."""
        return self._folder / f".{name}.out"


def _check_changes(wish: NewRun) -> None:
    if not wish.changes:
        return
    knobs = {knob.key: knob for knob in _knobs(load_recipe(wish.recipe))}
    for key, value in wish.changes.items():
        if key not in knobs:
            raise nearest(f"value of {wish.recipe} that the page may change", key, knobs)
        low, high = knobs[key].low, knobs[key].high
        if not low <= value <= high:
            raise BoardZeroError(f"{key} must be {low:g} to {high:g} here, not {value:g}")
        if knobs[key].whole and value != int(value):
            raise BoardZeroError(f"{key} must be a whole number, not {value:g}")


def _last_news(path: Path) -> dict[str, str | float]:
    """The last whole line that a training has told; nothing, if there is none yet."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            lines = file.read().split(b"\n")[:-1]
    except OSError:
        return {}
    for line in reversed(lines):
        with suppress(ValueError):
            news = json.loads(line)
            if isinstance(news, dict):
                return news
    return {}
