"""Competitions of the arena, played beside everything else that the server does.

They run one after the other in a thread of their own, which only waits: the games are played in
processes that give way to players that somebody waits for.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

from boardzero.arena import Competition
from boardzero.base.errors import BoardZeroError

Stop = Callable[[], bool]

_NICENESS = 10


class Contests:
    """Those that are running or waiting, by name."""

    def __init__(self, *, workers: int) -> None:
        self._workers = workers
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="contests")
        self._open: dict[Hashable, Event] = {}
        self._trouble: dict[Hashable, str] = {}

    def start(self, name: Hashable, work: Callable[[Stop], None]) -> None:
        """Do the work when it is its turn; it ends soon after `Stop` says so."""
        self._trouble.pop(name, None)
        stop = self._open[name] = Event()
        self._thread.submit(self._run, name, work, stop)

    def play(self, competition: Competition, stop: Stop) -> None:
        """For the work itself: play what is missing."""
        games = competition.play(workers=self._workers, niceness=_NICENESS, stop=stop)
        with closing(games):
            deque(games, maxlen=0)

    def stop(self, name: Hashable) -> None:
        stop = self._open.pop(name, None)
        if stop is not None:
            stop.set()

    def is_open(self, name: Hashable) -> bool:
        return name in self._open

    @property
    def count(self) -> int:
        return len(self._open)

    def trouble(self, name: Hashable) -> str | None:
        """Why a contest ended that should not have."""
        return self._trouble.get(name)

    def close(self) -> None:
        for name in list(self._open):
            self.stop(name)
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _run(self, name: Hashable, work: Callable[[Stop], None], stop: Event) -> None:
        try:
            if not stop.is_set():
                work(stop.is_set)
        except BoardZeroError as error:
            self._trouble[name] = str(error)
        except Exception:
            logging.getLogger(__name__).exception("the contest %s failed", name)
            self._trouble[name] = "a game could not be played; the server's log says why"
        finally:
            if self._open.get(name) is stop:
                del self._open[name]
