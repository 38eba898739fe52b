"""What the store keeps, as values that other modules pass around.

Each record adds to the one before it: `GameResult` is all that ratings and tables look at,
`PlayedGame` is a finished game on its way into the store, `StoredGame` is one that came out.
A seat is a place at the table, counted from 0; seat 0 moves first. Players are spec strings.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from boardzero.base.errors import BoardZeroError

MatchKind = Literal["match", "tournament", "gauntlet", "sprt"]
"""Why games were planned together."""

KINDS: tuple[MatchKind, ...] = get_args(MatchKind)


@dataclass(frozen=True, slots=True)
class GameResult:
    """Who sat where, how it ended, and how long each seat thought.

    `winner` decides, not `values`: a game cut short may have unequal values and still be a draw.
    Only where one of three forfeits, so that nobody wins, the value -1 says who has lost.
    """

    seats: tuple[str, ...]
    values: tuple[float, ...]  # one per seat, in [-1, 1]
    winner: int | None  # a seat; None is a draw
    seconds: tuple[float, ...] = ()  # thinking time of the whole game, one per seat
    turns: tuple[int, ...] = ()  # timed moves, one per seat; 0 means not measured

    def __post_init__(self) -> None:
        players = len(self.seats)
        if not 2 <= players <= 4:
            raise BoardZeroError(f"a game has two to four seats, not {players}")
        for name in ("seconds", "turns"):
            if not getattr(self, name):
                object.__setattr__(self, name, (0,) * players)
        if not len(self.values) == len(self.seconds) == len(self.turns) == players:
            raise BoardZeroError(f"values, seconds and turns need {players} entries, one per seat")
        if not all(-1 <= value <= 1 for value in self.values):
            raise BoardZeroError(f"the values {self.values} of a game must lie in [-1, 1]")
        if self.winner is not None and not 0 <= self.winner < players:
            raise BoardZeroError(f"seat {self.winner} cannot win a game of {players} seats")

    def points(self, seat: int) -> float:
        """1 for a win, a half for a draw, 0 for a loss."""
        if self.winner is None:
            return 0.0 if self.values[seat] == -1 else 0.5
        return float(self.winner == seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame(GameResult):
    """A finished game with all that is needed to show it again."""

    game: str  # spec of the rules, such as "gomoku:size=15"
    reason: str  # why it ended: "blocked", "time", "illegal move 5-9", ...
    started: datetime
    finished: datetime
    moves: tuple[str, ...]  # the players' own moves, after the opening
    opening: tuple[str, ...] = ()  # moves made for them
    start: str = ""  # FEN before the opening; empty for the usual start
    seed: int | None = None

    @property
    def plies(self) -> int:
        """Moves of both, those of the opening too."""
        return len(self.opening) + len(self.moves)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame(PlayedGame):
    """A game as the store has it: under a number, perhaps as a part of a match."""

    id: int
    match: int | None = None  # the match that it belongs to, and its number there
    number: int | None = None


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A set of numbered games that were planned together."""

    id: int
    kind: MatchKind
    game: str
    settings: str  # canonical JSON; only the arena knows what it means
    created: datetime
    planned: int | None = None  # games that it is to have


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength with the ends of its 95 % interval, in the scale of its method."""

    player: str
    value: float
    low: float
    high: float
    games: int
