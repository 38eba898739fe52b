"""A launcher whose workers do nothing but say what a test lets them say."""

import struct
from collections.abc import Sequence
from functools import cache

from boardzero.runs.events import Event, MessageRefused, of_type
from boardzero.training.game_worker import Assignment
from boardzero.training.signature import ShowSignature, signature_of
from boardzero.workers.launcher import Resources, Worker, WorkerMain
from tests.search.stored import self_play
from tests.training.tiny import tiny


@cache
def games() -> list[bytes]:
    return self_play(tiny().game, 12, simulations=4)


def game(number: int, source: list[bytes] | None = None) -> bytes:
    """A good game with this number."""
    record = (source or games())[number % 12]
    return record[:7] + struct.pack("<I", number) + record[11:]


class ScriptedWorker:
    node = "there"

    def __init__(self) -> None:
        self.ready = True
        self.alive = True
        self.node_lost = False
        self.heard: list[object] = []
        self.shows: list[object] = []  # its signature, before all else
        self.says: list[object] = []

    def send(self, message: object) -> None:
        if isinstance(message, ShowSignature):
            self.shows = [signature_of(message.game)]
        else:
            self.heard.append(message)

    def receive(self) -> list[object]:
        found, self.shows, self.says = [*self.shows, *self.says], [], []
        return found

    @property
    def numbers(self) -> list[int]:
        return [n for m in self.heard if isinstance(m, Assignment) for n in m.numbers]


class ScriptedLauncher:
    local = False
    default_workers = None
    dashboard = ""

    def __init__(self, places: int) -> None:
        self.places = places
        self.workers: list[ScriptedWorker] = []
        self.retired = 0

    def start(self, main: WorkerMain, *args: object, resources: Resources) -> Worker:  # noqa: ARG002
        self.workers.append(ScriptedWorker())
        return self.workers[-1]

    def capacity(self, resources: Resources) -> int:  # noqa: ARG002
        return self.places - self.retired - sum(worker.alive for worker in self.workers)

    def request(self, resources: Resources, count: int) -> None: ...

    def wait(self, workers: Sequence[Worker], timeout: float) -> None: ...

    def share(self, message: object) -> object:
        return message

    def stop(
        self,
        workers: Sequence[Worker],
        *,
        grace: float = 2,  # noqa: ARG002
        for_good: bool = False,
    ) -> None:
        for worker in workers:
            assert isinstance(worker, ScriptedWorker)
            worker.alive = False
            self.retired += for_good

    def close(self) -> None: ...


class Heard(list[Event]):
    def __call__(self, event: Event) -> None:
        self.append(event)

    def reasons(self) -> list[str]:
        return [event.reason for event in of_type(self, MessageRefused)]
