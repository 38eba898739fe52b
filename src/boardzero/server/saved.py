"""Games in progress, in one SQLite file: what is on the screen survives the server.

One thread writes. A disk that takes a second to sync must not keep a hundred games waiting, so
saving returns at once; whatever is read later sees it.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import ParamSpec

from boardzero.base.errors import BoardZeroError

P = ParamSpec("P")


class Writer:
    """One thread that does one thing after the other, and complains in the log."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="writer")

    def later(self, work: Callable[P, None], *args: P.args, **named: P.kwargs) -> None:
        self.thread.submit(work, *args, **named).add_done_callback(_complain)

    def close(self) -> None:
        """When all is written."""
        self.thread.shutdown(wait=True)


class SavedGames:
    """Texts by id, the newest first."""

    def __init__(self, path: Path) -> None:
        self._writer = Writer()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")  # a power cut may cost the last move
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS games"
                " (id TEXT PRIMARY KEY, data TEXT NOT NULL, updated REAL NOT NULL) STRICT"
            )
        except (OSError, sqlite3.DatabaseError) as error:
            raise BoardZeroError(f"cannot use the database {path}: {error}") from error

    def save(self, key: str, data: str, updated: float) -> None:
        self._writer.later(self._save, key, data, updated)

    def load(self, key: str) -> str | None:
        return self._writer.thread.submit(self._load, key).result()

    def newest(self, limit: int) -> list[tuple[str, str]]:
        return self._writer.thread.submit(self._newest, limit).result()

    def close(self) -> None:
        self._writer.close()
        self._db.close()

    # In the writer's thread

    def _save(self, key: str, data: str, updated: float) -> None:
        self._db.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", (key, data, updated))

    def _load(self, key: str) -> str | None:
        row = self._db.execute("SELECT data FROM games WHERE id = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def _newest(self, limit: int) -> list[tuple[str, str]]:
        rows = self._db.execute(
            "SELECT id, data FROM games ORDER BY updated DESC LIMIT ?", (limit,)
        )
        return [(str(key), str(data)) for key, data in rows]


def _complain(work: Future[None]) -> None:
    if work.exception() is not None:
        logging.getLogger(__name__).error("a game could not be kept: %s", work.exception())
