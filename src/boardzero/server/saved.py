"""Games in progress and studies, in one SQLite file: what is on the screen survives the server.

One thread writes. A disk that takes a second to sync must not keep a hundred games waiting, so what
has come together meanwhile is written at once; who saves is told when it is on disk.
"""

from __future__ import annotations

import logging
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from boardzero.base.errors import BoardZeroError

T = TypeVar("T")


class Writer:
    """One thread that does one thing after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")

    def do(self, work: Callable[[], T]) -> Future[T]:
        """When it is its turn; whoever asked hears what comes of it."""
        return self._thread.submit(work)

    def try_to(self, work: Callable[[], None]) -> None:
        """The same for what nobody waits for: a failure is noted in the log."""
        self._thread.submit(work).add_done_callback(_complain)

    def close(self) -> None:
        """When all is written."""
        self._thread.shutdown(wait=True)


@dataclass(frozen=True, slots=True)
class _Wish:
    key: str
    data: str
    updated: float
    done: Future[None] = field(default_factory=Future)


class SavedGames:
    """Texts by id, the newest first."""

    _table = "games"

    def __init__(self, path: Path) -> None:
        self._writer = Writer()
        self._wishes: deque[_Wish] = deque()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute(
                f"CREATE TABLE IF NOT EXISTS {self._table}"
                " (id TEXT PRIMARY KEY, data TEXT NOT NULL, updated REAL NOT NULL) STRICT"
            )
            found = str(self._db.execute("PRAGMA quick_check(1)").fetchone()[0])
        except (OSError, sqlite3.DatabaseError) as error:
            raise BoardZeroError(f"cannot use the database {path}: {error}") from error
        if found != "ok":
            raise BoardZeroError(f"{path} is damaged, move it away to begin anew: {found}")

    def save(self, key: str, data: str, updated: float) -> Future[None]:
        """Done when the game is on disk; a failure is a `BoardZeroError`."""
        wish = _Wish(key, data, updated)
        self._wishes.append(wish)
        self._writer.try_to(self._save_all)
        return wish.done

    def load(self, key: str) -> str | None:
        return self._writer.do(lambda: self._load(key)).result()

    def newest(self, limit: int) -> list[tuple[str, str]]:
        return self._writer.do(lambda: self._newest(limit)).result()

    def delete(self, key: str) -> None:
        self._writer.do(lambda: self._delete(key)).result()

    def close(self) -> None:
        self._writer.close()
        self._db.close()

    # In the writer's thread

    def _save_all(self) -> None:
        """All that waits, in one transaction: a disk syncs once, however many wait for it."""
        wishes = []
        while self._wishes:
            wishes.append(self._wishes.popleft())
        if not wishes:
            return
        rows = [(wish.key, wish.data, wish.updated) for wish in wishes]
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany(f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?)", rows)
        except (OSError, sqlite3.Error) as error:
            failure = BoardZeroError(f"the game cannot be kept: {error}")
            for wish in wishes:
                wish.done.set_exception(failure)
        else:
            for wish in wishes:
                wish.done.set_result(None)

    def _load(self, key: str) -> str | None:
        row = self._db.execute(f"SELECT data FROM {self._table} WHERE id = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def _delete(self, key: str) -> None:
        self._db.execute(f"DELETE FROM {self._table} WHERE id = ?", (key,))

    def _newest(self, limit: int) -> list[tuple[str, str]]:
        rows = self._db.execute(
            f"SELECT id, data FROM {self._table} ORDER BY updated DESC LIMIT ?", (limit,)
        )
        return [(str(key), str(data)) for key, data in rows]


class SavedStudies(SavedGames):
    """Game trees that somebody works on."""

    _table = "studies"


def _complain(work: Future[None]) -> None:
    if work.exception() is not None:
        logging.getLogger(__name__).error("a game could not be kept: %s", work.exception())
