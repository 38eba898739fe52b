"""Processes of ours end with who started them, let other programs go first, and share cores."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from boardzero.base.locks import try_lock

if TYPE_CHECKING:
    from multiprocessing.context import SpawnContext

_UNGUARDED = 79  # the exit code of a worker that began to start workers itself
_NICENESS = 5  # enough that whatever a person does goes first


def spawn_context() -> SpawnContext:
    """How processes of ours are started. Not by a fork: this one may have threads."""
    from multiprocessing import get_context

    leave_unguarded_script()
    return get_context("spawn")


def leave_unguarded_script() -> None:
    """End a worker whose script, which Python runs once more in it, is about to start workers."""
    from multiprocessing import current_process

    if getattr(current_process(), "_inheriting", False):
        os._exit(_UNGUARDED)


def check_guarded(exit_code: int | None) -> None:
    """Raise if a worker left so."""
    if exit_code == _UNGUARDED:
        from boardzero.base.errors import BoardZeroError  # `doctor` works without the core

        raise BoardZeroError(
            "this script starts work in other processes, and each of them runs the script once "
            'more: put what it does below the line  if __name__ == "__main__":'
        )


def end_with_parent() -> None:
    """End this process at once when the one that started it ends, however that comes about."""
    Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    from multiprocessing import parent_process  # slow to load, and only processes of ours need it

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # nobody would take the result


def be_polite() -> None:
    """Let other programs go first, unless this one is at least as polite already."""
    if hasattr(os, "getpriority") and os.getpriority(os.PRIO_PROCESS, 0) < _NICENESS:
        os.setpriority(os.PRIO_PROCESS, 0, _NICENESS)


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def machine_megabytes() -> int:
    """The memory of this machine, or more than any has where the system does not tell."""
    if not hasattr(os, "sysconf"):
        return 1 << 30
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


@contextmanager
def on_cores(count: int) -> Iterator[None]:
    """Keep this thread, and all threads and processes that it starts, on so many cores."""
    if not hasattr(os, "sched_getaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    with ExitStack() as held:
        os.sched_setaffinity(0, _reserve(sorted(before), count, held))
        try:
            yield
        finally:
            os.sched_setaffinity(0, before)


def _reserve(cores: Sequence[int], count: int, held: ExitStack) -> list[int]:
    """So many of the cores: those that no other run has reserved, then others by lot."""
    own: list[int] = []
    for core in cores:
        if len(own) < count and _lock(core, held):
            own.append(core)
    shared = [core for core in cores if core not in own]
    return own + random.sample(shared, count - len(own))


def _lock(core: int, held: ExitStack) -> bool:
    """Whether the core is free, and then reserved; the system lets go for whoever is killed."""
    path = Path(tempfile.gettempdir()) / f"boardzero-{os.getuid()}-core-{core}"
    try:
        file = held.enter_context(path.open("a"))
        return try_lock(file.fileno())
    except OSError:
        return False
