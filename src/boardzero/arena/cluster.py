"""Games on all nodes of a cluster: each worker is a referee with a player process of its own.

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
from boardzero.arena.worker import GameTask, Registrations
from boardzero.base.errors import BoardZeroError
from boardzero.models.file_bundle import FileBundle
from boardzero.players.model_options import CARRIED, models_of
from boardzero.store import PlayedGame
from boardzero.workers.launcher import (
    Channel,
    Launcher,
    Refusal,
    Resources,
    Worker,
    as_worker,
    raise_refusal,
)
from boardzero.workers.messages import message as declared

_LOOK_SECONDS = 2.0  # how often to look whether there is room for more
_MOST_TASKS = 2  # games that a referee is given at a time: the next one need not wait for an answer
_MOST_DEATHS = 20


def play_on_cluster(
    tasks: Iterable[GameTask],
    *,
    launcher: Launcher,
    game: str,
    players: Sequence[str],
    workers: int | None,
    stop: Callable[[], bool],
) -> Generator[Finished]:
    """Play tasks of one game, and yield each as it finishes; close the iterator to stop early."""
    models = {name: FileBundle.of(folder) for name, folder in models_of(players).items()}
    referees = _Referees(tasks, launcher, workers, _Setup(Registrations.of(game), models))
    try:
        yield from referees.play(stop)
    finally:
        referees.close()


@dataclass(slots=True, eq=False)
class _Referee:
    worker: Worker
    tasks: dict[int, GameTask] = field(default_factory=dict)


class _Referees:
    def __init__(
        self, tasks: Iterable[GameTask], launcher: Launcher, most: int | None, setup: _Setup
    ) -> None:
        self._tasks = iter(tasks)
        self._launcher = launcher
        self._most = most or sys.maxsize
        self._setup = launcher.share(setup)
        self._again: deque[GameTask] = deque()
        self._referees: list[_Referee] = []
        self._deaths = 0
        self._look_again = 0.0

    def play(self, stop: Callable[[], bool]) -> Iterator[Finished]:
        while not stop():
            self._fill()
            if not self._hand_out() and not any(referee.tasks for referee in self._referees):
                return
            self._launcher.wait([referee.worker for referee in self._referees], 0.1)
            for referee in list(self._referees):
                for message in referee.worker.receive():
                    yield from self._take(referee, message)
                if not referee.worker.alive:
                    self._replace(referee)

    def close(self) -> None:
        self._launcher.stop([referee.worker for referee in self._referees])
        self._referees.clear()

    def _take(self, referee: _Referee, message: object) -> Iterator[Finished]:
        raise_refusal(message)
        if not isinstance(message, _Result):
            raise BoardZeroError(
                f"{referee.worker.node} sent something else than a game: {message}"
            )
        task = referee.tasks.pop(message.number, None)
        if task is not None:
            yield task, message.record

    def _hand_out(self) -> bool:
        """Whether games are left that nobody has."""
        for referee in self._referees:
            while referee.worker.ready and len(referee.tasks) < _MOST_TASKS:
                task = self._again.popleft() if self._again else next(self._tasks, None)
                if task is None:
                    return False
                referee.tasks[task.number] = task
                referee.worker.send(task)
        return True

    def _fill(self) -> None:
        if time.monotonic() < self._look_again:
            return
        self._look_again = time.monotonic() + _LOOK_SECONDS
        more = min(self._most - len(self._referees), self._launcher.capacity(Resources()))
        for _ in range(more if self._referees else max(1, more)):
            worker = self._launcher.start(_referee_main, resources=Resources())
            worker.send(self._setup)
            self._referees.append(_Referee(worker))

    def _replace(self, referee: _Referee) -> None:
        self._referees.remove(referee)
        self._launcher.stop([referee.worker])
        self._again.extend(referee.tasks.values())
        self._deaths += not referee.worker.node_lost
        if self._deaths > _MOST_DEATHS:
            raise BoardZeroError(f"the cluster's workers have died {_MOST_DEATHS} times; giving up")
        self._look_again = 0.0


@dataclass(frozen=True, slots=True)
class _Setup:
    """The games, players and models that a referee must know."""

    registrations: Registrations
    models: Mapping[str, FileBundle]

    def unpack(self, folder: Path) -> None:
        self.registrations.apply()
        for name, model in self.models.items():
            (folder / name).mkdir()
            model.unpack(folder / name)
        os.environ[CARRIED] = str(folder)  # for the player processes


@declared
@dataclass(frozen=True, slots=True)
class _Result:
    number: int
    record: PlayedGame


class _Inbox:
    """The tasks that have come so far; more may come later."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def __iter__(self) -> _Inbox:
        return self

    def __next__(self) -> GameTask:
        if not self._channel.poll():
            raise StopIteration
        task = self._channel.recv()
        assert isinstance(task, GameTask)
        return task


def _referee_main(channel: Channel) -> None:
    """The main function of a referee."""
    with as_worker(channel), TemporaryDirectory(prefix="boardzero-") as folder:
        setup = channel.recv()
        assert isinstance(setup, _Setup)
        setup.unpack(Path(folder))
        pool = PlayerPool(_Inbox(channel), 1)
        try:
            while channel.poll(None):
                for task, record in pool.play():
                    channel.send(_Result(task.number, record))
        except RuntimeError as error:
            channel.send(Refusal(str(error)))
        finally:
            pool.close()
