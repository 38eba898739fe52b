"""Work in other processes: a launcher starts workers, which talk to their owner through channels.

A worker is a main function that is given a channel. The same function works on this machine, as a
process behind a pipe (`local.py`), and on a cluster, as an actor (`ray.py`). It keeps nothing that
matters: a worker may be lost at any moment, and whoever started it starts another.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, runtime_checkable

from boardzero.base.errors import BoardZeroError
from boardzero.base.extras import needs_extra
from boardzero.base.processes import be_polite, end_with_parent
from boardzero.workers.messages import message


class Channel(Protocol):
    """What a main function talks through; the end of a pipe is one.

    Once the owner is gone, all of these raise EOFError or an OSError. What is sent to the owner is
    a message (`messages.py`): from another machine it comes as bytes that are no pickle.
    """

    def poll(self, timeout: float | None = 0.0) -> bool: ...
    def recv(self) -> object: ...
    def send(self, message: object, /) -> None: ...


WorkerMain = Callable[..., None]  # its first argument is a `Channel`


@dataclass(frozen=True, slots=True)
class Resources:
    """What a worker asks of the machine that it is on. This machine gives whatever it has."""

    cpus: float = 1
    gpus: float = 0
    on: str = ""  # "driver": the machine of the owner; else machines with a resource of this name


@runtime_checkable
class SharedMessage(Protocol):
    """A message that lies ready for many workers; it is loaded before a main function gets it."""

    def load(self) -> object: ...


@message
@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a main function ends that would end again in the same way: a sentence for a person."""

    sentence: str


class Worker(Protocol):
    """A main function at work, seen by whoever started it."""

    @property
    def node(self) -> str:
        """The machine."""

    @property
    def ready(self) -> bool:
        """It has a place, so that what it is sent will be done."""

    @property
    def alive(self) -> bool:
        """False once it is gone and all that it sent has been received."""

    @property
    def node_lost(self) -> bool:
        """It is gone because its machine is."""

    def send(self, message: object) -> None:
        """What is sent to a worker that is gone is lost."""

    def receive(self) -> list[object]:
        """What it has sent since, without waiting."""


class Launcher(Protocol):
    """Starts and stops workers."""

    @property
    def local(self) -> bool:
        """Whether all workers are on this machine, and see its files."""

    @property
    def default_workers(self) -> int | None:
        """How many should work unless somebody says; None: as many as there is room for."""

    @property
    def dashboard(self) -> str:
        """The address of a page that shows all workers; empty if there is none."""

    def start(self, main: WorkerMain, *args: object, resources: Resources) -> Worker: ...

    def capacity(self, resources: Resources) -> int:
        """How many more could be started now without getting in each other's way."""

    def request(self, resources: Resources, count: int) -> None:
        """So many will be wanted: a cluster that can grow does."""

    def wait(self, workers: Sequence[Worker], timeout: float) -> None:
        """Until one of them has sent something, or the time is over."""

    def share(self, message: object) -> object:
        """Make a message ready that many will be sent."""

    def stop(self, workers: Sequence[Worker], *, grace: float = 2, for_good: bool = False) -> None:
        """End them, after so many seconds by force; for good: their places stay empty."""

    def close(self) -> None: ...


@contextmanager
def as_worker(channel: Channel) -> Iterator[None]:
    """What any main function does: let others go first, end with the owner, and say why it ends."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    be_polite()
    try:
        yield
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except BoardZeroError as error:
        with suppress(EOFError, OSError):
            channel.send(Refusal(str(error)))


def raise_refusal(message: object) -> None:
    """Raise what a worker said that cannot go on; other messages pass."""
    if isinstance(message, Refusal):
        raise BoardZeroError(message.sentence)


def join_cluster(address: str) -> Launcher:
    """The launcher of a Ray cluster, by its address or "auto"; the only way to it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read when Ray is loaded
    with needs_extra("ray", "a cluster"):
        module = import_module("boardzero.workers.ray")
    launcher: Launcher = module.RayLauncher(address)
    return launcher
