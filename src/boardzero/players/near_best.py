"""Moves that are nearly the best: how a player errs who sees what lies in front of it.

A search that looks a little ahead gives every move a value. Instead of the best it plays one that
looks worse by less than a margin, the nearer the likelier. What it errs in lies deeper than it
looked: within its horizon it wins what can be won, and loses no game that can be held. Where pieces
count it takes a second look, at nothing but the captures in front of it, and gives none away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from boardzero import _core
from boardzero.base.specs import Option
from boardzero.games import Game, State

# In the unit of an evaluation that is spread out: near a draw the same as in [-1, 1].
MARGIN = Option(
    "margin",
    0.0,
    "plays moves that look worse than the best by up to so much; never one that loses a piece in "
    "front of it",
    low=0,
    high=10,
)

_PIECES = "material"  # the evaluation of games of two in which pieces count
_SURE = 0.999999  # values beyond are spread no further


class NearBest:
    """Picks one of the moves that a search has valued."""

    def __init__(self, game: Game, margin: float, seed: int) -> None:
        self._margin = margin
        self._rng = Random(seed)
        self._look = _look(game, seed)

    def pick(self, state: State, moves: Sequence[_core.ReportedMove]) -> int:
        """The place of the move to play, among those that were searched, the best first."""
        best = moves[0]
        if best.value >= 1:
            return 0
        holds = best.value > -1
        safe = [True] * len(moves) if self._look is None else self._look.keep(state, moves)
        blurred = {
            place: spread(m.value) + self._margin * self._rng.random()
            for place, m in enumerate(moves)
            if m.exact and safe[place] and (m.value > -1 or not holds)
        }
        return max(blurred, key=blurred.__getitem__, default=0)


def spread(value: float) -> float:
    """A value from [-1, 1] on a scale without ends, where what decides games has room."""
    return math.atanh(max(-_SURE, min(_SURE, value)))


@dataclass(frozen=True, slots=True)
class _Look:
    """A search of nothing but what lies in front, and the difference that is not yet a piece."""

    searcher: _core.Searcher
    depth: int
    tolerance: float

    def keep(self, state: State, moves: Sequence[_core.ReportedMove]) -> list[bool]:
        """Which of the moves lose no more than the first of them."""
        seen = self.searcher.search(
            state.native, seconds=math.inf, depth=self.depth, nodes=2**64 - 1
        )
        worth = {tuple(m.move.actions): spread(m.value) for m in seen.moves}
        found = [worth[tuple(m.move.actions)] for m in moves]
        return [value >= found[0] - self.tolerance for value in found]


def _look(game: Game, seed: int) -> _Look | None:
    start = game.start().native
    known = _core.evaluations(start)
    if not known:
        return None
    if game.players > 2:  # what the next one can take, if it wants nothing else
        hostile = _core.make_maxn(start, known[0][0], _core.Others.hostile, seed)
        return _Look(hostile, depth=2, tolerance=0.1)
    if not any(_PIECES in names for names in known):
        return None  # what must be stopped at once is all that its search looks at
    features = _core.Features.engine()  # follows captures
    features.all_moves = True
    return _Look(_core.make_alphabeta(start, _PIECES, features, 1, seed), depth=1, tolerance=1e-6)
