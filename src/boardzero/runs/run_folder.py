"""The folder of one training run::

    recipe.toml            the recipe, whole
    progress.json          how far the run is
    versions/0003/         accepted nets: card.json, net.onnx, net.safetensors
                           (small-net.onnx, large-net.onnx ... where a method has several)
    candidate/             the net in training with its optimiser
    offered/               the same as a model, from a trainer that works beside the players
    waiting/               that model where only the run's owner writes, until the gate is free
    gate/                  the model that the gate tests, or tested last
    replay/                finished games
    workers.json           who plays now, while a cluster trains it
    log.jsonl              everything that happened, one JSON object per line
    scalars.csv            its numbers: losses, scores of gates, speeds
    events/                the same for TensorBoard
    strength.sqlite        games of versions against fixed opponents, as the page plays them
    .lock                  held by the process that trains

Whoever is killed at any moment leaves a folder that the same command resumes.
"""

from __future__ import annotations

import json
import os
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_file, writing
from boardzero.base.locks import try_lock
from boardzero.models.archive import find_run, find_version, version_folders
from boardzero.models.card import ModelCard, read_model
from boardzero.runs.events import Event, WorkerStats
from boardzero.runs.log import append_event, read_events
from boardzero.runs.recipe import AnyRecipe, validate
from boardzero.runs.replay import Replay, newest_records

REJECTED = -1
_LOOK_SECONDS = 0.2  # for who only looks whether a lock is held to let go of it
_NEWS_SECONDS = 60.0  # for which it is believed who plays: a killed run leaves its last words


Count = Annotated[int, Field(ge=0, lt=2**31)]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `trained` says that the iteration's candidate waits for its gate."""

    iteration: Count = 1
    trained: bool = False
    verdict: Annotated[int, Field(ge=-1, lt=2**31)] = 0  # of the gate, until carried out: the
    # version to be, or REJECTED
    version: Count = 0  # the best so far
    steps: Count = 0  # batches learned in all
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0  # of wall clock in all
    games: Count = 0  # stored in all


@dataclass(frozen=True, slots=True)
class ClusterStats:
    """Who plays now for a run on a cluster."""

    workers: tuple[WorkerStats, ...]
    dashboard: str = ""  # of Ray; empty if there is none


class _Inside:
    """The path of something in a run's folder."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, run: RunFolder, _: type[RunFolder]) -> Path:
        return run.path / self._name


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Reads and writes a run's folder."""

    path: Path
    candidate = _Inside("candidate")
    offered = _Inside("offered")
    waiting = _Inside("waiting")
    at_gate = _Inside("gate")
    strength_games = _Inside("strength.sqlite")

    @classmethod
    def create(cls, path: Path, recipe: AnyRecipe) -> RunFolder:
        """A new run, or the one that is there if its recipe is the same or nothing came of it."""
        run = cls(path)
        saved = path / "recipe.toml"
        if saved.exists():
            known = run.recipe()
            if known == recipe:
                return run
            if run.versions() and known.essence() != recipe.essence():
                raise BoardZeroError(
                    f"{path} was begun with another recipe; give another --run, or change nothing"
                )
            with run.lock():
                write_file(saved, recipe.toml())
            return run
        # A first attempt that was killed at once may have left a draft behind.
        if path.exists() and any(not entry.name.startswith(".") for entry in path.iterdir()):
            raise BoardZeroError(f"{path} is not empty and holds no run")
        write_file(saved, recipe.toml())
        return run

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """A run that is there."""
        if not cls.is_run(path):
            raise BoardZeroError(f"{path} holds no run")
        return cls(path)

    @staticmethod
    def is_run(path: Path) -> bool:
        return (path / "recipe.toml").is_file()

    @classmethod
    def find(cls, name: str) -> RunFolder:
        """A run that is there, by its path or by its name where runs are kept."""
        return cls.open(find_run(name))

    @classmethod
    def all_in(cls, home: Path) -> list[RunFolder]:
        """The runs in a folder, by name."""
        return [cls(file.parent) for file in sorted(home.glob("*/recipe.toml"))]

    @property
    def name(self) -> str:
        return self.path.name

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep others from training the same run. The system lets go for whoever is killed."""
        path = self.path / ".lock"
        with writing(path):
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not _locked(file):
                who = os.read(file, 20).decode(errors="replace").strip() or "unknown"
                raise BoardZeroError(
                    f"{self.path} is being trained by another process (number {who}); "
                    "stop that one, or give another --run"
                )
            with writing(path):
                os.ftruncate(file, 0)
                os.write(file, f"{os.getpid()}\n".encode())
            yield
        finally:
            os.close(file)

    def trainer(self) -> int | None:
        """The process that trains the run now, on this machine; None if none does."""
        with suppress(OSError, ValueError), (self.path / ".lock").open("rb+") as file:
            if not try_lock(file.fileno()):
                return int(file.read(20))
        return None

    def recipe(self) -> AnyRecipe:
        """The recipe that the run follows."""
        path = self.path / "recipe.toml"
        try:
            return validate(tomllib.loads(path.read_text()), source=str(path))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BoardZeroError(f"{path} is damaged: {error}") from None

    def recipe_text(self) -> str:
        return (self.path / "recipe.toml").read_text(errors="replace")

    @property
    def updated(self) -> float:
        """When something happened last, in seconds since 1970."""
        log = self.path / "log.jsonl"
        return (log if log.exists() else self.path).stat().st_mtime

    def progress(self) -> Progress:
        path = self.path / "progress.json"
        if not path.exists():
            return Progress()
        try:
            return TypeAdapter(Progress).validate_json(path.read_bytes(), strict=True)
        except (ValueError, OSError):
            raise BoardZeroError(f"{path} is damaged") from None

    def save_progress(self, progress: Progress) -> None:
        write_file(self.path / "progress.json", json.dumps(asdict(progress)))

    def save_workers(self, workers: Sequence[WorkerStats], *, dashboard: str) -> None:
        """Who plays now, for those who look at a run on a cluster."""
        found = ClusterStats(tuple(workers), dashboard)
        write_file(self.path / "workers.json", json.dumps(asdict(found)))

    def workers(self) -> ClusterStats | None:
        """Who plays now; None if no cluster trains the run."""
        path = self.path / "workers.json"
        try:
            if time.time() - path.stat().st_mtime > _NEWS_SECONDS:
                return None
            return TypeAdapter(ClusterStats).validate_json(path.read_bytes())
        except (OSError, ValueError):
            return None

    def forget_workers(self) -> None:
        (self.path / "workers.json").unlink(missing_ok=True)

    def replay(self, *, read_only: bool = False) -> Replay:
        """The finished games; a reader is told by the owner which there are."""
        return Replay(self.path / "replay", read_only=read_only)

    def newest_games(self) -> Iterator[tuple[bytes, int]]:
        """Records with their iterations, the newest first, for those who only look."""
        return newest_records(self.path / "replay")

    def version_folder(self, version: int) -> Path:
        return self.path / "versions" / f"{version:04d}"

    def versions(self) -> list[int]:
        """The accepted versions, oldest first."""
        return list(version_folders(self.path))

    def model(self, version: int | None = None) -> tuple[Path, ModelCard]:
        """The folder and card of a version; the latest if none is named."""
        folder = find_version(self.path, version)
        return folder, read_model(folder)

    def log(self, event: Event) -> None:
        append_event(self.path / "log.jsonl", event)

    def read_log(self, *, most_bytes: int | None = None) -> list[Event]:
        """The events so far, or those of so many bytes at the log's end.

        Of a run whose recipe cannot be read, only those that every run has.
        """
        further: tuple[type[Event], ...] = ()
        with suppress(BoardZeroError):
            further = self.recipe().events
        return read_events(self.path / "log.jsonl", further, most_bytes=most_bytes)


def _locked(file: int) -> bool:
    """Whether the file could be locked; who only looks whether a lock is held lets go at once."""
    end = time.monotonic() + _LOOK_SECONDS
    while not try_lock(file):
        if time.monotonic() >= end:
            return False
        time.sleep(0.01)
    return True
