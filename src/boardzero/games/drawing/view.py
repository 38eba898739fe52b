"""What drawings in the terminal and as SVG have in common: what is shown, where, in which colour.

A `View` is a position ready to be drawn, turned the way the viewer sits. It knows nothing of ink.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypedDict, Unpack

from boardzero.base.errors import BoardZeroError
from boardzero.games.game import Game, Move, Piece, State
from boardzero.games.geometry import Geometry

Color = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class PieceColors:
    """The body of a piece, its rim, and what is drawn on it."""

    body: Color
    rim: Color
    detail: Color


_WHITE = PieceColors((250, 245, 234), (190, 173, 144), (203, 189, 163))
_BLACK = PieceColors((54, 50, 48), (22, 20, 19), (98, 91, 86))
_RED = PieceColors((218, 73, 64), (150, 38, 33), (240, 140, 130))
_GREEN = PieceColors((62, 155, 96), (30, 100, 58), (140, 208, 164))
_BLUE = PieceColors((64, 116, 214), (32, 70, 148), (146, 182, 244))
_YELLOW = PieceColors((240, 188, 60), (170, 122, 20), (250, 222, 150))
_BY_NAME = {
    "white": _WHITE,
    "black": _BLACK,
    "red": _RED,
    "green": _GREEN,
    "blue": _BLUE,
    "yellow": _YELLOW,
}
_BY_SEAT = (_RED, _BLUE, _GREEN, _YELLOW)


def piece_colors(game: Game, seat: int) -> PieceColors:
    """A seat named after a colour has that colour."""
    return _BY_NAME.get(game.seats[seat].lower(), _BY_SEAT[seat % len(_BY_SEAT)])


def blend(below: Color, above: Color, opacity: float) -> Color:
    """The colour seen when one covers the other in part."""
    red, green, blue = (round(b + (a - b) * opacity) for b, a in zip(below, above, strict=True))
    return red, green, blue


@dataclass(frozen=True, slots=True)
class View:
    """A position as the viewer sees it; places are (row from the top, column from the left)."""

    state: State
    geometry: Geometry
    cells: Mapping[tuple[int, int], int]  # place -> cell
    pieces: Mapping[int, Piece]  # cell -> piece
    last_move: Move | None
    highlights: frozenset[int]
    heat: Mapping[int, float]  # cell -> [0, 1]

    @property
    def places(self) -> dict[int, tuple[int, int]]:
        return {cell: place for place, cell in self.cells.items()}

    @property
    def touched(self) -> frozenset[int]:
        """The first and last cell of the last move."""
        if self.last_move is None or not self.last_move.path:
            return frozenset()
        return frozenset((self.last_move.path[0], self.last_move.path[-1]))

    @property
    def numbered(self) -> bool:
        """Whether cells are called by number rather than by column and row."""
        return self.state.game.traits.numbered

    def row(self, row: int) -> list[int]:
        """The cells of a row, from the left."""
        found = (self.cells.get((row, column)) for column in range(self.geometry.columns))
        return [cell for cell in found if cell is not None]


class Marks(TypedDict, total=False):
    """What a drawing shows beside the pieces; cells go by their numbers."""

    last_move: Move | None
    highlights: Collection[int]
    heat: Mapping[int, float] | None  # from 0 to 1
    flip: bool  # turn the board


def view(state: State, **marks: Unpack[Marks]) -> View:
    """Arrange a position for drawing; refuses marks on cells that the board does not have."""
    geometry = state.game.geometry
    highlights, heat = marks.get("highlights", ()), marks.get("heat") or {}
    for cell in (*highlights, *heat):
        if cell not in geometry.places:
            raise BoardZeroError(f"the board of {state.game.name} has no cell {cell} to mark")
    bottom, right = geometry.rows - 1, geometry.columns - 1
    return View(
        state=state,
        geometry=geometry,
        cells={
            (bottom - row, right - column) if marks.get("flip") else (row, column): cell
            for cell, (row, column) in geometry.places.items()
        },
        pieces={piece.cell: piece for piece in state.pieces()},
        last_move=marks.get("last_move"),
        highlights=frozenset(highlights),
        heat={cell: min(1.0, max(0.0, value)) for cell, value in heat.items()},
    )
