"""Where the cells of a board lie, for everything that draws one.

Cells are numbered as the game numbers them. Squares and points have a row from the top and a column
from the left; hexagons have axial coordinates (r as row, q as column), both counted from 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal


@dataclass(frozen=True, slots=True)
class Geometry:
    """The shape of a board: which cells there are, where, and what people call them."""

    kind: Literal["squares", "points", "hexes"]
    rows: int
    columns: int
    places: Mapping[int, tuple[int, int]]  # cell -> (row, column)
    labels: Mapping[int, str]  # cell -> name


def draughts_board(width: int, *, algebraic: bool) -> Geometry:
    """The dark squares of a draughts board, numbered row by row."""
    half = width // 2
    places = {s: (s // half, 2 * (s % half) + (1 - s // half % 2)) for s in range(width * half)}
    labels = {
        s: f"{chr(ord('a') + column)}{width - row}" if algebraic else str(s + 1)
        for s, (row, column) in places.items()
    }
    return Geometry("squares", width, width, places, labels)


@cache
def grid(
    kind: Literal["squares", "points"],
    rows: int,
    columns: int,
    *,
    first_row: Literal["bottom", "top"] = "bottom",
) -> Geometry:
    """A full rectangle, cells row by row from the top; a1 is at the left of the first row."""
    places = {
        row * columns + column: (row, column) for row in range(rows) for column in range(columns)
    }
    labels = {
        cell: f"{chr(ord('a') + column)}{rows - row if first_row == 'bottom' else row + 1}"
        for cell, (row, column) in places.items()
    }
    return Geometry(kind, rows, columns, places, labels)


def grid_symmetries(rows: int, columns: int) -> list[list[int]]:
    """The ways to turn and mirror a rectangle, eight if it is a square; the first does nothing.

    Each lists, cell by cell, where the content of the cell comes from: `[board[c] for c in turn]`
    is the board turned, and `turn.index(cell)` the place where a cell goes.
    """
    board = [[row * columns + column for column in range(columns)] for row in range(rows)]
    found: list[list[int]] = []
    for _ in range(4):
        for picture in (board, [row[::-1] for row in board]):
            turn = [cell for row in picture for cell in row]
            if len(picture) == rows and turn not in found:
                found.append(turn)
        board = [list(row) for row in zip(*board[::-1], strict=True)]
    return found


def hexagon(radius: int) -> Geometry:
    """A board of hexagons, labelled q,r with 0,0 in the middle.

    Its cells are those of the square array around it, row by row; the corners are no hexagons.
    """
    width = 2 * radius + 1
    span = range(-radius, radius + 1)
    places = {
        (r + radius) * width + q + radius: (r + radius, q + radius)
        for r in span
        for q in span
        if abs(q + r) <= radius
    }
    labels = {cell: f"{q - radius},{r - radius}" for cell, (r, q) in places.items()}
    return Geometry("hexes", width, width, places, labels)
