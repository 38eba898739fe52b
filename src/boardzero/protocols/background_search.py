"""A search in the background, so that an engine can listen meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock, Thread

from boardzero.base.errors import BoardZeroError
from boardzero.games import State
from boardzero.players import Choice, Limit, Player

FOREVER = 1e6  # seconds: a search that only its user ends

_PATIENCE = 10.0  # seconds for a player to end its search
_REPEAT = 0.002  # seconds between requests to stop, because one that comes too early is lost


class BackgroundSearch:
    """One `choose` of a player, in a thread of its own.

    `on_done` is called in that thread with the choice, or with what went wrong. A search ends at
    the latest after `seconds`, however little the player cares for its limit. The next search of
    the same player may begin when this one is over.
    """

    def __init__(
        self,
        player: Player,
        state: State,
        limit: Limit,
        *,
        on_done: Callable[[Choice | Exception], None],
        seconds: float | None = None,
    ) -> None:
        self._player = player
        self._on_done = on_done
        self._seconds = _sane(seconds)
        self._hurry = Event()  # look at `_seconds` again, or end
        self._over = Event()
        self._lock = Lock()  # held while the player is told to stop
        self._has_chosen = False
        self._is_ending = False
        self._is_heard = True
        Thread(target=self._think, args=(state, limit), daemon=True).start()
        Thread(target=self._watch, daemon=True).start()

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    @property
    def is_ending(self) -> bool:
        """Whether it will be over at once: somebody asked for it, or the choice is there."""
        return self._is_ending or self._has_chosen

    def stop(self) -> None:
        """Ask for the best move so far; returns at once."""
        self._is_ending = True
        self._tell_player()  # and the watcher repeats it
        self._hurry.set()

    def stop_after(self, seconds: float) -> None:
        """End that many seconds from now."""
        self._seconds = _sane(seconds)
        self._hurry.set()

    def cancel(self) -> None:
        """Stop, and tell nobody."""
        self._is_heard = False
        self.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is over; False if it took longer."""
        return self._over.wait(seconds)

    def _think(self, state: State, limit: Limit) -> None:
        result: Choice | Exception
        try:
            result = self._player.choose(state, limit)
        except Exception as error:
            result = error
        with self._lock:  # no request to stop may reach the player's next search
            self._has_chosen = True
        try:
            if self._is_heard:
                self._on_done(result)
        finally:
            self._over.set()
            self._hurry.set()

    def _watch(self) -> None:
        while self._hurry.wait(self._seconds):  # else the time is up
            self._hurry.clear()
            if self._is_ending or self.is_over:
                break
        while not self._over.wait(_REPEAT) and not self._has_chosen:
            self._tell_player()

    def _tell_player(self) -> None:
        with self._lock:
            if not self._has_chosen:
                self._player.stop()


class Thinker:
    """What engines share that listen while they think: one search at a time."""

    _search: BackgroundSearch | None = None

    def wait(self) -> None:
        """Until the engine has done what it was asked for."""
        if self._search is not None:
            self._search.wait()

    def _cancel(self) -> None:
        """End the search, unheard."""
        if self._search is not None:
            self._search.cancel()
            self._await_end(self._search)

    def _await_end(self, search: BackgroundSearch) -> None:
        if not search.wait(_PATIENCE):
            raise BoardZeroError("the player does not end its search")


def printable(error: Exception | str) -> str:
    """What is wrong, as one line of a protocol can say it."""
    text = repr(error) if not isinstance(error, BoardZeroError | str) else str(error)
    return "".join(c if c.isprintable() else "?" for c in text)


def _sane(seconds: float | None) -> float | None:
    """A time that the system's clock can count."""
    return None if seconds is None else min(max(0.0, seconds), FOREVER)


def without_handover(seconds: float) -> float:
    """What remains of a time for thinking when some is kept for handing the move over."""
    return max(0.0, seconds - min(0.05, 0.2 * seconds))
