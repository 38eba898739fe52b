"""The level that adapts: which one suits a person, by the games that they finished.

The person has a rating on the scale of the game's levels, which every game moves as Elo does, the
first ones most; the level nearest to it is the one to play. `web/src/lib/adaptive.ts` does the same
for the page, and a test holds both to the same examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boardzero.players.level import Level

ADAPTIVE = "adaptive"

_START = 2  # the place of the level that somebody without games meets
_STEP = 175.0  # Elo between levels that were not measured
_FIRST, _LATER, _FALLS = 200.0, 80.0, 20.0  # what a game counts at first, and later, by game
_TOLD = 5  # of the last games that are spoken of


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game of the person against players that are levels: their specs, and the points."""

    opponents: tuple[str, ...]
    points: float  # 1 for a win, a half for a draw, 0 for a loss


@dataclass(frozen=True, slots=True)
class Adapted:
    """The level that suits the person now, and how that came about."""

    level: Level
    before: Level | None  # that suited before the last game; None without games
    points: float  # in the last few games
    games: int  # how many these are
    rating: float

    @property
    def words(self) -> str:
        """A sentence for the person."""
        if self.before is None:
            return f"No games of yours yet: begins with {self.level.name}."
        scored = f"You scored {self.points:g} of {self.games}"
        if self.level == self.before:
            return f"{scored}: stays with {self.level.name}."
        way = "up" if self.rating_rose else "down"
        return f"{scored}: {way} from {self.before.name} to {self.level.name}."

    @property
    def rating_rose(self) -> bool:
        """Whether the last change of level was one to a stronger one."""
        return self.before is not None and _order(self.level) > _order(self.before)


def adapt(ladder: Sequence[Level], games: Iterable[FinishedGame]) -> Adapted:
    """The level for a person who finished these games, the oldest first; others are ignored."""
    ratings = rated(ladder)
    of = {level.spec: rating for level, rating in zip(ladder, ratings, strict=True)}
    rating = ratings[min(_START, len(ladder) - 1)]
    before = None
    counted: list[float] = []
    for game in games:
        if not game.opponents or not all(spec in of for spec in game.opponents):
            continue
        before = rating
        met = sum(of[spec] for spec in game.opponents) / len(game.opponents)
        worth = max(_LATER, _FIRST - _FALLS * len(counted))
        rating += worth * (game.points - 1 / (1 + 10 ** ((met - rating) / 400)))
        rating = min(max(rating, ratings[0]), ratings[-1])
        counted.append(game.points)
    last = counted[-_TOLD:]
    ranked = [Level(a.name, a.spec, r) for a, r in zip(ladder, ratings, strict=True)]
    return Adapted(
        level=_nearest(ranked, rating),
        before=None if before is None else _nearest(ranked, before),
        points=sum(last),
        games=len(last),
        rating=rating,
    )


def rated(ladder: Sequence[Level]) -> list[float]:
    """Ratings that rise with the levels; where they were not measured, in even steps."""
    found: list[float] = []
    for level in ladder:
        least = found[-1] + 1 if found else float("-inf")
        even = found[-1] + _STEP if found else 0.0
        found.append(even if level.rating is None else max(level.rating, least))
    return found


def _nearest(ladder: Sequence[Level], rating: float) -> Level:
    return min(ladder, key=lambda level: abs(_order(level) - rating))


def _order(level: Level) -> float:
    return level.rating or 0.0
