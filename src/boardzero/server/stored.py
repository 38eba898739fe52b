"""The games that are kept: finished ones go in, are listed, and are found by a position in them."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi import Path as InPath

from boardzero.base.errors import BoardZeroError
from boardzero.games import GameTree, State, make, write_tree
from boardzero.games.notation.files import file_extension
from boardzero.server.catalog import open_game
from boardzero.server.game_session import GameSession
from boardzero.server.messages import EndingView, Line, Outgoing
from boardzero.server.parts import part
from boardzero.server.replay import state_of
from boardzero.server.saved import Writer
from boardzero.server.strict_json import StrictRoute
from boardzero.server.trees import TreeData, WrittenTree, tree_data
from boardzero.store import PlayedGame, Store, StoredGame

router = APIRouter(prefix="/api/stored", tags=["study"], route_class=StrictRoute)

_FOUND = 50
_EXPLORED = 2000  # games that an explorer counts
_INDEXED = 200  # games at a time, so that nobody who stores one waits for long


class FoundGame(Outgoing):
    id: int
    game: str
    seats: list[str]
    ply: int  # at which the position stands
    plies: int
    result: str


class ListedGame(Outgoing):
    id: int
    game: str
    seats: list[str]
    plies: int
    result: str
    reason: str
    date: str


class DeletedGame(Outgoing):
    id: int


class ExploredMove(Outgoing):
    """What was played in a position, how often, and what came of it."""

    move: str
    games: int
    wins: list[int]  # by seat
    draws: int


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

    def tree(self, number: int) -> GameTree:
        """A stored game, with its names, its date and how it ended."""
        with self.open() as store:
            game = store.game(number)
        rules = open_game(game.game)
        tags = {seat.capitalize(): who for seat, who in zip(rules.seats, game.seats, strict=True)}
        tags["Date"] = f"{game.started:%Y.%m.%d}"
        start = rules.parse_fen(game.start) if game.start else None
        tree = GameTree(rules, start=start, tags=tags, result=_result(game).replace("½", "1/2"))
        end = tree.add_line([*game.opening, *game.moves])
        end.comment = game.reason
        return tree

    def listed(
        self, *, game: str | None, player: str | None, before: int | None, limit: int
    ) -> list[ListedGame]:
        self._writer.do(lambda: None).result()  # what is on its way is listed too
        with self.open() as store:
            found = store.games(
                game=game, player=player, before=before, newest_first=True, limit=limit
            )
            return [
                ListedGame(
                    id=one.id,
                    game=one.game,
                    seats=list(one.seats),
                    plies=one.plies,
                    result=_result(one),
                    reason=one.reason,
                    date=one.finished.isoformat(),
                )
                for one in found
            ]

    def delete(self, number: int) -> None:
        with self.open() as store:
            store.delete_game(number)

    def explore(self, wanted: State) -> list[ExploredMove]:
        """What was played in a position, the most frequent first."""
        self._writer.do(self._index).result()
        with self.open() as store:
            found = store.with_position(wanted.key(), game=wanted.game.spec, limit=_EXPLORED)
        moves: dict[str, ExploredMove] = {}
        for game, ply in found:
            played = (*game.opening, *game.moves)
            if ply >= len(played):
                continue
            known = moves.get(played[ply]) or ExploredMove(
                move=played[ply], games=0, wins=[0] * len(game.seats), draws=0
            )
            wins = [n + (seat == game.winner) for seat, n in enumerate(known.wins)]
            draws = known.draws + (game.winner is None)
            moves[played[ply]] = known.model_copy(
                update={"games": known.games + 1, "wins": wins, "draws": draws}
            )
        return sorted(moves.values(), key=lambda move: -move.games)


Number = Annotated[int, InPath(ge=1, le=2**62)]
TheArchive = Annotated[Archive, part(Archive)]


@router.post("/search")
def search(line: Line, archive: TheArchive) -> list[FoundGame]:
    """Stored games with this position, the newest first."""
    return archive.search(state_of(line))


@router.post("/explore")
def explore(line: Line, archive: TheArchive) -> list[ExploredMove]:
    """The moves that stored games made in this position, and how these ended."""
    return archive.explore(state_of(line))


@router.get("")
def listed(
    archive: TheArchive,
    game: Annotated[str | None, Query(max_length=200)] = None,
    player: Annotated[str | None, Query(max_length=200)] = None,
    before: Annotated[int | None, Query(ge=1, le=2**62)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> list[ListedGame]:
    """Stored games, the newest first; `before` goes on where an earlier page ended."""
    spec = open_game(game).spec if game else None
    return archive.listed(game=spec, player=player or None, before=before, limit=limit)


@router.get("/{number}")
def stored_game(number: Number, archive: TheArchive) -> TreeData:
    """A stored game to study."""
    return tree_data(archive.tree(number))


@router.get("/{number}/text")
def export(number: Number, archive: TheArchive) -> WrittenTree:
    """A stored game in the format that others read."""
    tree = archive.tree(number)
    return WrittenTree(text=write_tree(tree), extension=file_extension(tree.game))


@router.delete("/{number}")
def delete(number: Number, archive: TheArchive) -> DeletedGame:
    """Forget a stored game; those of matches and tournaments stay, because ratings count them."""
    archive.delete(number)
    return DeletedGame(id=number)


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
    return FoundGame(
        id=game.id,
        game=game.game,
        seats=list(game.seats),
        ply=ply,
        plies=game.plies,
        result=_result(game),
    )


def _result(game: StoredGame) -> str:
    if game.winner is None:
        return "½-½"
    return "-".join("1" if seat == game.winner else "0" for seat in range(len(game.seats)))
