"""Time management: how many seconds of a clock, or of a limit, one move may take."""

from __future__ import annotations

from dataclasses import dataclass

from boardzero.players.player import Clock, Limit

REPORT_SECONDS = 0.2  # between what a player tells while it thinks


@dataclass(frozen=True, slots=True)
class ClockPlan:
    """How a clock is shared out among the moves to come."""

    moves_to_go: int = 25  # assumed where the clock does not say
    reserve: float = 0.02  # seconds that handing over a move may take
    largest_share: float = 0.4  # of the clock, for one move
    increment_share: float = 0.8


CLOCK = ClockPlan()


def seconds_for_move(limit: Limit, own: float | None = None) -> float | None:
    """Seconds for this move, or None if nothing bounds them.

    A time in the limit replaces the player's own; a clock bounds either.
    """
    time = own if limit.time is None else limit.time
    if limit.clock is None:
        return time
    share = _share(limit.clock)
    return share if time is None else min(time, max(share, limit.clock.left * CLOCK.largest_share))


def _share(clock: Clock) -> float:
    """An equal part for each move to come, and most of the increment."""
    moves = CLOCK.moves_to_go if clock.moves is None else max(1, clock.moves)
    left = max(0.0, clock.left - CLOCK.reserve)
    largest = left if moves == 1 else left * CLOCK.largest_share
    return min(left / moves + CLOCK.increment_share * clock.increment, largest)
