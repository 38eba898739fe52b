"""Workers on a Ray cluster; the only file that imports Ray.

A worker is an actor: a thread of it runs the main function, and two more carry messages. It is
pinned to a node that has room for it, so that it is known at any time who is where, and who is lost
when a node goes. Ray restarts nothing: whoever started a worker decides what becomes of its work.

What a worker says travels as bytes (`messages.py`), which Ray hands over as they are. What it is
told, by the owner whom it must trust, is pickled.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
import traceback
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import ray
import ray._private.worker
from ray._private.services import canonicalize_bootstrap_address
from ray.autoscaler.sdk import request_resources
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from boardzero import __version__
from boardzero.base.errors import BoardZeroError
from boardzero.workers.launcher import Refusal, Resources, Worker, WorkerMain
from boardzero.workers.messages import Unreadable, decode_all, encode

_MOST_WAITING = 1000  # messages of a worker that its owner has not taken yet; then it must wait
_COLLECT_SECONDS = 5.0  # in which a worker that has nothing to send says so
_GATHER_SECONDS = 0.03  # in which more may follow that then travels along
_NODES_SECONDS = 1.0  # for which the list of nodes is remembered
_CONNECT_SECONDS = 10.0  # in which a cluster must answer
_LAST, _MORE = b"L", b"M"  # what the bytes of an answer begin with
_STORE_BYTES = 200_000_000  # of a cluster of our own, whose messages are small


class _ActorChannel:
    """Both directions of the channel inside an actor."""

    def __init__(self) -> None:
        self._inbox: deque[object] = deque()
        self._outbox: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._over = False

    # For the main function.

    def poll(self, timeout: float | None = 0.0) -> bool:
        if self._inbox or timeout == 0:
            return bool(self._inbox)
        with self._changed:
            return self._changed.wait_for(lambda: bool(self._inbox), timeout)

    def recv(self) -> object:
        self.poll(None)
        return self._inbox.popleft()

    def send(self, message: object) -> None:
        with self._changed:
            self._changed.wait_for(lambda: len(self._outbox) < _MOST_WAITING)
            self._outbox.append(encode(message))
            self._changed.notify_all()

    # For the actor.

    def deliver(self, message: object) -> None:
        with self._changed:
            self._inbox.append(message)
            self._changed.notify_all()

    def take(self, timeout: float) -> bytes:
        """What was sent, behind a letter that says whether that was the last of it."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._outbox) or self._over, timeout)
        if not self._over:
            time.sleep(_GATHER_SECONDS)
        with self._changed:
            found = (_LAST if self._over else _MORE) + b"".join(self._outbox)
            self._outbox.clear()
            self._changed.notify_all()
            return found

    def end(self) -> None:
        with self._changed:
            self._over = True
            self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class _StoredMessage:
    """A message in the object store: each node fetches it once, however many workers it has."""

    ref: ray.ObjectRef[object]

    def load(self) -> object:
        return ray.get(self.ref)


class _Actor:
    """The actor."""

    def __init__(self, version: str, main: WorkerMain, args: tuple[object, ...]) -> None:
        self._channel = _ActorChannel()
        self._greeted = False
        if version != __version__:
            host = socket.gethostname()
            text = f"the node {host} has boardzero {__version__}, and this machine {version}"
            self._channel.send(Refusal(text))
            self._channel.end()
        else:
            threading.Thread(target=self._work, args=(main, args), daemon=True).start()

    @ray.method(concurrency_group="inbox")
    def deliver(self, message: object) -> None:
        self._channel.deliver(message.load() if isinstance(message, _StoredMessage) else message)

    @ray.method(concurrency_group="outbox")
    def collect(self) -> bytes:
        """Wait for something to be sent; the first answer comes at once and says: I am here."""
        timeout = _COLLECT_SECONDS if self._greeted else 0.0
        self._greeted = True
        return self._channel.take(timeout)

    def _work(self, main: WorkerMain, args: tuple[object, ...]) -> None:
        try:
            main(self._channel, *args)
        except BaseException:
            traceback.print_exc()  # into the node's logs
        finally:
            self._channel.end()


@dataclass(frozen=True, slots=True)
class _Node:
    """A machine of the cluster."""

    id: str
    name: str
    resources: dict[str, float]


class _RayWorker:
    """An actor, seen by whoever started it."""

    def __init__(
        self, main: WorkerMain, args: tuple[object, ...], resources: Resources, node: _Node
    ) -> None:
        self.resources = resources
        self.place = node.id
        self.node = node.name
        self.ready = False
        self.node_lost = False
        self._over = False
        self._arrived: list[object] = []
        label = {resources.on: 0.001} if resources.on not in ("", "driver") else {}
        # One thread for each direction: what is sent arrives in this order.
        groups = {"inbox": 1, "outbox": 1}
        actor = ray.remote(concurrency_groups=groups)(_Actor)  # type: ignore[call-overload]
        self._actor = actor.options(
            num_cpus=resources.cpus,
            num_gpus=resources.gpus,
            resources=label,
            max_restarts=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False),
        ).remote(__version__, main, args)
        self.pending = self._actor.collect.remote()

    @property
    def alive(self) -> bool:
        return not self._over or bool(self._arrived)

    @property
    def running(self) -> bool:
        """It may still send something."""
        return not self._over

    def send(self, message: object) -> None:
        if not self._over:
            self._actor.deliver.options(num_returns=0).remote(message)

    def receive(self) -> list[object]:
        found, self._arrived = self._arrived, []
        return found

    def fetch(self) -> None:
        """Take what has arrived, and ask for more."""
        try:
            answer = ray.get(self.pending)
        except RayError:
            self._over = True
            return
        self.ready = True
        self._read(answer)
        if not self._over:
            self.pending = self._actor.collect.remote()

    def _read(self, answer: object) -> None:
        if isinstance(answer, bytes) and answer[:1] in (_LAST, _MORE):
            self._over = answer[:1] == _LAST
            self._arrived += decode_all(answer[1:])
        else:
            self._arrived.append(Unreadable("something else than messages"))

    def kill(self) -> None:
        self._over = True
        with suppress(RayError):
            ray.kill(self._actor)


class RayLauncher:
    """Actors on all nodes of a cluster; nodes may come and go."""

    local = False
    default_workers = None

    def __init__(self, address: str) -> None:
        """An address HOST:PORT, "auto", or "local:CPUS" for a cluster of this machine alone."""
        self._ours = not ray.is_initialized()
        self.dashboard = _connect(address) if self._ours else ""
        self._home = ray.get_runtime_context().get_node_id()
        self._workers: list[_RayWorker] = []
        self._retired: list[_RayWorker] = []  # stopped for good: their places stay empty
        self._requested: list[dict[str, float]] = []
        self._nodes: list[_Node] = []
        self._looked = 0.0

    def start(self, main: WorkerMain, *args: object, resources: Resources) -> Worker:
        """On the node with most room. If none has any, on one that is then a little crowded."""
        nodes = self._suitable(resources)
        if not nodes:
            wanted = (
                f"with the resource '{resources.on}'"
                if resources.on != "driver"
                else "on this machine"
            )
            raise BoardZeroError(f"the cluster has no node {wanted}")
        node = max(nodes, key=lambda node: (self._fits(node, resources), self._free(node, "CPU")))
        if self._fits(node, resources) < 1:
            if resources.gpus:
                raise BoardZeroError(f"no node of the cluster has {resources.gpus:g} GPUs free")
            resources = Resources(cpus=0, on=resources.on)
        worker = _RayWorker(main, args, resources, node)
        self._workers.append(worker)
        return worker

    def capacity(self, resources: Resources) -> int:
        return sum(self._fits(node, resources) for node in self._suitable(resources))

    def request(self, resources: Resources, count: int) -> None:
        bundle = {"CPU": resources.cpus} | ({"GPU": resources.gpus} if resources.gpus else {})
        self._requested += [bundle] * count
        request_resources(bundles=self._requested)

    def wait(self, workers: Sequence[Worker], timeout: float) -> None:
        waiting = {
            worker.pending: worker
            for worker in workers
            if isinstance(worker, _RayWorker) and worker.running
        }
        if not waiting:
            return
        refs = list(waiting)
        found, _ = ray.wait(refs, num_returns=1, timeout=timeout)
        if found and len(refs) > 1:
            found, _ = ray.wait(refs, num_returns=len(refs), timeout=0)
        for ref in found:
            waiting[ref].fetch()
            if not waiting[ref].running:
                self._note_lost_node(waiting[ref])

    def share(self, message: object) -> object:
        return _StoredMessage(ray.put(message))

    def stop(
        self,
        workers: Sequence[Worker],
        *,
        grace: float = 2,  # noqa: ARG002
        for_good: bool = False,
    ) -> None:
        for worker in workers:
            if isinstance(worker, _RayWorker) and worker in self._workers:
                worker.kill()
                self._workers.remove(worker)
                if for_good:
                    self._retired.append(worker)

    def close(self) -> None:
        self.stop(list(self._workers))
        if self._requested:
            request_resources(bundles=[])
        if self._ours:
            ray.shutdown()

    def _note_lost_node(self, lost: _RayWorker) -> None:
        """Whether somebody's node is gone as well."""
        self._looked = 0.0
        lost.node_lost = lost.place not in {node.id for node in self._alive()}

    def _alive(self) -> list[_Node]:
        if time.monotonic() - self._looked > _NODES_SECONDS:
            self._looked = time.monotonic()
            self._nodes = [
                _Node(
                    node["NodeID"],
                    f"{node['NodeManagerHostname']}/{node['NodeID'][:6]}",
                    node["Resources"],
                )
                for node in ray.nodes()  # type: ignore[no-untyped-call]
                if node["Alive"]
            ]
        return self._nodes

    def _suitable(self, resources: Resources) -> list[_Node]:
        if resources.on == "driver":
            return [node for node in self._alive() if node.id == self._home]
        return [
            node for node in self._alive() if not resources.on or resources.on in node.resources
        ]

    def _fits(self, node: _Node, resources: Resources) -> int:
        """How many more such workers a node takes; one of those that ask for nothing."""
        counts = []
        if resources.cpus:
            counts.append(self._free(node, "CPU") / resources.cpus)
        if resources.gpus:
            counts.append(self._free(node, "GPU") / resources.gpus)
        if not counts:
            counts.append(1 - sum(worker.place == node.id for worker in self._taken))
        return max(0, int(min(counts) + 1e-6))

    def _free(self, node: _Node, resource: str) -> float:
        held_here = [worker.resources for worker in self._taken if worker.place == node.id]
        held = sum(one.cpus if resource == "CPU" else one.gpus for one in held_here)
        return node.resources.get(resource, 0.0) - held

    @property
    def _taken(self) -> list[_RayWorker]:
        return self._workers + self._retired


def _connect(address: str) -> str:
    """Join a cluster, or begin one; where its dashboard is."""
    place, _, cpus = address.partition(":")
    if place == "ray":
        raise BoardZeroError(
            "give the address of the cluster as HOST:PORT, on a machine that belongs to it"
        )
    # Ray prints what its nodes say to where this program prints, whatever it is told: between
    # lines of JSON, and over the screen. Who comes and goes is told by events.
    ray._private.worker.print_to_stdstream = _to_log
    try:
        if place == "local" and (not cpus or cpus.isdecimal()):
            context = ray.init(
                "local",
                num_cpus=int(cpus) if cpus else None,
                include_dashboard=False,
                object_store_memory=_STORE_BYTES,
                _node_ip_address="127.0.0.1",
                logging_level=logging.ERROR,
                log_to_driver=False,
            )
        else:
            _check_reachable(address)
            context = ray.init(address, logging_level=logging.ERROR, log_to_driver=False)
    except (OSError, RuntimeError, ValueError, AssertionError, RayError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise BoardZeroError(
            f"no Ray cluster answers at '{address}' ({reason}); `ray start --head` begins one"
        ) from None
    url = context.dashboard_url
    return f"http://{url}" if url else ""


def _to_log(data: Mapping[str, object], ignore_prefix: bool) -> None:  # noqa: ARG001
    logging.getLogger(__name__).info("%s", data.get("lines"))


def _check_reachable(address: str) -> None:
    """Raise at once if nobody is there: Ray itself would try for minutes."""
    host, _, port = (canonicalize_bootstrap_address(address) or "").rpartition(":")
    if not port.isdecimal():
        raise ValueError("none was found")
    socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS).close()
