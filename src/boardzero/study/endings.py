"""Endings whose value is known for certain: the game is over, or the endgame tables know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardzero.games import tablebase

if TYPE_CHECKING:
    from boardzero.games import State


def known_value(state: State, seat: int) -> float | None:
    """What a state is worth to a seat with best play, or None where no table knows."""
    outcome = state.outcome()
    if outcome is not None:
        return float(outcome.values[seat])
    tables = tablebase.tables(state.game)
    values = None if tables is None else tables.certain(state.native)
    return None if values is None else values[seat]
