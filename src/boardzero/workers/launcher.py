"""Who does the work, and where: main functions that are given a post and talk through a line.

The same main function works on this machine, where its post is a process and its line a pipe, and
on a cluster (`cluster.py`). It keeps nothing that matters: a post may be lost at any moment, and
whoever hired it fills it again.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import Protocol, runtime_checkable

from boardzero.base.errors import BoardZeroError
from boardzero.base.processes import be_polite, end_with_parent

__all__ = [
    "Employer",
    "Line",
    "LocalStaff",
    "Main",
    "Need",
    "Post",
    "Refusal",
    "Sealed",
    "helping",
    "join_cluster",
    "refuse_if_told",
]


class Line(Protocol):
    """The end of a line that a main function is given; that of a pipe is one.

    Whoever hangs up at the other end makes all of these raise EOFError or an OSError.
    """

    def poll(self, timeout: float | None = 0.0) -> bool: ...
    def recv(self) -> object: ...
    def send(self, message: object, /) -> None: ...


Main = Callable[..., None]  # its first argument is a `Line`


@dataclass(frozen=True, slots=True)
class Need:
    """What a post asks of the machine that it is on. This machine gives whatever it has."""

    cpus: float = 1
    gpus: float = 0
    on: str = ""  # "driver": the machine of whoever hires; else machines with this resource


@runtime_checkable
class Sealed(Protocol):
    """A message that was made ready for many; whoever carries it to a main function opens it."""

    def open(self) -> object: ...


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a main function ends that would end again in the same way: a sentence for a person."""

    sentence: str


class Post(Protocol):
    """Somebody at work, seen by whoever hired it."""

    @property
    def node(self) -> str:
        """The machine."""
        ...

    @property
    def ready(self) -> bool:
        """It has a place, so that what it is sent will be done."""
        ...

    @property
    def alive(self) -> bool:
        """False once it is gone and all that it said has been received."""
        ...

    @property
    def stranded(self) -> bool:
        """It is gone because its machine is."""
        ...

    def send(self, message: object) -> None:
        """Tell it something; what one that is gone is told is lost."""
        ...

    def receive(self) -> list[object]:
        """What it has said since, without waiting."""
        ...


class Employer(Protocol):
    """Fills posts."""

    @property
    def here(self) -> bool:
        """Whether all posts are on this machine, and see its files."""
        ...

    @property
    def size(self) -> int | None:
        """How many should work unless somebody says; None: as many as there is room for."""
        ...

    @property
    def dashboard(self) -> str:
        """The address of a page that shows all posts; empty if there is none."""
        ...

    def hire(self, main: Main, *args: object, need: Need) -> Post: ...

    def room(self, need: Need) -> int:
        """How many more could be hired now without getting in each other's way."""
        ...

    def expect(self, need: Need, count: int) -> None:
        """So many will be wanted: a cluster that can grow does."""
        ...

    def wait(self, posts: Sequence[Post], timeout: float) -> None:
        """Until one of them has something to say, or the time is over."""
        ...

    def seal(self, message: object) -> object:
        """Make a message ready that many will be sent."""
        ...

    def dismiss(
        self, posts: Sequence[Post], *, patience: float = 2, for_good: bool = False
    ) -> None:
        """Let them go; for good: nobody should be hired in their place."""
        ...

    def close(self) -> None: ...


class LocalStaff:
    """Processes on this machine."""

    here = True
    dashboard = ""

    def __init__(self, size: int = 1) -> None:
        self.size: int | None = size
        self._context = multiprocessing.get_context("spawn")

    def hire(self, main: Main, *args: object, need: Need) -> Post:  # noqa: ARG002
        return _LocalPost(self._context, main, args)

    def room(self, need: Need) -> int:  # noqa: ARG002
        return sys.maxsize

    def expect(self, need: Need, count: int) -> None:
        """This machine is as large as it is."""

    def wait(self, posts: Sequence[Post], timeout: float) -> None:
        ends: list[Connection | int] = []
        for post in posts:
            assert isinstance(post, _LocalPost)
            ends += [post.connection, post.process.sentinel]
        wait(ends, timeout)

    def seal(self, message: object) -> object:
        return message

    def dismiss(
        self,
        posts: Sequence[Post],
        *,
        patience: float = 2,
        for_good: bool = False,  # noqa: ARG002
    ) -> None:
        local = [post for post in posts if isinstance(post, _LocalPost)]
        for post in local:
            post.connection.close()
        for post in local:
            post.process.join(timeout=patience)
            if post.process.is_alive():
                post.process.kill()
            post.alive = False

    def close(self) -> None:
        """Nothing is left: every post is dismissed by whoever hired it."""


class _LocalPost:
    node = "here"
    ready = True
    stranded = False

    def __init__(
        self,
        context: multiprocessing.context.SpawnContext,
        main: Main,
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
            gone = not self.process.is_alive()  # first: it may speak until then
            while self.connection.poll():
                found.append(self.connection.recv())
            self.alive = not gone
        except (EOFError, OSError):
            self.alive = False
        return found


@contextmanager
def helping(line: Line) -> Iterator[None]:
    """What any main function does: it is polite, ends with its employer, and says why."""
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
            line.send(Refusal(str(error)))


def refuse_if_told(message: object) -> None:
    """Say what somebody said who cannot go on."""
    if isinstance(message, Refusal):
        raise BoardZeroError(message.sentence)


def join_cluster(address: str) -> Employer:
    """The employer of a Ray cluster, by its address or "auto"; the only way to it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read when Ray is loaded
    try:
        module = import_module("boardzero.workers.ray")
    except ModuleNotFoundError as error:
        raise BoardZeroError(
            f"a cluster needs '{error.name}', which is not installed: pip install 'boardzero[ray]'"
        ) from None
    employer: Employer = module.RayStaff(address)
    return employer
