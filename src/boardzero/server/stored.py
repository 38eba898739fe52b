"""The games that are kept: finished ones go in, and can be found by a position in them."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as InPath

from boardzero.base.errors import BoardZeroError
from boardzero.games import State, make
from boardzero.server.game_session import GameSession
from boardzero.server.messages import EndingView, Line, LoadedLine, Outgoing
from boardzero.server.parts import part
from boardzero.server.replay import state_of
from boardzero.server.saved import Writer
from boardzero.server.strict_json import StrictRoute
from boardzero.store import PlayedGame, Store, StoredGame

router = APIRouter(prefix="/api/stored", tags=["study"], route_class=StrictRoute)

_FOUND = 50
_INDEXED = 200  # games at a time, so that nobody who stores one waits for long


class FoundGame(Outgoing):
    id: int
    game: str
    seats: list[str]
    ply: int  # at which the position stands
    plies: int
    result: str


class Archive:
    """The store, opened anew for each use, because requests run in many threads.

    Positions of games that others have stored are indexed in the background.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer = Writer()
        self._closing = False
        self._writer.try_to(self._index_all)

    def close(self) -> None:
        self._closing = True
        self._writer.close()

    def open(self) -> Store:
        return Store(self._path)

    def add(self, session: GameSession, ending: EndingView) -> Future[None]:
        """Keep a finished game; done when it is on disk, and before anything is searched."""
        seats = session.game.players
        values = [0.0] * seats
        if ending.winner is not None:
            values = [1.0 if seat == ending.winner else -1.0 for seat in range(seats)]
        moment = datetime.fromtimestamp(session.updated, UTC)
        record = PlayedGame(
            tuple(session.seats),
            tuple(values),
            ending.winner,
            game=session.game.spec,
            reason=ending.reason,
            started=moment,
            finished=moment,
            moves=tuple(str(move) for move in session.state.history),
            start=session.start or "",
        )
        return self._writer.do(lambda: self._add(record))

    def _add(self, record: PlayedGame) -> None:
        with self.open() as store:
            store.add_game(record)

    def search(self, wanted: State) -> list[FoundGame]:
        """The newest games that pass through a position."""
        self._writer.do(self._index).result()  # what is on its way is found too
        with self.open() as store:
            found = store.with_position(wanted.key(), game=wanted.game.spec, limit=_FOUND)
        return [_found(game, ply) for game, ply in found]

    def _index(self) -> int:
        """Make the newest games that are not yet searchable so; how many these were."""
        with self.open() as store:
            games = store.unindexed(_INDEXED)
            store.index({game.id: _keys(game) for game in games})
        return len(games)

    def _index_all(self) -> None:
        if self._index() == _INDEXED and not self._closing:
            self._writer.try_to(self._index_all)

    def line(self, number: int) -> LoadedLine:
        with self.open() as store:
            game = store.game(number)
        return LoadedLine(
            game=game.game, fen=game.start or None, moves=[*game.opening, *game.moves]
        )


TheArchive = Annotated[Archive, part(Archive)]


@router.post("/search")
def search(line: Line, archive: TheArchive) -> list[FoundGame]:
    """Stored games with this position, the newest first."""
    return archive.search(state_of(line))


@router.get("/{number}")
def stored_game(number: Annotated[int, InPath(ge=1, le=2**62)], archive: TheArchive) -> LoadedLine:
    """A stored game as a line to study."""
    return archive.line(number)


def _keys(game: StoredGame) -> list[int]:
    """Of all positions of a game, as far as the rules of today can follow it."""
    keys = []
    with suppress(BoardZeroError):
        state = make(game.game).start(game.start)
        keys.append(state.key())
        for text in (*game.opening, *game.moves):
            state.play(text)
            keys.append(state.key())
    return keys


def _found(game: StoredGame, ply: int) -> FoundGame:
    if game.winner is None:
        result = "½-½"
    else:
        result = "-".join("1" if seat == game.winner else "0" for seat in range(len(game.seats)))
    seats = list(game.seats)
    return FoundGame(
        id=game.id, game=game.game, seats=seats, ply=ply, plies=game.plies, result=result
    )
