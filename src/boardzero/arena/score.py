"""Wins, draws and losses, counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from boardzero.base.errors import BoardZeroError
from boardzero.store import GameResult


@dataclass(frozen=True, slots=True)
class Score:
    """Games between two players, seen by one of them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        return f"{self.wins} : {self.draws} : {self.losses}"

    @classmethod
    def of(cls, game: GameResult, seat: int) -> Score:
        """Of one game, seen by a seat."""
        points = game.points(seat)
        return cls(wins=int(points == 1), draws=int(points == 0.5), losses=int(points == 0))

    @property
    def games(self) -> int:
        """How many games it is of."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is worth 1, a draw a half."""
        return self.wins + self.draws / 2

    @property
    def mean(self) -> float:
        """Points per game, from 0 to 1; a half when nothing was played."""
        return self.points / self.games if self.games else 0.5

    @property
    def reversed(self) -> Score:
        """The same games seen by the other player."""
        return Score(self.losses, self.draws, self.wins)


def scores_by_seat(games: Iterable[GameResult]) -> dict[tuple[str, str], Score]:
    """For each (first player, second player) who met in this order, the score of the first."""
    scores: defaultdict[tuple[str, str], Score] = defaultdict(Score)
    for game in games:
        if len(game.seats) != 2:
            raise BoardZeroError(
                f"this table or rating is for two players, and here is a game of {len(game.seats)}"
            )
        first, second = game.seats
        scores[first, second] += Score.of(game, 0)
    return dict(scores)


def head_to_head(games: Iterable[GameResult], player: str, opponent: str) -> Score:
    """The player's score against the opponent, whoever moved first."""
    scores = scores_by_seat(games)
    as_first = scores.get((player, opponent), Score())
    return as_first + scores.get((opponent, player), Score()).reversed


def total_wins(games: Iterable[GameResult]) -> dict[str, int]:
    """The games that each player won, of any number of seats; 0 for one who only lost."""
    wins: Counter[str] = Counter()
    for game in games:
        for seat, player in enumerate(game.seats):
            wins[player] += game.winner == seat
    return dict(wins)


def seconds_per_move(games: Iterable[GameResult]) -> dict[str, float]:
    """Each player's mean thinking time; without those whose moves were never timed."""
    seconds: defaultdict[str, float] = defaultdict(float)
    turns: Counter[str] = Counter()
    for game in games:
        for player, spent, moves in zip(game.seats, game.seconds, game.turns, strict=True):
            seconds[player] += spent
            turns[player] += moves
    return {player: seconds[player] / moves for player, moves in turns.items() if moves}
