"""The workers of a run, from the supervisor's side: they get games to play, and may die."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

from boardzero import _core
from boardzero.errors import BoardZeroError
from boardzero.learn.recipe import Recipe
from boardzero.learn.worker import (
    Assignment,
    FinishedGame,
    Heartbeat,
    NewVersion,
    hear_last_words,
    refuse_if_told,
    work,
)

__all__ = ["Crew", "contest_winner"]

_MOST_DEATHS = 20


@dataclass(slots=True)
class _Member:
    process: SpawnProcess
    connection: Connection
    numbers: set[int] = field(default_factory=set)  # given and not yet finished


class Crew:
    """Worker processes that play games. One that dies is replaced and its games played again."""

    def __init__(self, recipe: Recipe, size: int) -> None:
        self._recipe = recipe
        self._context = multiprocessing.get_context("spawn")
        self._version: NewVersion | None = None
        self._stream = 0
        self._deaths = 0
        self.rows_per_second = 0.0
        self._rates: dict[int, float] = {}
        self._members = [self._hire() for _ in range(size)]

    def start(
        self, models: Sequence[Path], numbers: Sequence[int], *, version: int = 0, stream: int = 0
    ) -> None:
        """Begin the games with these numbers; `listen` tells which have finished."""
        self.use(models, version=version)
        self._stream = stream
        self._rates.clear()
        for index, member in enumerate(self._members):
            self._give(member, numbers[index :: len(self._members)])

    def use(self, models: Sequence[Path], *, version: int) -> None:
        """Let all workers play with these models from now on."""
        self._version = NewVersion(tuple(models), version)
        for index, member in enumerate(self._members):
            self._send(index, member, self._version)

    def give(self, numbers: Sequence[int]) -> None:
        """More games, to whoever has least to do."""
        for number in numbers:
            self._give(min(self._members, key=lambda member: len(member.numbers)), [number])

    @property
    def size(self) -> int:
        return len(self._members)

    @property
    def unfinished(self) -> int:
        """Games that were given and have not come back."""
        return sum(len(member.numbers) for member in self._members)

    def listen(self, timeout: float) -> Iterator[bytes]:
        """The games that finish within a time."""
        waiting: list[object] = []
        for member in self._members:
            waiting += [member.connection, member.process.sentinel]
        ready = wait(waiting, timeout)  # type: ignore[arg-type]
        for index, member in enumerate(self._members):
            try:
                while member.connection in ready and member.connection.poll():
                    yield from self._take(index, member, member.connection.recv())
            except (EOFError, OSError):
                self._replace(index)
                continue
            if not member.process.is_alive():
                self._replace(index)

    def close(self) -> None:
        """Let all workers go."""
        for member in self._members:
            member.connection.close()
        for member in self._members:
            member.process.join(timeout=2)
            if member.process.is_alive():
                member.process.kill()
        self._members.clear()

    def _take(self, index: int, member: _Member, message: object) -> Iterator[bytes]:
        if isinstance(message, FinishedGame) and message.stream == self._stream:
            member.numbers.discard(_core.parse_record(message.record).number)
            yield message.record
        elif isinstance(message, Heartbeat) and message.rows:
            self._rates[index] = message.rows / max(message.seconds, 1e-3)
            self.rows_per_second = sum(self._rates.values())
        else:
            refuse_if_told(message)

    def _hire(self) -> _Member:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs, self._recipe), daemon=True)
        process.start()
        theirs.close()
        return _Member(process, ours)

    def _give(self, member: _Member, numbers: Sequence[int]) -> None:
        if numbers:
            member.numbers.update(numbers)
            self._send(
                self._members.index(member), member, Assignment(tuple(numbers), self._stream)
            )

    def _send(self, index: int, member: _Member, message: object) -> None:
        try:
            member.connection.send(message)
        except OSError:
            self._replace(index)

    def _replace(self, index: int) -> None:
        """A worker has died: a new one gets its games."""
        self._deaths += 1
        if self._deaths > _MOST_DEATHS:
            raise BoardZeroError(f"workers of this run have died {_MOST_DEATHS} times; giving up")
        lost = self._members[index]
        hear_last_words(lost.connection)
        lost.connection.close()
        lost.process.join(timeout=2)
        member = self._hire()
        member.numbers = lost.numbers
        self._members[index] = member
        if self._version is not None:
            self._send(index, member, self._version)
        # Unless this one has died as well, and its successor has got them.
        if member.numbers and self._members[index] is member:
            self._send(index, member, Assignment(tuple(sorted(member.numbers)), self._stream))


def contest_winner(record: bytes) -> int | None:
    """Which of two contestants won: the first sits on seat 0 in games with an even number."""
    game = _core.parse_record(record)
    return None if game.winner is None else (game.winner + game.number) % 2
