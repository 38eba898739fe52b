"""Workers that play games, whatever plays in them: their messages and their loop.

A worker is told which games to play with which models, and answers with finished games and, about
once a second, a heartbeat. When it joins it is asked for its signature. It keeps no state that
matters: whatever it had not finished when it died is simply played again.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, Protocol, TypeVar

from boardzero.models import read_model
from boardzero.models.file_bundle import FileBundle
from boardzero.training.signature import ShowSignature, signature_of
from boardzero.workers.launcher import Channel
from boardzero.workers.messages import message


@dataclass(frozen=True, slots=True)
class NewVersion:
    """Play with these models from now on; several play against each other.

    They are folders where there is a disk in common, and travel where there is none.
    """

    models: tuple[Path | FileBundle, ...]
    version: int = 0

    def packed(self) -> NewVersion:
        """The same for workers elsewhere, who need no more than what plays."""
        models = (
            FileBundle.of(model, names=read_model(model).files)
            if isinstance(model, Path)
            else model
            for model in self.models
        )
        return NewVersion(tuple(models), self.version)

    @contextmanager
    def folders(self) -> Iterator[list[Path]]:
        """All models as folders, for as long as the context lasts."""
        with ExitStack() as stack:
            found = []
            for model in self.models:
                if isinstance(model, FileBundle):
                    folder = Path(stack.enter_context(TemporaryDirectory(prefix="boardzero-")))
                    model.unpack(folder)
                    found.append(folder)
                else:
                    found.append(model)
            yield found


@dataclass(frozen=True, slots=True)
class Assignment:
    """Games to be played, by number; `stream` separates the random numbers of different uses."""

    numbers: tuple[int, ...]
    stream: int = 0


@message
@dataclass(frozen=True, slots=True)
class FinishedGame:
    record: bytes
    stream: int


@message
@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Evaluations since the last one; games that were taken on in all, and those left of them."""

    rows: int
    seconds: float
    taken: int
    left: int


class GamePool(Protocol):
    """Games of the core that are played at the same time."""

    def add(self, numbers: Sequence[int]) -> None: ...
    def left(self) -> int: ...


P = TypeVar("P", bound=GamePool)


class GameWorker(ABC, Generic[P]):
    """Takes orders and hands finished games over; a subclass says how they are played."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._version = 0
        self._taken = 0
        self._stream = 0
        self._pool: P | None = None  # dropped whenever the next games need another

    @abstractmethod
    def _load(self, folders: Sequence[Path]) -> None:
        """Play with these models from now on, the version of which is `_version`."""

    @abstractmethod
    def _open_pool(self, games: Assignment) -> P:
        """The pool in which to play these games."""

    @abstractmethod
    def _advance(self, pool: P) -> tuple[int, list[bytes]]:
        """Play on for a moment: evaluations that were computed, and games that have finished."""

    def run(self) -> None:
        rows = 0
        since = time.monotonic()
        while True:
            busy = self._pool is not None and self._pool.left() > 0
            while self._channel.poll(0 if busy else None):
                self._take(self._channel.recv())
                if not busy:
                    since = time.monotonic()  # waiting is not working
                busy = self._pool is not None and self._pool.left() > 0
            assert self._pool is not None
            more, finished = self._advance(self._pool)
            rows += more
            for record in finished:
                self._channel.send(FinishedGame(record, self._stream))
            now = time.monotonic()
            if now - since >= 1 or self._pool.left() == 0:
                self._channel.send(Heartbeat(rows, now - since, self._taken, self._pool.left()))
                rows, since = 0, now

    def _take(self, message: object) -> None:
        if isinstance(message, NewVersion):
            self._version = message.version
            with message.folders() as folders:
                self._load(folders)
        elif isinstance(message, Assignment):
            if self._stream != message.stream:
                self._pool = None
            self._stream = message.stream
            if self._pool is None:
                self._pool = self._open_pool(message)
            self._pool.add(list(message.numbers))
            self._taken += len(message.numbers)
        elif isinstance(message, ShowSignature):
            self._channel.send(signature_of(message.game))
