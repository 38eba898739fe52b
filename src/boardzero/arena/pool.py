"""Games on all cores: one process for each, one game at a time in it.

A player that hangs is killed together with its worker when its time is up, and loses. A worker that
dies in the middle of a game may have been killed by its player or by somebody else, so the game is
played once more: if a worker dies of it again, the player then at work loses, and else the game
counts as if nothing had happened.
"""

from __future__ import annotations

import signal
import sys
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from multiprocessing import resource_tracker
from multiprocessing.connection import wait

from boardzero.arena.worker import (
    NO_SEAT,
    GameFailure,
    GameTask,
    Registrations,
    WorkerStatus,
    run_worker,
)
from boardzero.base.errors import BoardZeroError
from boardzero.base.processes import check_guarded, spawn_context
from boardzero.store import PlayedGame

_LOOK_SECONDS = 0.1  # how often to look whether somebody is late
_LIVES = 3  # workers in a row that may die without a player at work

Finished = tuple[GameTask, PlayedGame]


def play_all(
    tasks: Iterable[GameTask],
    *,
    workers: int,
    niceness: int = 0,
    stop: Callable[[], bool] = lambda: False,
) -> Generator[Finished]:
    """Play tasks of one game, and yield each as it finishes; close the iterator to stop early.

    `stop` is asked several times a second, for those who must not wait for the next game to finish.
    """
    pool = PlayerPool(tasks, workers, niceness, stop)
    try:
        yield from pool.play()
    finally:
        pool.close()


class _Worker:
    """A process, as the pool sees it."""

    def __init__(self, registrations: Registrations, niceness: int) -> None:
        context = spawn_context()
        self.status = WorkerStatus()
        self.task: GameTask | None = None
        self._since = datetime.now(UTC)
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=run_worker,
            args=(theirs, self.status, registrations, niceness),
            name="boardzero-player",
            daemon=True,
        )
        # Ctrl-C is for this process to answer; a blocked signal stays so in the new one. Python's
        # own helper, which starts with the first process, would unblock it.
        if sys.platform == "win32":
            self._process.start()
        else:
            resource_tracker.ensure_running()
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                self._process.start()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()  # so that the pipe ends with the worker

    @property
    def sentinel(self) -> int:
        """Becomes ready when the process ends."""
        return self._process.sentinel

    def give(self, task: GameTask) -> None:
        self.task, self._since = task, datetime.now(UTC)
        with suppress(ConnectionError):  # it is dead, as the next look will tell
            self.pipe.send(task)

    def take(self) -> PlayedGame | GameFailure | None:
        """What the worker has sent; None if that is nothing."""
        try:
            return self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, ConnectionError):
            return None

    def at_fault(self) -> int:
        """The seat whose player was at work in the task, or nobody."""
        begun = self.task is not None and self.status.number == self.task.number
        return self.status.seat if begun else NO_SEAT

    def forfeited(self, task: GameTask, seat: int, reason: str) -> Finished:
        sheet = task.sheet()
        sheet.started = self._since
        sheet.moves = self.status.moves
        return task, sheet.forfeited(seat, reason)

    def kill(self) -> int:
        """End the process, if it has not ended; its exit code."""
        self._process.kill()
        self._process.join()
        code = self._process.exitcode or 0
        self._process.close()
        self.pipe.close()
        return code


class PlayerPool:
    """The processes, and which game each is at."""

    def __init__(
        self,
        tasks: Iterable[GameTask],
        workers: int,
        niceness: int = 0,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self._tasks = iter(tasks)
        self._niceness = niceness
        self._stop = stop
        self._again: deque[GameTask] = deque()
        self._size = workers
        self._workers: list[_Worker] = []
        self._deaths: Counter[int] = Counter()  # by the number of the game
        self._accidents = 0  # in a row

    def play(self) -> Iterator[Finished]:
        """Until no task is left; it may be called again when there are more."""
        while not self._stop():
            self._hand_out()
            busy = [worker for worker in self._workers if worker.task is not None]
            if not busy:
                return
            ends = [end for worker in busy for end in (worker.pipe, worker.sentinel)]
            ready = wait(ends, _LOOK_SECONDS)
            for worker in busy:
                if worker.pipe in ready or worker.sentinel in ready:
                    finished = self._collect(worker)
                elif worker.status.overdue:
                    finished = self._late(worker)
                else:
                    continue
                if finished is not None:
                    self._hand_out()  # the worker need not wait for what is done with the game
                    yield finished

    def close(self) -> None:
        for worker in self._workers:
            worker.kill()
        self._workers.clear()

    def _hand_out(self) -> None:
        idle = [worker for worker in self._workers if worker.task is None]
        while idle or len(self._workers) < self._size:
            task = self._again.popleft() if self._again else next(self._tasks, None)
            if task is None:
                return
            if not idle:
                idle.append(self._start(task))
            idle.pop().give(task)

    def _start(self, task: GameTask) -> _Worker:
        self._workers.append(_Worker(Registrations.of(task.game), self._niceness))
        return self._workers[-1]

    def _kill(self, worker: _Worker) -> str:
        """How it ended."""
        self._workers.remove(worker)
        code = worker.kill()
        check_guarded(code)
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def _collect(self, worker: _Worker) -> Finished | None:
        """The game of a worker that has sent something or died."""
        assert worker.task is not None
        answer = worker.take()
        if answer is None:
            return self._died(worker, worker.task)
        if isinstance(answer, GameFailure):
            if answer.trace:
                raise RuntimeError(f"a game could not be played:\n{answer.trace}")
            raise BoardZeroError(answer.sentence)
        task, worker.task = worker.task, None
        self._accidents = 0
        return task, answer

    def _died(self, worker: _Worker, task: GameTask) -> Finished | None:
        how = self._kill(worker)
        seat = worker.at_fault()
        if seat == NO_SEAT:
            self._accidents += 1
            if self._accidents > _LIVES:
                raise BoardZeroError(f"the processes that play the games die at once ({how})")
        else:
            self._deaths[task.number] += 1
            if self._deaths[task.number] > 1:
                return worker.forfeited(task, seat, f"died: {how}")
        self._again.append(task)
        return None

    def _late(self, worker: _Worker) -> Finished | None:
        assert worker.task is not None
        self._kill(worker)
        seat = worker.at_fault()
        if seat != NO_SEAT:
            return worker.forfeited(worker.task, seat, "late: no move in time")
        self._again.append(worker.task)  # what hung was the end of the game before
        return None
