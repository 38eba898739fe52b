"""Time management: how many seconds of a clock, or of a limit, one move may take."""

from __future__ import annotations

from boardzero.players.player import Clock, Limit

REPORT_SECONDS = 0.2  # between what a player tells while it thinks

_MOVES_TO_GO = 25  # assumed where the clock does not say
_RESERVE = 0.02  # seconds that handing over a move may take
_LARGEST_SHARE = 0.4  # of the clock, for one move


def seconds_for_move(limit: Limit, own: float | None = None) -> float | None:
    """Seconds for this move, or None if nothing bounds them.

    A time in the limit replaces the player's own; a clock bounds either.
    """
    time = own if limit.time is None else limit.time
    if limit.clock is None:
        return time
    share = _share(limit.clock)
    return share if time is None else min(time, max(share, limit.clock.left * _LARGEST_SHARE))


def _share(clock: Clock) -> float:
    """An equal part for each move to come, and most of the increment."""
    moves = _MOVES_TO_GO if clock.moves is None else max(1, clock.moves)
    left = max(0.0, clock.left - _RESERVE)
    largest = left if moves == 1 else left * _LARGEST_SHARE
    return min(left / moves + 0.8 * clock.increment, largest)
