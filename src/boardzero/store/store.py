"""The database of games, matches and ratings.

A finished game is one transaction: once `add_game` returns, the game survives the death of the
process and of the machine. Any number of processes may write at once; each opens its own `Store`
and uses it in the thread that opened it.
"""

from __future__ import annotations

import json
import sqlite3
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Self

from boardzero.base.data_home import default_store
from boardzero.base.errors import BoardZeroError
from boardzero.store.records import (
    KINDS,
    MatchKind,
    MatchRecord,
    PlayedGame,
    Rating,
    StoredGame,
)
from boardzero.store.schema import BUSY_SECONDS, migrate, refuse_unless_ours, transaction

_PAGE = 500  # games loaded at a time; no read stays open while the caller thinks

_GAME_COLUMNS = (
    "g.id, g.match, g.number, g.game, g.start, g.opening, g.moves, g.winner, g.reason, g.seed, "
    "g.started, g.finished, p.spec, s.value, s.seconds, s.turns"
)
_PLAIN = ("id", "match", "number", "game", "winner", "start", "reason")  # as they are
_MATCH_COLUMNS = "id, kind, game, settings, created, planned"


class DamagedGameWarning(UserWarning):
    """A row of the database that holds no game."""


class Store:
    """An open database; use it in a `with` statement.

    Raises `BoardZeroError` for a file that is not a BoardZero database or is newer than this
    program, and leaves that file as it was. A missing file is created.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self.path = Path(path) if path is not None else default_store()
        refuse_unless_ours(self.path)
        with self._one_sentence():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            self._db.row_factory = sqlite3.Row
        try:
            with self._one_sentence():
                self._db.execute("PRAGMA foreign_keys = ON")
                self._db.execute("PRAGMA synchronous = FULL")
                migrate(self._db, self.path)
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    # Games

    def add_game(
        self, record: PlayedGame, *, match: int | None = None, number: int | None = None
    ) -> int | None:
        """Keep a finished game and return its id.

        Returns None, and keeps the earlier game, if this number of the match is already there:
        of two processes that play the same number only one counts.
        """
        if (match is None) != (number is None):
            raise BoardZeroError("a game of a match needs both the match and its number there")
        with self._one_sentence(), transaction(self._db):
            if match is not None:
                self._match(match)
            row = self._db.execute(
                "INSERT INTO games (match, number, game, start, opening, moves, plies, winner,"
                " reason, seed, started, finished) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (match, number) DO NOTHING RETURNING id",
                (
                    match,
                    number,
                    record.game,
                    record.start,
                    json.dumps(record.opening),
                    json.dumps(record.moves),
                    record.plies,
                    record.winner,
                    record.reason,
                    None if record.seed is None else str(record.seed),
                    _to_text(record.started),
                    _to_text(record.finished),
                ),
            ).fetchone()
            if row is None:
                return None
            game = int(row[0])
            seats = zip(record.seats, record.values, record.seconds, record.turns, strict=True)
            self._db.executemany(
                "INSERT INTO seats (game, seat, player, value, seconds, turns)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (game, seat, self._player(spec), value, seconds, turns)
                    for seat, (spec, value, seconds, turns) in enumerate(seats)
                ],
            )
            return game

    def delete_game(self, game_id: int) -> None:
        """Forget a game that belongs to no match."""
        if self.game(game_id).match is not None:
            raise BoardZeroError(f"game {game_id} belongs to a match, whose ratings count it")
        with self._one_sentence(), transaction(self._db):
            self._db.execute("DELETE FROM games WHERE id = ?", (game_id,))

    def game(self, game_id: int) -> StoredGame:
        """One game by its id."""
        for game in self._load([game_id], order="ASC"):
            return game
        raise BoardZeroError(f"there is no game {game_id} in {self.path}")

    def games(
        self,
        *,
        player: str | None = None,
        game: str | None = None,
        match: int | None = None,
        before: int | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> Iterator[StoredGame]:
        """The games that fit every given condition, in the order in which they were stored.

        `before` leaves out those from this id on.
        """
        where, values = _conditions(player=player, game=game, match=match)
        if before is not None:
            where, values = f"{where} AND g.id < ?", [*values, before]
        order = "DESC" if newest_first else "ASC"
        with self._one_sentence():
            rows = self._db.execute(
                f"SELECT g.id FROM games g WHERE {where} ORDER BY g.id {order} LIMIT ?",
                [*values, -1 if limit is None else limit],
            ).fetchall()
        for start in range(0, len(rows), _PAGE):
            yield from self._load([row["id"] for row in rows[start : start + _PAGE]], order=order)

    def count(
        self, *, player: str | None = None, game: str | None = None, match: int | None = None
    ) -> int:
        """How many games there are of a player, a game or a match."""
        where, values = _conditions(player=player, game=game, match=match)
        with self._one_sentence():
            row = self._db.execute(f"SELECT count(*) FROM games g WHERE {where}", values).fetchone()
        return int(row[0])

    def players(self) -> tuple[str, ...]:
        """Everyone who ever sat in a stored game or has a rating."""
        with self._one_sentence():
            rows = self._db.execute("SELECT spec FROM players ORDER BY spec").fetchall()
        return tuple(spec for (spec,) in rows)

    # Positions

    def unindexed(self, limit: int) -> list[StoredGame]:
        """Games, the newest first, whose positions cannot be searched yet."""
        with self._one_sentence():
            rows = self._db.execute(
                "SELECT id FROM games WHERE indexed = 0 ORDER BY id DESC LIMIT ?", (limit,)
            ).fetchall()
        return self._load([row["id"] for row in rows], order="DESC")

    def index(self, positions: Mapping[int, Sequence[int]]) -> None:
        """For each game, by its id, the keys of its positions from the first on."""
        with self._one_sentence(), transaction(self._db):
            for game, keys in positions.items():
                self._db.executemany(
                    "INSERT INTO positions (key, game, ply) VALUES (?, ?, ?)"
                    " ON CONFLICT DO NOTHING",  # a position that comes again
                    [(_signed(key), game, ply) for ply, key in enumerate(keys)],
                )
                self._db.execute("UPDATE games SET indexed = 1 WHERE id = ?", (game,))

    def with_position(self, key: int, *, game: str, limit: int) -> list[tuple[StoredGame, int]]:
        """The newest indexed games that have this position, and at which ply."""
        with self._one_sentence():
            rows = self._db.execute(
                "SELECT p.game, p.ply FROM positions p JOIN games g ON g.id = p.game"
                " WHERE p.key = ? AND g.game = ? ORDER BY p.game DESC LIMIT ?",
                (_signed(key), game, limit),
            ).fetchall()
        plies = {row["game"]: int(row["ply"]) for row in rows}
        return [(found, plies[found.id]) for found in self._load(list(plies), order="DESC")]

    # Matches

    def start_match(self, kind: MatchKind, *, game: str, settings: str = "{}") -> MatchRecord:
        """A new match; `settings` is a JSON text that holds all that its games depend on."""
        text = _check_match(kind, settings)
        with self._one_sentence(), transaction(self._db):
            return self._insert_match(kind, game, text)

    def resume_match(self, kind: MatchKind, *, game: str, settings: str = "{}") -> MatchRecord:
        """The newest match with these very settings, or a new one."""
        text = _check_match(kind, settings)
        with self._one_sentence(), transaction(self._db):
            row = self._db.execute(
                f"SELECT {_MATCH_COLUMNS} FROM matches"
                " WHERE kind = ? AND game = ? AND settings = ? ORDER BY id DESC LIMIT 1",
                (kind, game, text),
            ).fetchone()
            return _match(row) if row else self._insert_match(kind, game, text)

    def match(self, match_id: int) -> MatchRecord:
        """One match by its id."""
        with self._one_sentence():
            return self._match(match_id)

    def matches(
        self, *, kind: MatchKind | None = None, game: str | None = None
    ) -> list[MatchRecord]:
        """Matches of a kind or a game, the oldest first."""
        with self._one_sentence():
            rows = self._db.execute(
                f"SELECT {_MATCH_COLUMNS} FROM matches"
                " WHERE kind = coalesce(?, kind) AND game = coalesce(?, game) ORDER BY id",
                (kind, game),
            ).fetchall()
        return [_match(row) for row in rows]

    def plan_match(self, match: int, games: int) -> MatchRecord:
        """Note how many games a match is to have, so that others can tell how far it is."""
        with self._one_sentence(), transaction(self._db):
            self._db.execute("UPDATE matches SET planned = ? WHERE id = ?", (games, match))
            return self._match(match)

    def done(self, match: int) -> frozenset[int]:
        """The numbers of this match's games that need not be played again."""
        with self._one_sentence():
            self._match(match)
            rows = self._db.execute("SELECT number FROM games WHERE match = ?", (match,)).fetchall()
        return frozenset(number for (number,) in rows)

    # Ratings

    def save_ratings(self, ratings: Iterable[Rating], *, game: str, method: str) -> None:
        """Replace the rating list of this game and method."""
        with self._one_sentence(), transaction(self._db):
            self._db.execute("DELETE FROM ratings WHERE game = ? AND method = ?", (game, method))
            self._db.executemany(
                "INSERT INTO ratings (game, method, player, value, low, high, games)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (game, method, self._player(r.player), r.value, r.low, r.high, r.games)
                    for r in ratings
                ],
            )

    def ratings(self, *, game: str, method: str) -> list[Rating]:
        """The last rating list, strongest first."""
        with self._one_sentence():
            rows = self._db.execute(
                "SELECT p.spec, r.value, r.low, r.high, r.games FROM ratings r"
                " JOIN players p ON p.id = r.player WHERE r.game = ? AND r.method = ?"
                " ORDER BY r.value DESC, p.spec",
                (game, method),
            ).fetchall()
        return [Rating(*row) for row in rows]

    # Care

    def problems(self) -> list[str]:
        """What SQLite finds wrong in the file; empty when all is well."""
        with self._one_sentence():
            found = [str(row[0]) for row in self._db.execute("PRAGMA integrity_check")]
            loose = self._db.execute("PRAGMA foreign_key_check").fetchall()
        return [text for text in found if text != "ok"] + [
            f"row {row} of {table} points to a missing row of {parent}"
            for table, row, parent, _ in loose
        ]

    @contextmanager
    def _one_sentence(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
            raise  # a mistake of ours, not of the file
        except (sqlite3.DatabaseError, OSError) as error:
            raise BoardZeroError(f"cannot use the database {self.path}: {error}") from error

    def _load(self, ids: list[int], *, order: str) -> list[StoredGame]:
        with self._one_sentence():
            rows = self._db.execute(
                f"SELECT {_GAME_COLUMNS} FROM games g JOIN seats s ON s.game = g.id"
                " JOIN players p ON p.id = s.player WHERE g.id IN (SELECT value FROM json_each(?))"
                f" ORDER BY g.id {order}, s.seat",
                (json.dumps(ids),),
            ).fetchall()
        found = []
        for number, seats in groupby(rows, key=itemgetter("id")):
            try:
                found.append(_game(list(seats)))
            except (ValueError, TypeError) as error:
                text = f"game {number} in {self.path} is damaged and left out: {error}"
                warnings.warn(text, DamagedGameWarning, stacklevel=2)
        return found

    def _player(self, spec: str) -> int:
        """The player's row, made if need be; call inside a transaction."""
        self._db.execute("INSERT INTO players (spec) VALUES (?) ON CONFLICT DO NOTHING", (spec,))
        return int(self._db.execute("SELECT id FROM players WHERE spec = ?", (spec,)).fetchone()[0])

    def _match(self, match_id: int) -> MatchRecord:
        row = self._db.execute(
            f"SELECT {_MATCH_COLUMNS} FROM matches WHERE id = ?", (match_id,)
        ).fetchone()
        if row is None:
            raise BoardZeroError(f"there is no match {match_id} in {self.path}")
        return _match(row)

    def _insert_match(self, kind: MatchKind, game: str, settings: str) -> MatchRecord:
        record = MatchRecord(0, kind, game, settings, datetime.now(UTC))
        cursor = self._db.execute(
            "INSERT INTO matches (kind, game, settings, created) VALUES (?, ?, ?, ?)",
            (kind, game, settings, _to_text(record.created)),
        )
        assert cursor.lastrowid is not None
        return replace(record, id=cursor.lastrowid)


def _conditions(
    *, player: str | None, game: str | None, match: int | None
) -> tuple[str, list[object]]:
    """SQL over `games g`, and its values."""
    conditions = {
        "g.id IN (SELECT s.game FROM seats s JOIN players p ON p.id = s.player"
        " WHERE p.spec = ?)": player,
        "g.game = ?": game,
        "g.match = ?": match,
    }
    wanted = {sql: value for sql, value in conditions.items() if value is not None}
    return " AND ".join(["TRUE", *wanted]), list(wanted.values())


def _check_match(kind: str, settings: str) -> str:
    """The settings as canonical JSON: equal settings become equal text."""
    if kind not in KINDS:
        raise BoardZeroError(f"'{kind}' is no kind of match; there are {', '.join(KINDS)}")
    try:
        return json.dumps(json.loads(settings), sort_keys=True, separators=(",", ":"))
    except json.JSONDecodeError as error:
        raise BoardZeroError(f"the settings of a match are not JSON: {error}") from error


def _match(row: sqlite3.Row) -> MatchRecord:
    return MatchRecord(**{**row, "created": datetime.fromisoformat(row["created"])})


def _game(seats: list[sqlite3.Row]) -> StoredGame:
    """One game from its rows, one per seat in order."""
    row = seats[0]
    return StoredGame(
        **{name: row[name] for name in _PLAIN},
        seats=tuple(seat["spec"] for seat in seats),
        values=tuple(seat["value"] for seat in seats),
        seconds=tuple(seat["seconds"] for seat in seats),
        turns=tuple(seat["turns"] for seat in seats),
        opening=tuple(json.loads(row["opening"])),
        moves=tuple(json.loads(row["moves"])),
        seed=None if row["seed"] is None else int(row["seed"]),
        started=datetime.fromisoformat(row["started"]),
        finished=datetime.fromisoformat(row["finished"]),
    )


def _signed(key: int) -> int:
    """64 bits as SQLite keeps them."""
    return key - 2**64 if key >= 2**63 else key


def _to_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
