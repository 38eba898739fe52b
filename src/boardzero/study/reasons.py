"""Why a move was wrong, found by looking at the lines that show it. One part for each family.

Where nothing certain can be said, there is no reason and only the line is shown: a sentence that is
wrong is worse than none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardzero.study.lines import short, written
from boardzero.study.words import Reason

if TYPE_CHECKING:
    from boardzero.games import Move, State

_WON = 0.995  # a value that only a forced win has


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that may be wrong: what it led to, what answers it, and what was best."""

    state: State
    played: Move
    after: State
    reply: Sequence[str]  # the line that answers it
    best: Move
    best_line: Sequence[str]  # beginning with the best move
    value: float  # of the move played, for its mover
    top: float  # of the best one

    @property
    def mover(self) -> str:
        return self.state.game.seats[self.state.to_move]

    @property
    def other(self) -> str:
        """Who answers."""
        return self.state.game.seats[self.after.to_move]

    def named(self, kind: str, **values: str | int) -> Reason:
        usual: dict[str, str | int] = {
            "played": short(self.played.text),
            "best": short(self.best.text),
            "mover": self.mover,
            "other": self.other,
        }
        return Reason(kind, {**usual, **values})


def reason_for(mistake: Mistake) -> Reason | None:
    """The first thing that can be said, the most telling first."""
    from boardzero.study import chexers, draughts, five

    traits = mistake.state.game.traits
    found = None
    if traits.must_capture:
        found = draughts.reason(mistake)
    elif traits.sgf:
        found = five.reason(mistake)
    elif mistake.state.game.geometry.kind == "hexes":
        found = chexers.reason(mistake)
    return found or _forced(mistake)


def _forced(mistake: Mistake) -> Reason | None:
    if mistake.value <= -_WON < mistake.top and mistake.reply:
        return mistake.named("loses", line=written(mistake.reply))
    if mistake.value < _WON <= mistake.top and mistake.best_line:
        return mistake.named("missed_win", line=written(mistake.best_line))
    return None
