"""Small tournaments, played in the pool when nobody needs it for something more urgent.

Every game goes into the store as it ends, so that a tournament survives the server: what was
played stays, and can be looked at.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import combinations, permutations
from random import Random
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, HTTPException
from fastapi import Path as InPath
from fastapi.requests import HTTPConnection
from pydantic import Field

from boardzero.arena import Score, fit_elo, multiplayer_ratings
from boardzero.errors import BoardZeroError
from boardzero.games import Game, State
from boardzero.players import Limit
from boardzero.server.catalog import check_player, open_game
from boardzero.server.engines import EnginePool, Order, Urgency
from boardzero.server.messages import Incoming, Outgoing, SpecText
from boardzero.server.stored import Archive
from boardzero.store import GameRecord, StoredGame

__all__ = ["Arena", "router"]

router = APIRouter(prefix="/api/tournaments", tags=["arena"])

_OPENING = 4  # random moves at the start, so that players without chance do not repeat themselves
_LONGEST = 400  # plies, after which a game is drawn
_AT_ONCE = 2  # games of one tournament
_RUNNING = 4  # tournaments


class NewTournament(Incoming):
    game: SpecText
    players: Annotated[list[SpecText], Field(min_length=2, max_length=8)]
    games: int = Field(ge=1, le=50)  # for each pairing and each arrangement of seats


class CrossCell(Outgoing):
    row: int
    column: int
    wins: int
    draws: int
    losses: int


class RatingView(Outgoing):
    player: str
    value: float
    low: float | None  # None where the interval has no end
    high: float | None
    games: int


class ArenaGame(Outgoing):
    id: int
    seats: list[str]
    winner: int | None
    reason: str
    plies: int


class TournamentView(Outgoing):
    id: int
    game: str
    players: list[str]
    total: int
    done: int
    state: Literal["running", "finished", "stopped"]
    created: str
    scale: Literal["elo", "openskill"]
    cross: list[CrossCell]
    ratings: list[RatingView]
    games: list[ArenaGame]


class TournamentSummary(Outgoing):
    id: int
    game: str
    players: list[str]
    total: int
    done: int
    state: Literal["running", "finished", "stopped"]
    created: str


class Arena:
    """The tournaments that are running; the others are in the store."""

    def __init__(self, archive: Archive, pool: EnginePool) -> None:
        self._archive = archive
        self._pool = pool
        self._running: dict[int, asyncio.Task[None]] = {}

    async def start(self, wish: NewTournament) -> TournamentView:
        game = open_game(wish.game)
        players = [check_player(spec, game) for spec in wish.players]
        if len(set(players)) != len(players):
            raise BoardZeroError("every player may take part only once")
        if len(players) < game.players:
            raise BoardZeroError(f"{game.name} needs {game.players} players")
        if len(self._running) >= _RUNNING:
            raise BoardZeroError(f"{_RUNNING} tournaments are running already; wait for one to end")
        schedule = _schedule(players, game.players, wish.games)
        settings = {"players": players, "total": len(schedule), "web": secrets.token_hex(4)}
        with self._archive.open() as store:
            match = store.start_match("tournament", game=game.spec, settings=json.dumps(settings))
        work = asyncio.get_running_loop().create_task(self._play(match.id, game, schedule))
        self._running[match.id] = work
        work.add_done_callback(lambda _: self._running.pop(match.id, None))
        return self.view(match.id)

    def stop(self, number: int) -> None:
        task = self._running.pop(number, None)
        if task is not None:
            task.cancel()

    def close(self) -> None:
        for number in list(self._running):
            self.stop(number)

    def view(self, number: int) -> TournamentView:
        with self._archive.open() as store:
            match = store.match(number)
            games = list(store.games(match=number))
        settings = json.loads(match.settings)
        players = list(settings.get("players", []))
        two = all(len(game.seats) == 2 for game in games)
        return TournamentView(
            id=number,
            game=match.game,
            players=players,
            total=int(settings.get("total", len(games))),
            done=len(games),
            state=self._state(number, len(games), int(settings.get("total", 0))),
            created=match.created.isoformat(),
            scale="elo" if two else "openskill",
            cross=_cross(players, games),
            ratings=_ratings(games, two),
            games=[
                ArenaGame(
                    id=game.id,
                    seats=list(game.seats),
                    winner=game.winner,
                    reason=game.reason,
                    plies=game.plies,
                )
                for game in games
            ],
        )

    def newest(self) -> list[TournamentSummary]:
        found = []
        with self._archive.open() as store:
            for match in reversed(store.matches(kind="tournament")):
                settings = json.loads(match.settings)
                if "web" not in settings:
                    continue
                done = store.count(match=match.id)
                found.append(
                    TournamentSummary(
                        id=match.id,
                        game=match.game,
                        players=settings["players"],
                        total=settings["total"],
                        done=done,
                        state=self._state(match.id, done, settings["total"]),
                        created=match.created.isoformat(),
                    )
                )
        return found[:20]

    def _state(
        self, number: int, done: int, total: int
    ) -> Literal["running", "finished", "stopped"]:
        if number in self._running:
            return "running"
        return "finished" if done >= total else "stopped"

    async def _play(self, number: int, game: Game, schedule: list[tuple[str, ...]]) -> None:
        gate = asyncio.Semaphore(_AT_ONCE)

        async def one(index: int, seats: tuple[str, ...]) -> None:
            async with gate:
                # The same opening for the same players, whoever begins.
                seed = f"{number} {sorted(seats)} {index // game.players}"
                record = await self._game(game, seats, seed)
                await asyncio.to_thread(self._keep, record, number, index)

        async with asyncio.TaskGroup() as group:
            for index, seats in enumerate(schedule):
                group.create_task(one(index, seats))

    def _keep(self, record: GameRecord, match: int, number: int) -> None:
        with self._archive.open() as store:
            store.add_game(record, match=match, number=number)

    async def _game(self, game: Game, seats: tuple[str, ...], seed: str) -> GameRecord:
        started = datetime.now(UTC)
        state, opening = _opening(game, seed)
        seconds, turns = [0.0] * game.players, [0] * game.players
        owner = secrets.token_hex(8)
        while state.outcome() is None and len(state.history) < _LONGEST:
            seat = state.to_move
            order = Order(state, seats[seat], Limit(), (owner, seat), Urgency.TOURNAMENT)
            choice = await self._pool.choose(order)
            state.play(choice.move)
            seconds[seat] += choice.time
            turns[seat] += 1
        outcome = state.outcome()
        moves = tuple(str(move) for move in state.history)
        return GameRecord(
            seats,
            tuple(outcome.values) if outcome else (0.0,) * game.players,
            outcome.winner if outcome else None,
            tuple(seconds),
            tuple(turns),
            game=game.spec,
            reason=outcome.reason if outcome else "move limit",
            started=started,
            finished=datetime.now(UTC),
            opening=moves[: len(opening)],
            moves=moves[len(opening) :],
        )


def arena(connection: HTTPConnection) -> Arena:
    found = connection.app.state.arena
    assert isinstance(found, Arena)
    return found


TheArena = Annotated[Arena, Depends(arena)]
Number = Annotated[int, InPath(ge=1, le=2**62)]


@router.post("", status_code=201)
async def start(wish: NewTournament, arena: TheArena) -> TournamentView:
    """Every player meets every other, in every seat."""
    return await arena.start(wish)


@router.get("")
def tournaments(arena: TheArena) -> list[TournamentSummary]:
    """The newest tournaments of this page."""
    return arena.newest()


@router.get("/{number}")
def tournament(number: Number, arena: TheArena) -> TournamentView:
    """How a tournament stands."""
    try:
        return arena.view(number)
    except BoardZeroError as error:
        raise HTTPException(404, str(error)) from None


@router.post("/{number}/stop")
async def stop(number: Number, arena: TheArena) -> TournamentView:
    """End a tournament early; the games that are over stay."""
    try:
        arena.view(number)
    except BoardZeroError as error:
        raise HTTPException(404, str(error)) from None
    arena.stop(number)
    return arena.view(number)


def _schedule(players: list[str], seats: int, games: int) -> list[tuple[str, ...]]:
    """Round after round: each group of players, with everyone in each seat."""
    turns = [group[i:] + group[:i] for group in combinations(players, seats) for i in range(seats)]
    return turns * games


def _opening(game: Game, seed: str) -> tuple[State, list[str]]:
    rng = Random(seed)
    state = game.start()
    for _ in range(_OPENING):
        state.play(rng.choice(state.moves()))
        if state.outcome() is not None:
            return game.start(), []
    return state, [str(move) for move in state.history]


def _cross(players: list[str], games: Iterable[StoredGame]) -> list[CrossCell]:
    """Who beat whom; of three, everyone who did not win lost to the one who did."""
    scores: dict[tuple[int, int], Score] = {}
    index = {player: i for i, player in enumerate(players)}
    for game in games:
        for a, b in permutations(range(len(game.seats)), 2):
            pair = (index[game.seats[a]], index[game.seats[b]])
            if game.winner is None:
                point = Score(draws=1)
            elif game.winner in (a, b):
                point = Score(wins=1) if game.winner == a else Score(losses=1)
            else:
                continue
            scores[pair] = scores.get(pair, Score()) + point
    return [
        CrossCell(row=row, column=column, wins=s.wins, draws=s.draws, losses=s.losses)
        for (row, column), s in sorted(scores.items())
    ]


def _ratings(games: list[StoredGame], two: bool) -> list[RatingView]:
    if not games:
        return []
    ratings = fit_elo(games).ratings if two else multiplayer_ratings(games)
    return [
        RatingView(
            player=rating.player,
            value=rating.value,
            low=_finite(rating.low),
            high=_finite(rating.high),
            games=rating.games,
        )
        for rating in ratings
    ]


def _finite(value: float) -> float | None:
    return value if abs(value) < 1e6 else None
