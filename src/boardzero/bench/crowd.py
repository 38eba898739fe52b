"""A thousand workers against one owner: how many games a second it takes in, and what limits it.

The workers are coroutines in eight actors of a real cluster. Their nets are fake and their games
ready, so that this machine's cores are left to the owner: the fleet that assigns games and checks
those that come back, the replay that writes them, and the versions that go out to everybody.
"""

from __future__ import annotations

import asyncio
import resource
import statistics
import struct
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from boardzero.bench import Measurement
from boardzero.bench.scale import bench_recipe, write_bench_model
from boardzero.runs.recipe import Recipe
from boardzero.runs.replay import Replay
from boardzero.training.fleet import Players, SelfPlayFleet
from boardzero.training.game_worker import Assignment, FinishedGame, Heartbeat, NewVersion
from boardzero.training.inspection import GameInspector
from boardzero.training.selfplay_worker import selfplay_pool
from boardzero.training.signature import ShowSignature, WorkerSignature, signature_of
from boardzero.workers.launcher import (
    Channel,
    Launcher,
    Resources,
    SharedMessage,
    Worker,
    WorkerMain,
    as_worker,
    join_cluster,
)
from boardzero.workers.messages import message

_WORKERS = 1000
_ACTORS = 8
_SECONDS = 15.0  # of each measurement
_START_SECONDS = 120.0  # in which everybody must have come
_VERSIONS = 5
_SAMPLES = 32  # different games
_PARALLEL = 4  # games of a worker; it holds twice as many


def measure() -> Iterator[Measurement]:
    recipe = bench_recipe(parallel=_PARALLEL)
    records = _games(recipe)
    alone = _alone(recipe, records)
    before = _megabytes()
    with TemporaryDirectory(prefix="boardzero-") as scratch:
        model = Path(scratch) / "model"
        write_bench_model(model)
        flood = _run(recipe, records, model, Path(scratch) / "flood", pause=0.0)
        yield Measurement(
            f"crowd of {_WORKERS}, all that comes", flood.speed, "games/s", "owner alone", alone
        )
        megabytes = _megabytes() - before
        yield Measurement(f"crowd of {_WORKERS}, owner's memory", megabytes, "MB")
        # With half of what it could take in, as a healthy run would.
        pause = _WORKERS / (flood.speed / 2)
        calm = _run(recipe, records, model, Path(scratch) / "calm", pause=pause)
    share = 1 / pause * _WORKERS
    yield Measurement(f"crowd of {_WORKERS}, at half of it", calm.speed, "games/s", "sent", share)
    for name, run in (("flooded", flood), ("calm", calm)):
        latency = statistics.median(run.latencies)
        yield Measurement(f"crowd of {_WORKERS}, a version has reached all, {name}", latency, "s")


@dataclass(frozen=True, slots=True)
class _Figures:
    speed: float  # games per second
    latencies: list[float]  # seconds until a version has reached everybody


def _run(
    recipe: Recipe, records: list[bytes], model: Path, folder: Path, *, pause: float
) -> _Figures:
    with closing(join_cluster(f"local:{_ACTORS}")) as launcher:
        shared = _SharedLauncher(launcher, records, pause)
        fleet = SelfPlayFleet(Players.with_puct(recipe), shared, size=_WORKERS)
        replay = Replay(folder)
        try:
            fleet.start([model], [], version=0)
            owner = _Owner(fleet, replay)
            owner.work(until=lambda: fleet.size == _WORKERS, seconds=_START_SECONDS)
            owner.work(until=lambda: len(shared.arrivals) == _WORKERS, seconds=_START_SECONDS)
            owner.work(seconds=2)
            stored, begun = len(replay), time.monotonic()
            owner.work(seconds=_SECONDS)
            speed = (len(replay) - stored) / (time.monotonic() - begun)
            latencies = []
            for version in range(1, _VERSIONS + 1):
                shared.arrivals.clear()
                begun = time.time()
                fleet.load([model], version=version)
                owner.work(until=lambda: len(shared.arrivals) == _WORKERS, seconds=_START_SECONDS)
                latencies.append(max(shared.arrivals.values()) - begun)
            return _Figures(speed, latencies)
        finally:
            fleet.close()
            replay.close()


@dataclass(slots=True)
class _Owner:
    """What the owner of a run does with its players."""

    _fleet: SelfPlayFleet
    _replay: Replay
    _next: int = 0

    def work(self, *, seconds: float, until: Callable[[], bool] | None = None) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not (until is not None and until()):
            missing = 2 * _PARALLEL * self._fleet.size - self._fleet.unfinished
            if missing > 0:
                self._fleet.assign(range(self._next, self._next + missing))
                self._next += missing
            for record in self._fleet.collect(timeout=0.2):
                self._replay.append(record, 1)
        if until is not None and not until():
            raise TimeoutError("the crowd has not come together in time")


def _alone(recipe: Recipe, records: list[bytes]) -> float:
    """Games per second of checking and storing, without anybody who sends them."""
    inspector = GameInspector(recipe.game, max_steps=recipe.selfplay.max_steps)
    with TemporaryDirectory(prefix="boardzero-") as scratch:
        replay = Replay(Path(scratch))
        begun, count = time.monotonic(), 0
        while time.monotonic() - begun < 3:
            record = _numbered(records[count % len(records)], count)
            inspector.check(record)
            replay.append(record, 1)
            count += 1
        replay.close()
    return count / (time.monotonic() - begun)


def _games(recipe: Recipe) -> list[bytes]:
    """Finished games of a net that knows nothing."""
    from boardzero.models import UniformNet
    from boardzero.training.selfplay_worker import evaluate_once

    pool = selfplay_pool(recipe, [recipe.format.names])
    net = UniformNet(pool.policy_size(0), 2)
    pool.add(list(range(_SAMPLES)))
    found: list[bytes] = []
    while pool.left():
        evaluate_once(pool, [net])
        found += pool.take_finished()
    return found


def _numbered(record: bytes, number: int) -> bytes:
    """The same game with another number, which has its place in the record."""
    return record[:7] + struct.pack("<I", number) + record[11:]


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@dataclass(frozen=True, slots=True)
class _Addressed:
    """To one of the many who share a channel."""

    worker: int
    message: object


@message
@dataclass(frozen=True, slots=True)
class _Said:
    """From one of them; a number is when it got a version."""

    worker: int
    what: FinishedGame | Heartbeat | WorkerSignature | float


# The crowd from the owner's side: many workers in few actors.


class _SharedWorker:
    node_lost = False

    def __init__(self, number: int, actor: Worker) -> None:
        self.number = number
        self._actor = actor
        self.arrived: list[object] = []

    @property
    def node(self) -> str:
        return self._actor.node

    @property
    def ready(self) -> bool:
        return self._actor.ready

    @property
    def alive(self) -> bool:
        return self._actor.alive

    def send(self, message: object) -> None:
        self._actor.send(_Addressed(self.number, message))

    def receive(self) -> list[object]:
        found, self.arrived = self.arrived, []
        return found


class _SharedLauncher:
    """A launcher whose workers share a few real ones."""

    local = False
    default_workers = None
    dashboard = ""

    def __init__(self, launcher: Launcher, records: list[bytes], pause: float) -> None:
        self._launcher = launcher
        args = (launcher.share(records), pause)
        self._actors = [
            launcher.start(many_workers_main, *args, resources=Resources()) for _ in range(_ACTORS)
        ]
        self._workers: list[_SharedWorker] = []
        self.arrivals: dict[int, float] = {}  # when the latest version came to whom

    def start(self, main: WorkerMain, *args: object, resources: Resources) -> Worker:  # noqa: ARG002
        number = len(self._workers)
        self._workers.append(_SharedWorker(number, self._actors[number % _ACTORS]))
        return self._workers[-1]

    def capacity(self, resources: Resources) -> int:  # noqa: ARG002
        return _WORKERS - len(self._workers)

    def request(self, resources: Resources, count: int) -> None: ...

    def wait(self, workers: Sequence[Worker], timeout: float) -> None:  # noqa: ARG002
        self._launcher.wait(self._actors, timeout)
        for actor in self._actors:
            for said in actor.receive():
                assert isinstance(said, _Said)
                if isinstance(said.what, float):
                    self.arrivals[said.worker] = said.what
                else:
                    self._workers[said.worker].arrived.append(said.what)

    def share(self, message: object) -> object:
        return self._launcher.share(message)

    def stop(
        self,
        workers: Sequence[Worker],  # noqa: ARG002
        *,
        grace: float = 2,
        for_good: bool = False,  # noqa: ARG002
    ) -> None:
        self._launcher.stop(self._actors, grace=grace)

    def close(self) -> None: ...


# The crowd itself.


def many_workers_main(channel: Channel, records: object, pause: float) -> None:
    """The main function of an actor: as many workers as are spoken to."""
    with as_worker(channel):
        found = records.load() if isinstance(records, SharedMessage) else records
        assert isinstance(found, list)
        asyncio.run(_ManyWorkers(channel, found, pause).run())


class _ManyWorkers:
    def __init__(self, channel: Channel, records: list[bytes], pause: float) -> None:
        self._channel = channel
        self._records = records
        self._pause = pause
        self._queues: dict[int, asyncio.Queue[object]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        while True:
            self._pass_on(await asyncio.to_thread(self._channel.recv))
            while self._channel.poll():
                self._pass_on(self._channel.recv())

    def _pass_on(self, addressed: object) -> None:
        assert isinstance(addressed, _Addressed)
        if addressed.worker not in self._queues:
            self._queues[addressed.worker] = asyncio.Queue()
            self._tasks.append(asyncio.create_task(self._work(addressed.worker)))
        self._queues[addressed.worker].put_nowait(addressed.message)

    async def _work(self, worker: int) -> None:
        """A worker: takes games and versions, and finishes a game after each pause."""
        queue, numbers = self._queues[worker], deque[int]()
        taken, beat = 0, time.monotonic()
        while True:
            while not numbers or not queue.empty():
                message = await queue.get()
                if isinstance(message, SharedMessage):
                    message = message.load()
                if isinstance(message, Assignment):
                    numbers.extend(message.numbers)
                    taken += len(message.numbers)
                elif isinstance(message, NewVersion):
                    with message.folders() as folders:
                        assert all((folder / "card.json").exists() for folder in folders)
                    self._channel.send(_Said(worker, time.time()))
                elif isinstance(message, ShowSignature):
                    self._channel.send(_Said(worker, signature_of(message.game)))
            await asyncio.sleep(self._pause)
            number = numbers.popleft()
            record = _numbered(self._records[number % len(self._records)], number)
            self._channel.send(_Said(worker, FinishedGame(record, 0)))
            if time.monotonic() - beat >= 1:
                beat = time.monotonic()
                self._channel.send(_Said(worker, Heartbeat(50, 1.0, taken, len(numbers))))
