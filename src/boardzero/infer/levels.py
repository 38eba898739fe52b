"""A position of draughts as one row of numbers, and a step as two squares of it.

The Lodz thesis's encoding: each dark square has one of five levels, 0 for an enemy king, 1 for an
enemy man, 2 for nothing, 3 for an own man and 4 for an own king; a net sees them as 0 to 1. The
board is turned so that the mover goes up, unless the view is "fixed". Pieces already jumped have
left the board. A step is the square that it starts from and the square that it ends on.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardzero._core import NativeState
from boardzero.errors import BoardZeroError
from boardzero.games import Game

__all__ = ["Levels", "View", "as_input", "legal_steps", "levels", "squares_of", "step_of"]

Levels = NDArray[np.uint8]
View = Literal["turned", "fixed"]

_EMPTY = 2
_WORTH = np.array([1, 2, -1, -2], np.float32)  # own men, own kings, enemy men, enemy kings


def squares_of(game: Game) -> int:
    """How many squares a board has; only draughts has such boards."""
    shape = game.shape
    squares = shape.rows * shape.columns
    if shape.planes != 7 or shape.actions != squares * squares + 1:
        raise BoardZeroError(f"{game.spec} is not draughts, which is needed here")
    return squares


def levels(state: NativeState, view: View = "turned") -> Levels:
    """The levels of all squares, from the mover's left hand corner of the far row on."""
    planes = state.encode()
    row = _EMPTY + np.tensordot(_WORTH, planes[:4].reshape(4, -1), axes=1)
    return _seen(state, row.astype(np.uint8), view)


def as_input(rows: Levels) -> NDArray[np.float32]:
    """Levels as nets take them, from 0 to 1."""
    return rows.astype(np.float32) / np.float32(4)


def step_of(
    state: NativeState, action: int, squares: int, view: View = "turned"
) -> tuple[int, int]:
    """The squares of an action, from and to, as the view numbers them."""
    return divmod(state.relative(action) if view == "turned" else action, squares)


def legal_steps(
    state: NativeState, squares: int, view: View = "turned"
) -> dict[tuple[int, int], int]:
    """The legal actions by their squares."""
    return {step_of(state, action, squares, view): action for action in state.actions()}


def _seen(state: NativeState, row: Levels, view: View) -> Levels:
    is_turned = state.relative(0) != 0
    return row[::-1].copy() if view == "fixed" and is_turned else row
