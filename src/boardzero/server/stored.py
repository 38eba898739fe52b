"""The games that are kept: finished ones go in, and can be found by a position in them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi import Path as InPath
from fastapi.requests import HTTPConnection

from boardzero.errors import BoardZeroError
from boardzero.games import State
from boardzero.server.catalog import open_game
from boardzero.server.messages import EndingView, Line, Outgoing
from boardzero.server.replay import state_of
from boardzero.server.saved import Writer
from boardzero.server.table import Table
from boardzero.store import GameRecord, Store, StoredGame

__all__ = ["Archive", "router"]

router = APIRouter(prefix="/api/stored", tags=["study"])

_SEARCHED = 3000  # newest games looked through
_FOUND = 50


class FoundGame(Outgoing):
    id: int
    game: str
    seats: list[str]
    ply: int  # at which the position stands
    plies: int
    result: str


class StoredLine(Outgoing):
    game: str
    fen: str | None
    moves: list[str]


class Archive:
    """The store, opened anew for each use, because requests run in many threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer = Writer()

    def close(self) -> None:
        self._writer.close()

    def open(self) -> Store:
        return Store(self._path)

    def add(self, table: Table, ending: EndingView) -> None:
        """Keep a finished game of a table; written soon, and before anything is searched."""
        seats = table.game.players
        values = [0.0] * seats
        if ending.winner is not None:
            values = [1.0 if seat == ending.winner else -1.0 for seat in range(seats)]
        moment = datetime.fromtimestamp(table.updated, UTC)
        record = GameRecord(
            tuple(table.seats),
            tuple(values),
            ending.winner,
            game=table.game.spec,
            reason=ending.reason,
            started=moment,
            finished=moment,
            moves=tuple(str(move) for move in table.state.history),
            start=table.start or "",
        )
        self._writer.later(self._writer.thread.submit(self._add, record))

    def _add(self, record: GameRecord) -> None:
        with self.open() as store:
            store.add_game(record)

    def search(self, wanted: State) -> list[FoundGame]:
        """The newest games that pass through a position."""
        self._writer.thread.submit(int).result()  # what is on its way is found too
        found: list[FoundGame] = []
        with self.open() as store:
            games = store.games(game=wanted.game.spec, newest_first=True, limit=_SEARCHED)
            for game in games:
                ply = _ply_of(wanted, game)
                if ply is not None:
                    found.append(_found(game, ply))
                    if len(found) == _FOUND:
                        break
        return found

    def line(self, number: int) -> StoredLine:
        with self.open() as store:
            game = store.game(number)
        return StoredLine(
            game=game.game, fen=game.start or None, moves=[*game.opening, *game.moves]
        )


def archive(connection: HTTPConnection) -> Archive:
    found = connection.app.state.archive
    assert isinstance(found, Archive)
    return found


TheArchive = Annotated[Archive, Depends(archive)]


@router.post("/search")
def search(line: Line, archive: TheArchive) -> list[FoundGame]:
    """Stored games with this position, the newest first."""
    return archive.search(state_of(line))


@router.get("/{number}")
def stored_game(number: Annotated[int, InPath(ge=1, le=2**62)], archive: TheArchive) -> StoredLine:
    """A stored game as a line to study."""
    return archive.line(number)


def _ply_of(wanted: State, game: StoredGame) -> int | None:
    """The first ply at which a game has the position."""
    rules = open_game(game.game)
    state = rules.parse_fen(game.start) if game.start else rules.start()
    try:
        for ply, text in enumerate((*game.opening, *game.moves, None)):
            if state == wanted:
                return ply
            if text is not None:
                state.play(text)
    except BoardZeroError:  # written by another version of the rules
        return None
    return None


def _found(game: StoredGame, ply: int) -> FoundGame:
    if game.winner is None:
        result = "½-½"
    else:
        result = "-".join("1" if seat == game.winner else "0" for seat in range(len(game.seats)))
    return FoundGame(
        id=game.id,
        game=game.game,
        seats=list(game.seats),
        ply=ply,
        plies=game.plies,
        result=result,
    )
