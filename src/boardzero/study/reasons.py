"""Why a move was wrong, found by looking at the lines that show it. One part for each family.

Where nothing certain can be said, there is no reason and only the line is shown: a sentence that is
wrong is worse than none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardzero.study.lines import short, wins_in, written
from boardzero.study.words import Reason

if TYPE_CHECKING:
    from boardzero.games import Move, State

_WON = 0.995  # a value that only a forced win has
ATTACK = ("key_point", "open_three", "missed_three")  # reasons that prove nothing by themselves
_LATE = 6  # plies: three moves of each side


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

    @property
    def fast(self) -> int | None:
        """Plies in which the best line wins."""
        return wins_in(self.state, self.best_line, self.state.to_move)

    @property
    def slow(self) -> int | None:
        """Plies in which the move played wins."""
        outcome = self.after.outcome()
        if outcome is not None:
            return 1 if outcome.winner == self.state.to_move else None
        rest = wins_in(self.after, self.reply, self.state.to_move)
        return None if rest is None else rest + 1

    @property
    def wins_late(self) -> bool:
        """Whether both moves win, and the one played much later."""
        if min(self.value, self.top) < _WON:
            return False
        fast, slow = self.fast, self.slow
        if fast is None or slow is None:
            return False
        return slow - fast >= _LATE or fast == 1 < slow

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
    if mistake.wins_late and not traits.sgf:
        return _late(mistake)
    if traits.must_capture:
        found = draughts.reason(mistake)
    elif traits.sgf:
        found = five.reason(mistake)
    elif mistake.state.game.geometry.kind == "hexes":
        found = chexers.reason(mistake)
    found = found or _forced(mistake) or _late(mistake)
    return found or (five.attack(mistake) if traits.sgf else None)


def _forced(mistake: Mistake) -> Reason | None:
    if mistake.value <= -_WON < mistake.top and mistake.reply:
        return mistake.named("loses", line=written(mistake.reply))
    if mistake.value < _WON <= mistake.top and mistake.best_line:
        return mistake.named("missed_win", line=written(mistake.best_line))
    return None


def _late(mistake: Mistake) -> Reason | None:
    fast, slow = mistake.fast, mistake.slow
    if fast is None or slow is None or not mistake.wins_late:
        return None
    players = mistake.state.game.players
    turns = [(plies - 1) // players + 1 for plies in (fast, slow)]
    return mistake.named("slower", fast=turns[0], slow=turns[1])
