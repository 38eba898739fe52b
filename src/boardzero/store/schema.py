"""Which database file is ours, and how an old one is brought up to date.

A file that is not ours is recognised from its first hundred bytes, without opening it as a
database: SQLite leaves side files even where it only reads. So nothing refused is touched.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path

from boardzero.base.errors import BoardZeroError

APPLICATION_ID = 0x426F5A30  # "BoZ0"
BUSY_SECONDS = 60.0  # how long a writer waits for its turn

# From the SQLite file format: where the header keeps PRAGMA user_version and application_id.
_MAGIC, _HEADER_SIZE, _VERSION_AT, _APPLICATION_AT = b"SQLite format 3\0", 100, 60, 68


@cache
def scripts() -> tuple[str, ...]:
    """The migrations in order; a database of version n has seen the first n."""
    folder = files(__package__) / "migrations"
    numbered = sorted((f.name, f) for f in folder.iterdir() if f.name.endswith(".sql"))
    return tuple(file.read_text(encoding="utf-8") for _, file in numbered)


def refuse_unless_ours(path: Path) -> None:
    """Raise unless `path` is missing, empty, or a BoardZero database that this version knows."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_SIZE)
    except FileNotFoundError:
        return
    except OSError as error:
        raise BoardZeroError(f"cannot read the database {path}: {error.strerror}") from error
    if not header:  # as left behind by a process killed while it created the database
        return
    if len(header) < _HEADER_SIZE or not header.startswith(_MAGIC):
        raise BoardZeroError(f"{path} is not a database")
    if int.from_bytes(header[_APPLICATION_AT : _APPLICATION_AT + 4]) != APPLICATION_ID:
        raise BoardZeroError(f"{path} is a database of another program, not of BoardZero")
    _refuse_if_newer(path, int.from_bytes(header[_VERSION_AT : _VERSION_AT + 4]))


def migrate(db: sqlite3.Connection, path: Path) -> None:
    """Run what is missing in one transaction: killed at any moment, it is all done or not begun."""
    if _version(db) != len(scripts()):
        with transaction(db):
            version = _version(db)  # again: another process may have been faster
            _refuse_if_newer(path, version)
            for script in scripts()[version:]:
                for statement in _statements(script):
                    db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {len(scripts())}")
    # Last, so that the first transaction is in the file itself, where refuse_unless_ours looks.
    _use_write_ahead_log(db)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """A write transaction that takes its lock at the start, so that it cannot fail half-way."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # a full disk makes SQLite roll back by itself
            db.execute("ROLLBACK")
        raise


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _refuse_if_newer(path: Path, version: int) -> None:
    if version > len(scripts()):
        raise BoardZeroError(
            f"{path} was written by a newer BoardZero (format {version}, this one knows up to "
            f"{len(scripts())}): update BoardZero to use it"
        )


def _use_write_ahead_log(db: sqlite3.Connection) -> None:
    # The change of mode needs the file for itself and does not wait for it as a writer does.
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not is_busy or time.monotonic() > give_up:  # a full disk will not pass by itself
                raise
            time.sleep(0.01)


def _statements(script: str) -> Iterator[str]:
    """Cut a script at its semicolons: sqlite3's own executescript would commit before it starts."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement
