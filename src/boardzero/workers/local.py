"""Workers on this machine: a process each, and a pipe to talk through."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from boardzero.base.processes import check_guarded, spawn_context
from boardzero.workers.launcher import Resources, Worker, WorkerMain


class LocalLauncher:
    """Starts processes on this machine."""

    local = True
    dashboard = ""

    def __init__(self, default_workers: int = 1) -> None:
        self.default_workers: int | None = default_workers
        self._context = spawn_context()

    def start(self, main: WorkerMain, *args: object, resources: Resources) -> Worker:  # noqa: ARG002
        return _LocalWorker(self._context, main, args)

    def capacity(self, resources: Resources) -> int:  # noqa: ARG002
        return sys.maxsize

    def request(self, resources: Resources, count: int) -> None:
        """This machine is as large as it is."""

    def wait(self, workers: Sequence[Worker], timeout: float) -> None:
        ends: list[Connection | int] = []
        for worker in workers:
            assert isinstance(worker, _LocalWorker)
            ends += [worker.connection, worker.process.sentinel]
        wait(ends, timeout)

    def share(self, message: object) -> object:
        return message

    def stop(
        self,
        workers: Sequence[Worker],
        *,
        grace: float = 2,
        for_good: bool = False,  # noqa: ARG002
    ) -> None:
        own = [worker for worker in workers if isinstance(worker, _LocalWorker)]
        for worker in own:
            worker.connection.close()
        for worker in own:
            worker.process.join(timeout=grace)
            if worker.process.is_alive():
                worker.process.kill()
            worker.alive = False

    def close(self) -> None:
        """Nothing is left: every worker is stopped by whoever started it."""


class _LocalWorker:
    node = "here"
    ready = True
    node_lost = False

    def __init__(
        self,
        context: multiprocessing.context.SpawnContext,
        main: WorkerMain,
        args: tuple[object, ...],
    ) -> None:
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=main, args=(theirs, *args), daemon=True)
        self.process.start()
        theirs.close()  # so that the pipe ends with the process
        self.alive = True

    def send(self, message: object) -> None:
        with suppress(OSError):  # it is gone, as the next look will tell
            self.connection.send(message)

    def receive(self) -> list[object]:
        found: list[object] = []
        try:
            gone = not self.process.is_alive()  # first: it may send until then
            while self.connection.poll():
                found.append(self.connection.recv())
            self.alive = not gone
        except (EOFError, OSError):
            self.alive = False
        if not self.alive:
            check_guarded(self.process.exitcode)
        return found
