"""The arena on the page: tournaments as the command line plays them, in the same store.

Every game is stored as it ends, so that a tournament survives the server; those that were played
from the command line are shown too.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Query
from fastapi import Path as InPath
from pydantic import BeforeValidator, Field

from boardzero.arena import Competition, CompetitionPlan, Terms, fit_elo, multiplayer_ratings
from boardzero.base.errors import BoardZeroError
from boardzero.server.catalog import check_player, open_game
from boardzero.server.contests import Contests, Stop
from boardzero.server.messages import Incoming, Outgoing, SpecText
from boardzero.server.parts import part
from boardzero.server.stored import Archive
from boardzero.server.strict_json import StrictRoute
from boardzero.store import MatchRecord, Store, StoredGame

router = APIRouter(prefix="/api/tournaments", tags=["arena"], route_class=StrictRoute)

_LONGEST = 400  # plies, after which a game is drawn
_OPEN = 4  # tournaments that run or wait
_LISTED = 20

Phase = Literal["running", "finished", "stopped"]


class NewTournament(Incoming):
    game: SpecText
    players: Annotated[list[SpecText], Field(min_length=2, max_length=8)]
    games: int = Field(ge=1, le=200)  # of each pair, or each table of three


class CrossCell(Outgoing):
    row: int
    column: int
    wins: int
    draws: int
    losses: int


# The end of an interval; None where it has none.
End = Annotated[float | None, BeforeValidator(lambda end: end if abs(end) < 1e6 else None)]


class RatingView(Outgoing):
    player: str
    value: float
    low: End
    high: End
    games: int


class ArenaGame(Outgoing):
    id: int
    seats: list[str]
    winner: int | None
    reason: str
    plies: int


class TournamentSummary(Outgoing):
    id: int
    game: str
    players: list[str]
    total: int
    done: int
    state: Phase
    trouble: str | None  # why it ended early, if that was nobody's wish
    created: str


class TournamentView(TournamentSummary):
    scale: Literal["elo", "openskill"]
    cross: list[CrossCell]
    ratings: list[RatingView]


class Arena:
    """The tournaments of the store, and those of them that are being played."""

    def __init__(self, archive: Archive, *, workers: int) -> None:
        self._archive = archive
        self._contests = Contests(workers=workers)
        self._rated: dict[int, tuple[int, list[RatingView]]] = {}  # after so many games

    def start(self, wish: NewTournament) -> TournamentView:
        game = open_game(wish.game)
        if len(wish.players) < game.players:
            raise BoardZeroError(f"{game.name} needs {game.players} players")
        if self._contests.count >= _OPEN:
            raise BoardZeroError(f"{_OPEN} tournaments are open already; wait for one to end")
        plan = CompetitionPlan(
            kind="tournament",
            game=game.spec,
            players=tuple(check_player(spec, game) for spec in wish.players),
            games=wish.games,
            terms=Terms(max_plies=_LONGEST),
            seed=secrets.randbits(32),
        )
        with self._archive.open() as store:
            number = Competition(plan, store, fresh=True).match.id
        self._contests.start(number, lambda stop: self._play(plan, stop))
        return self.view(number)

    def stop(self, number: int) -> None:
        self._contests.stop(number)

    def close(self) -> None:
        self._contests.close()

    def view(self, number: int) -> TournamentView:
        with self._archive.open() as store:
            summary = self._summary(store, store.match(number))
            games = list(store.games(match=number))
        two = open_game(summary.game).players == 2
        # The page asks again and again, and few games end in between.
        count, ratings = self._rated.get(number, (-1, []))
        if count != len(games):
            ratings = _ratings(games, two)
            self._rated[number] = len(games), ratings
        return TournamentView(
            **summary.model_dump(),
            scale="elo" if two else "openskill",
            cross=_cross(summary.players, games),
            ratings=ratings,
        )

    def newest(self) -> list[TournamentSummary]:
        with self._archive.open() as store:
            matches = store.matches(kind="tournament")[: -_LISTED - 1 : -1]
            return [self._summary(store, match) for match in matches]

    def games(self, number: int, a: int, b: int) -> list[ArenaGame]:
        """Those in which two players met."""
        with self._archive.open() as store:
            players = _players(store.match(number))
            if max(a, b) >= len(players):
                raise BoardZeroError(f"the tournament has {len(players)} players")
            met = {players[a], players[b]}
            games = [game for game in store.games(match=number) if met <= set(game.seats)]
        return [ArenaGame.model_validate(game) for game in games]

    def _play(self, plan: CompetitionPlan, stop: Stop) -> None:
        with self._archive.open() as store:
            self._contests.play(Competition(plan, store), stop)

    def _summary(self, store: Store, match: MatchRecord) -> TournamentSummary:
        done = store.count(match=match.id)
        total = done if match.planned is None else match.planned
        phase: Phase = "finished" if done >= total else "stopped"
        return TournamentSummary(
            id=match.id,
            game=match.game,
            players=_players(match),
            total=total,
            done=done,
            state="running" if self._contests.is_open(match.id) else phase,
            trouble=self._contests.trouble(match.id),
            created=match.created.isoformat(),
        )


TheArena = Annotated[Arena, part(Arena)]
Number = Annotated[int, InPath(ge=1, le=2**62)]
Place = Annotated[int, Query(ge=0)]


@router.post("", status_code=201)
def start(wish: NewTournament, arena: TheArena) -> TournamentView:
    """Every player meets every other, in every seat, from openings that all sides get."""
    return arena.start(wish)


@router.get("")
def tournaments(arena: TheArena) -> list[TournamentSummary]:
    """The newest tournaments."""
    return arena.newest()


@router.get("/{number}")
def tournament(number: Number, arena: TheArena) -> TournamentView:
    """How a tournament stands."""
    try:
        return arena.view(number)
    except BoardZeroError as error:
        raise HTTPException(404, str(error)) from None


@router.get("/{number}/games")
def games(number: Number, a: Place, b: Place, arena: TheArena) -> list[ArenaGame]:
    """The games in which two players met, given by their places in the list of players."""
    return arena.games(number, a, b)


@router.post("/{number}/stop")
def stop(number: Number, arena: TheArena) -> TournamentView:
    """End a tournament early; the games that are over stay."""
    arena.stop(number)
    return tournament(number, arena)


def _players(match: MatchRecord) -> list[str]:
    return list(json.loads(match.settings).get("players", []))


def _cross(players: list[str], games: Iterable[StoredGame]) -> list[CrossCell]:
    """Who beat whom; of three, everyone who did not win lost to the one who did."""
    scores: Counter[tuple[int, int, str]] = Counter()
    index = {player: i for i, player in enumerate(players)}
    for game in games:
        for a, b in permutations(range(len(game.seats)), 2):
            ahead = game.points(a) - game.points(b)
            if ahead or game.winner is None:
                result = "wins" if ahead > 0 else "losses" if ahead < 0 else "draws"
                scores[index[game.seats[a]], index[game.seats[b]], result] += 1
    pairs = sorted({(row, column) for row, column, _ in scores})
    return [
        CrossCell(
            row=row,
            column=column,
            wins=scores[row, column, "wins"],
            draws=scores[row, column, "draws"],
            losses=scores[row, column, "losses"],
        )
        for row, column in pairs
        if row != column
    ]


def _ratings(games: list[StoredGame], two: bool) -> list[RatingView]:
    if not games:
        return []
    ratings = fit_elo(games).ratings if two else multiplayer_ratings(games)
    return [RatingView.model_validate(rating) for rating in ratings]
