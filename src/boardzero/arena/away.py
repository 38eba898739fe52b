"""Games on all nodes of a cluster: each post is a referee with a player process of its own.

What `pool` promises holds there too, because every referee is such a pool: a player that hangs or
dies loses on its node. If a node goes, its games are played again elsewhere.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from boardzero.arena.pool import Finished, PlayerPool
from boardzero.arena.worker import Known, Task, get_to_know, known_here
from boardzero.base.errors import BoardZeroError
from boardzero.models.file_bundle import Luggage
from boardzero.players.models import CARRIED, models_of
from boardzero.store import GameRecord
from boardzero.workers.launcher import Employer, Line, Need, Post, Refusal, helping, refuse_if_told

__all__ = ["play_away"]

_LOOK_SECONDS = 2.0  # how often to look whether there is room for more
_HAND = 2  # games that a referee is given: the next one need not wait for an answer
_MOST_DEATHS = 20


def play_away(
    tasks: Iterable[Task],
    *,
    employer: Employer,
    game: str,
    players: Sequence[str],
    workers: int | None,
    stop: Callable[[], bool],
) -> Generator[Finished]:
    """Play tasks of one game, and yield each as it finishes; close the iterator to stop early."""
    models = {name: Luggage.of(folder) for name, folder in models_of(players).items()}
    referees = _Referees(tasks, employer, workers, _Baggage(known_here(game), models))
    try:
        yield from referees.play(stop)
    finally:
        referees.close()


@dataclass(slots=True, eq=False)
class _Referee:
    post: Post
    tasks: dict[int, Task] = field(default_factory=dict)


class _Referees:
    def __init__(
        self, tasks: Iterable[Task], employer: Employer, most: int | None, baggage: _Baggage
    ) -> None:
        self._tasks = iter(tasks)
        self._employer = employer
        self._most = most or sys.maxsize
        self._baggage = employer.seal(baggage)
        self._again: deque[Task] = deque()
        self._crew: list[_Referee] = []
        self._deaths = 0
        self._look_again = 0.0

    def play(self, stop: Callable[[], bool]) -> Iterator[Finished]:
        while not stop():
            self._fill()
            if not self._hand_out() and not any(referee.tasks for referee in self._crew):
                return
            self._employer.wait([referee.post for referee in self._crew], 0.1)
            for referee in list(self._crew):
                for message in referee.post.receive():
                    yield from self._take(referee, message)
                if not referee.post.alive:
                    self._bury(referee)

    def close(self) -> None:
        self._employer.dismiss([referee.post for referee in self._crew])
        self._crew.clear()

    def _take(self, referee: _Referee, message: object) -> Iterator[Finished]:
        refuse_if_told(message)
        assert isinstance(message, _Result)
        task = referee.tasks.pop(message.number, None)
        if task is not None:
            yield task, message.record

    def _hand_out(self) -> bool:
        """Whether games are left that nobody has."""
        for referee in self._crew:
            while referee.post.ready and len(referee.tasks) < _HAND:
                task = self._again.popleft() if self._again else next(self._tasks, None)
                if task is None:
                    return False
                referee.tasks[task.number] = task
                referee.post.send(task)
        return True

    def _fill(self) -> None:
        if time.monotonic() < self._look_again:
            return
        self._look_again = time.monotonic() + _LOOK_SECONDS
        more = min(self._most - len(self._crew), self._employer.room(Need()))
        for _ in range(more if self._crew else max(1, more)):
            post = self._employer.hire(_judge, need=Need())
            post.send(self._baggage)
            self._crew.append(_Referee(post))

    def _bury(self, referee: _Referee) -> None:
        self._crew.remove(referee)
        self._employer.dismiss([referee.post])
        self._again.extend(referee.tasks.values())
        self._deaths += not referee.post.stranded
        if self._deaths > _MOST_DEATHS:
            raise BoardZeroError(f"the cluster's posts have died {_MOST_DEATHS} times; giving up")
        self._look_again = 0.0


@dataclass(frozen=True, slots=True)
class _Baggage:
    """The games, players and models that a referee must know."""

    known: Known
    models: Mapping[str, Luggage]

    def unpack(self, folder: Path) -> None:
        get_to_know(self.known)
        for name, model in self.models.items():
            (folder / name).mkdir()
            model.unpack(folder / name)
        os.environ[CARRIED] = str(folder)  # for the player processes


@dataclass(frozen=True, slots=True)
class _Result:
    number: int
    record: GameRecord


class _Inbox:
    """The tasks that have come so far; more may come later."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def __iter__(self) -> _Inbox:
        return self

    def __next__(self) -> Task:
        if not self._line.poll():
            raise StopIteration
        task = self._line.recv()
        assert isinstance(task, Task)
        return task


def _judge(line: Line) -> None:
    """The main function of a referee."""
    with helping(line), TemporaryDirectory(prefix="boardzero-") as folder:
        baggage = line.recv()
        assert isinstance(baggage, _Baggage)
        baggage.unpack(Path(folder))
        pool = PlayerPool(_Inbox(line), 1)
        try:
            while line.poll(None):
                for task, record in pool.play():
                    line.send(_Result(task.number, record))
        except RuntimeError as error:
            line.send(Refusal(str(error)))
        finally:
            pool.close()
