"""A Ray cluster of several nodes on this machine, and hands to break it with."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

# Before Ray is loaded: it tells nobody that it runs, and all of it stays on the loopback.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"

import ray
from ray.cluster_utils import Cluster

from boardzero.runs.recipe import Recipe
from boardzero.training.game_worker import FinishedGame
from boardzero.training.selfplay_worker import selfplay_main
from boardzero.training.signature import ShowSignature, signature_of
from boardzero.workers.launcher import Channel, Resources, Worker, WorkerMain, as_worker
from boardzero.workers.ray import RayLauncher

__all__ = ["Machines", "SpyLauncher", "babble", "machines"]

_STORE = 80_000_000  # the least that Ray takes


class Machines:
    """A head and two nodes: four places, one of them for the trainer and one for the gate."""

    def __init__(self) -> None:
        common = {"object_store_memory": _STORE, "node_ip_address": "127.0.0.1"}
        self._common = common
        self._cluster = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 2, "include_dashboard": False, **common},
        )
        self._nodes = [self.add(), self.add()]

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def add(self) -> object:
        return self._cluster.add_node(num_cpus=1, **self._common)

    def remove(self) -> None:
        """One of the nodes, with all that is on it, as if its power were cut."""
        self._cluster.remove_node(self._nodes.pop(), allow_graceful=False)

    def close(self) -> None:
        self._cluster.shutdown()


def _begin() -> Machines:
    try:
        return Machines()
    except Exception as error:  # Ray gives a node thirty seconds, which a busy machine may exceed
        if "timed out during startup" not in str(error):
            raise
        return Machines()


@contextmanager
def machines() -> Iterator[Machines]:
    cluster = _begin()
    try:
        yield cluster
    finally:
        if ray.is_initialized():
            ray.shutdown()
        cluster.close()


class SpyLauncher(RayLauncher):
    """Knows who was started for what, and can kill any of them. Some of them babble."""

    latest: "SpyLauncher"
    babblers = 0

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.started: list[tuple[str, Worker]] = []
        SpyLauncher.latest = self

    def start(self, main: WorkerMain, *args: object, resources: Resources) -> Worker:
        if main is selfplay_main and self.babblers:
            SpyLauncher.babblers -= 1
            worker = super().start(babble, *args, resources=resources)
        else:
            worker = super().start(main, *args, resources=resources)
        self.started.append((main.__name__, worker))
        return worker

    def kill(self, main: str, which: int = -1) -> None:
        """With the signal that nobody can catch."""
        worker = [worker for name, worker in self.started if name == main][which]
        actor = worker._actor  # type: ignore[attr-defined]
        os.kill(ray.get(actor.__ray_call__.remote(_pid)), signal.SIGKILL)


def _pid(_: object) -> int:
    return os.getpid()


def babble(channel: Channel, recipe: Recipe) -> None:  # noqa: ARG001
    """Instead of a worker: takes games, and sends garbage."""
    with as_worker(channel):
        while True:
            asked = channel.recv()
            if isinstance(asked, ShowSignature):  # it seems to be sound
                channel.send(signature_of(asked.game))
            for garbage in (b"", b"garbage", bytes(range(200))):
                channel.send(FinishedGame(garbage, 0))
            channel.send("hello")
