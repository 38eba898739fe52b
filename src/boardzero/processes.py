"""Manners of processes: they end with who started them, let others go first, and share cores."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

__all__ = ["be_polite", "end_with_parent", "on_cores"]

_NICENESS = 5  # enough that whatever a person does goes first


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
    if os.getpriority(os.PRIO_PROCESS, 0) < _NICENESS:
        os.setpriority(os.PRIO_PROCESS, 0, _NICENESS)


@contextmanager
def on_cores(count: int) -> Iterator[None]:
    """Keep this thread, and all threads and processes that it starts, on so many cores."""
    if not hasattr(os, "sched_getaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, random.sample(sorted(before), count))  # not always the same ones
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
