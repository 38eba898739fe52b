"""A position of draughts as one row of numbers, and a step as two squares of it.

The encoding of Ocheretian 2022, section 5.2: each dark square has one of five levels, 0 for an
enemy king, 1 for an enemy man, 2 for nothing, 3 for an own man and 4 for an own king; a net gets
them as 0 to 1. The board is turned so that the mover goes up, unless its orientation is "fixed".
Pieces already jumped have left the board. A step is the square that it starts from and the square
that it ends on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardzero._core import NativeState
from boardzero.base.errors import BoardZeroError
from boardzero.games import Game

Floats = NDArray[np.float32]
Levels = NDArray[np.uint8]
Orientation = Literal["turned", "fixed"]
Input = Literal["levels", "one-hot"]
Step = tuple[int, int]

EMPTY = 2
_WORTH = np.array([1, 2, -1, -2], np.float32)  # own men, own kings, enemy men, enemy kings


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """What a net is shown of a state, and what it may do there."""

    board: Levels  # [squares]
    steps: Mapping[Step, int]  # the legal actions by their squares
    capturing: int | None  # the piece that must go on with its capture

    @classmethod
    def of(cls, state: NativeState, orientation: Orientation = "turned") -> ShownBoard:
        """The state as the side to move sees it."""
        planes = state.encode()
        planes = planes.reshape(len(planes), -1)
        if orientation == "fixed" and state.relative(0) != 0:
            planes = planes[:, ::-1]
        board = (EMPTY + _WORTH @ planes[:4]).astype(np.uint8)
        squares = len(board)
        steps = {step_of(state, action, squares, orientation): action for action in state.actions()}
        capturing = int(planes[5].argmax()) if planes[5].any() else None
        return cls(board, steps, capturing)

    @property
    def pieces(self) -> set[int]:
        """The squares of pieces that may move."""
        return {piece for piece, _ in self.steps}

    def targets(self, piece: int) -> set[int]:
        """Where a piece may go."""
        return {target for start, target in self.steps if start == piece}


def is_draughts(game: Game) -> bool:
    """Whether its boards can be viewed so: dark squares, and actions from one to another."""
    shape = game.shape
    squares = shape.rows * shape.columns
    return shape.planes == 7 and shape.actions == squares * squares + 1


def squares_of(game: Game) -> int:
    """How many dark squares its board has."""
    if not is_draughts(game):
        raise BoardZeroError(f"{game.spec} is not draughts, which is needed here")
    return game.shape.rows * game.shape.columns


def step_of(
    state: NativeState, action: int, squares: int, orientation: Orientation = "turned"
) -> Step:
    """The squares of an action, from and to, as the board lies in the view."""
    return divmod(state.relative(action) if orientation == "turned" else action, squares)


def as_input(boards: Levels, kind: Input = "levels") -> Floats:
    """Boards [rows, squares] as nets take them: from 0 to 1, or five numbers for each square."""
    if kind == "levels":
        return boards.astype(np.float32) / np.float32(4)
    shown: NDArray[np.bool_] = boards[:, :, None] == np.arange(5, dtype=np.uint8)
    return shown.reshape(len(boards), -1).astype(np.float32)


def with_piece(inputs: Floats, pieces: NDArray[np.integer], squares: int) -> Floats:
    """The inputs with the chosen piece beside them, as a one among zeros."""
    chosen = np.zeros((len(inputs), squares), np.float32)
    chosen[np.arange(len(inputs)), pieces] = 1
    return np.concatenate([inputs, chosen], axis=1)
