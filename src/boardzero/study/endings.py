"""Endings whose value is known for certain, where a tablebase is at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardzero.games import State


def known_value(state: State) -> int | None:
    """1, 0 or -1 for the mover, or None where no table knows."""
    outcome = state.outcome()
    return None if outcome is None else round(outcome.values[state.to_move])
