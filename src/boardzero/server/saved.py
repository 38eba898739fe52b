"""Games in progress, in one SQLite file: what is on the screen survives the server."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from boardzero.errors import BoardZeroError

__all__ = ["SavedGames"]


class SavedGames:
    """Texts by id, the newest first. Used by the event loop's thread only."""

    def __init__(self, path: Path) -> None:
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
        self._db.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", (key, data, updated))

    def load(self, key: str) -> str | None:
        row = self._db.execute("SELECT data FROM games WHERE id = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def newest(self, limit: int) -> list[tuple[str, str]]:
        rows = self._db.execute(
            "SELECT id, data FROM games ORDER BY updated DESC LIMIT ?", (limit,)
        )
        return [(str(key), str(data)) for key, data in rows]

    def delete(self, key: str) -> None:
        self._db.execute("DELETE FROM games WHERE id = ?", (key,))

    def close(self) -> None:
        self._db.close()
