"""Boards as SVG pictures: self-contained, scalable, readable by screen readers.

Nothing carries an id, a class or a style sheet, so that many boards can share a page. Each cell is
an element with `data-cell`, for pages that want to be clicked on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from html import escape
from math import cos, pi, sin, sqrt
from typing import Unpack

from boardzero.games.drawing.view import Color, Marks, View, piece_colors, view
from boardzero.games.game import Piece, State

_FRAME = "#4a3728"
_LIGHT = "#f3e7d0"
_DARK = "#b0825a"
_PALE = "#c79d74"  # every second square where all are played on
_WOOD = "#e8c995"
_THREAD = "#86642f"
_SLATE = "#2c313c"
_MIST = "#dfe4ec"
_LAST = "#ffd23f"
_HIGHLIGHT = "#12a594"
_HEAT = "#e5371b"
_GOLD = "#f2b01e"


def draw(state: State, *, size: int | None = None, **marks: Unpack[Marks]) -> str:
    """The board as an SVG document; `size` is its width in pixels, and None fills what holds it."""
    if picture := state.native.picture():
        return _written(state, picture.rstrip("\n").split("\n"), size)
    shown = view(state, **marks)
    sheet = _SHEETS[shown.geometry.kind](shown)
    parts = [
        *sheet.board(),
        *_heat(shown, sheet),
        *_last_move(shown, sheet),
        *_highlights(shown, sheet),
        *sheet.names(),
        *(_piece(shown, sheet, piece) for piece in shown.pieces.values()),
        *_last_stone(shown, sheet),
    ]
    return _document(state, parts, sheet.width, sheet.height, size)


def _document(state: State, parts: list[str], width: float, height: float, size: int | None) -> str:
    pixels = f' width="{size}" height="{round(size * height / width)}"' if size else ""
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
            f' viewBox="0 0 {width:g} {height:g}"{pixels}>',
            f"<title>{escape(_title(state))}</title>",
            f"<desc>{escape(state.fen())}</desc>",
            *parts,
            "</svg>",
        ]
    )


def _written(state: State, lines: list[str], size: int | None) -> str:
    """A board that the rules draw themselves, in letters."""
    width, height = 9.0 * max(map(len, lines)) + 24, 18.0 * len(lines) + 24
    parts = [
        f'<rect width="{width:g}" height="{height:g}" rx="7" fill="{_LIGHT}"/>',
        f'<g font-family="monospace" font-size="15" fill="{_FRAME}" xml:space="preserve">',
        *(_text(12, 26 + 18 * row, line) for row, line in enumerate(lines)),
        "</g>",
    ]
    return _document(state, parts, width, height, size)


def _title(state: State) -> str:
    outcome = state.outcome()
    if outcome is None:
        news = f"{state.game.seats[state.to_move]} to move"
    elif outcome.winner is None:
        news = f"drawn, {outcome.reason}"
    else:
        news = f"{state.game.seats[outcome.winner]} wins, {outcome.reason}"
    return f"{state.game.title}: {news}"


class _Sheet(ABC):
    """Where the cells of one kind of board lie on the drawing, and what is drawn below pieces."""

    width: float
    height: float
    radius: float  # of a piece

    def __init__(self, shown: View) -> None:
        self.shown = shown
        self.places = shown.places

    @abstractmethod
    def centre(self, cell: int) -> tuple[float, float]:
        """The middle of a cell, x and y."""

    @abstractmethod
    def cover(self, cell: int, inset: float = 0) -> str:
        """The start of an element with the cell's shape."""

    @abstractmethod
    def board(self) -> list[str]:
        """The empty board."""

    @abstractmethod
    def names(self) -> list[str]:
        """What the cells are called."""

    def cells(self, fill: str, other: str | None = None) -> list[str]:
        """All cells, in two colours if there is another."""
        fills = (other or fill, fill)
        return [
            f'{self.cover(cell)} fill="{fills[(row + column) % 2]}" data-cell="{cell}"/>'
            for cell, (row, column) in self.places.items()
        ]

    def edge_names(self, margin: float) -> list[str]:
        """Letters of columns and numbers of rows, centred in the margin."""
        names: dict[tuple[float, float], str] = {}
        for cell in self.places:
            x, y = self.centre(cell)
            label = self.shown.geometry.labels[cell]
            file = label.rstrip("0123456789")
            names[margin / 2, y] = names[self.width - margin / 2, y] = label[len(file) :]
            names[x, self.height - margin / 2] = names[x, margin / 2] = file
        return [_text(x, y, name) for (x, y), name in names.items()]


class _Squares(_Sheet):
    side = 40.0
    radius = 15.0

    def __init__(self, shown: View) -> None:
        super().__init__(shown)
        self.margin = 8.0 if shown.numbered else 20.0
        self.width = shown.geometry.columns * self.side + 2 * self.margin
        self.height = shown.geometry.rows * self.side + 2 * self.margin

    def centre(self, cell: int) -> tuple[float, float]:
        row, column = self.places[cell]
        return self.margin + (column + 0.5) * self.side, self.margin + (row + 0.5) * self.side

    def cover(self, cell: int, inset: float = 0) -> str:
        x, y = self.centre(cell)
        half = self.side / 2 - inset
        return f'<rect x="{x - half:g}" y="{y - half:g}" width="{2 * half:g}" height="{2 * half:g}"'

    def board(self) -> list[str]:
        inner_width, inner_height = self.width - 2 * self.margin, self.height - 2 * self.margin
        return [
            f'<rect width="{self.width:g}" height="{self.height:g}" rx="7" fill="{_FRAME}"/>',
            f'<rect x="{self.margin:g}" y="{self.margin:g}" width="{inner_width:g}"'
            f' height="{inner_height:g}" fill="{_LIGHT}"/>',
            *self.cells(_DARK, _PALE),
        ]

    def names(self) -> list[str]:
        if not self.shown.numbered:
            return _group(self.edge_names(self.margin), size=11, fill=_LIGHT)
        # Small enough to stay clear of a piece on the same square.
        corner = self.side / 2 - 6
        numbers = [
            _text(x - corner, y - corner, self.shown.geometry.labels[cell])
            for cell in self.places
            for x, y in [self.centre(cell)]
        ]
        return _group(numbers, size=7.5, fill=_LIGHT)


class _Points(_Sheet):
    step = 40.0
    margin = 44.0
    radius = 17.5

    def __init__(self, shown: View) -> None:
        super().__init__(shown)
        self.width = (shown.geometry.columns - 1) * self.step + 2 * self.margin
        self.height = (shown.geometry.rows - 1) * self.step + 2 * self.margin

    def centre(self, cell: int) -> tuple[float, float]:
        row, column = self.places[cell]
        return self.margin + column * self.step, self.margin + row * self.step

    def cover(self, cell: int, inset: float = 0) -> str:
        x, y = self.centre(cell)
        return f'<circle cx="{x:g}" cy="{y:g}" r="{self.step / 2 - 1.5 - inset:g}"'

    def board(self) -> list[str]:
        right, bottom = self.width - self.margin, self.height - self.margin
        across = [
            f"M{self.margin:g} {self.margin + row * self.step:g}H{right:g}"
            for row in range(self.shown.geometry.rows)
        ]
        down = [
            f"M{self.margin + column * self.step:g} {self.margin:g}V{bottom:g}"
            for column in range(self.shown.geometry.columns)
        ]
        return [
            f'<rect width="{self.width:g}" height="{self.height:g}" rx="7" fill="{_WOOD}"/>',
            f'<path d="{"".join(across + down)}" stroke="{_THREAD}" stroke-width="1.2"'
            ' stroke-linecap="square"/>',
            *self._stars(),
            *self.cells("transparent"),
        ]

    def names(self) -> list[str]:
        return _group(self.edge_names(self.margin - 14), size=14, fill=_THREAD)

    def _stars(self) -> list[str]:
        """The dots that guide the eye on large boards with a middle."""
        rows, columns = self.shown.geometry.rows, self.shown.geometry.columns
        if min(rows, columns) < 9 or rows % 2 == 0 or columns % 2 == 0:
            return []
        inset = 3 if min(rows, columns) >= 13 else 2
        spots = {(rows // 2, columns // 2)} | {
            (row, column)
            for row in (inset, rows - 1 - inset)
            for column in (inset, columns - 1 - inset)
        }
        return [
            f'<circle cx="{self.margin + column * self.step:g}"'
            f' cy="{self.margin + row * self.step:g}" r="4" fill="{_THREAD}"/>'
            for row, column in sorted(spots)
        ]


class _Hexes(_Sheet):
    side = 30.0
    margin = 14.0
    radius = 14.5

    def __init__(self, shown: View) -> None:
        super().__init__(shown)
        middles = [self._middle(cell) for cell in self.places]
        self._left = min(x for x, _ in middles) - self.side * sqrt(3) / 2 - self.margin
        self._top = min(y for _, y in middles) - self.side - self.margin
        right = max(x for x, _ in middles) + self.side * sqrt(3) / 2 + self.margin
        bottom = max(y for _, y in middles) + self.side + self.margin
        self.width, self.height = round(right - self._left, 1), round(bottom - self._top, 1)

    def _middle(self, cell: int) -> tuple[float, float]:
        row, column = self.places[cell]
        return self.side * sqrt(3) * (column + row / 2), self.side * 1.5 * row

    def centre(self, cell: int) -> tuple[float, float]:
        x, y = self._middle(cell)
        return round(x - self._left, 2), round(y - self._top, 2)

    def cover(self, cell: int, inset: float = 0) -> str:
        x, y = self.centre(cell)
        return f'<polygon points="{_hexagon(x, y, self.side - 1.5 - inset)}"'

    def board(self) -> list[str]:
        rim = self.side + 2 * self.margin / 3
        frame = [f'<polygon points="{_hexagon(*self.centre(cell), rim)}"/>' for cell in self.places]
        return [
            f'<g fill="{_SLATE}" stroke="{_SLATE}" stroke-width="4" stroke-linejoin="round">',
            *frame,
            "</g>",
            *self.cells(_MIST),
        ]

    def names(self) -> list[str]:
        names = [
            _text(x, y + 0.66 * self.side, self.shown.geometry.labels[cell])
            for cell in self.places
            for x, y in [self.centre(cell)]
        ]
        return _group(names, size=8, fill=_SLATE, opacity=0.6)


_SHEETS: Mapping[str, type[_Sheet]] = {"squares": _Squares, "points": _Points, "hexes": _Hexes}


def _hexagon(x: float, y: float, side: float) -> str:
    """The corners of a hexagon that stands on one of them."""
    angles = [pi / 6 + pi / 3 * corner for corner in range(6)]
    return " ".join(f"{x + side * cos(a):.2f},{y + side * sin(a):.2f}" for a in angles)


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}">{escape(text)}</text>'


def _group(texts: list[str], *, size: float, fill: str, opacity: float = 0.8) -> list[str]:
    return [
        f'<g font-family="system-ui, sans-serif" font-size="{size:g}" fill="{fill}"'
        f' fill-opacity="{opacity:g}" text-anchor="middle" dominant-baseline="central">',
        *texts,
        "</g>",
    ]


def _heat(shown: View, sheet: _Sheet) -> list[str]:
    return [
        f'{sheet.cover(cell)} fill="{_HEAT}" fill-opacity="{0.85 * value:.3f}"/>'
        for cell, value in shown.heat.items()
        if value > 0
    ]


def _highlights(shown: View, sheet: _Sheet) -> list[str]:
    return [
        f'{sheet.cover(cell, 1.5)} fill="{_HIGHLIGHT}" fill-opacity="0.3" stroke="{_HIGHLIGHT}"'
        ' stroke-width="3"/>'
        for cell in sorted(shown.highlights)
    ]


def _last_move(shown: View, sheet: _Sheet) -> list[str]:
    """The cells where the last move began and ended, its way, and crosses where pieces were."""
    if shown.last_move is None or len(shown.last_move.path) < 2:
        return []
    ends = [
        f'{sheet.cover(cell)} fill="{_LAST}" fill-opacity="0.6"/>' for cell in sorted(shown.touched)
    ]
    way = " ".join(f"{x:g},{y:g}" for x, y in map(sheet.centre, shown.last_move.path))
    crosses = [
        f"M{x - 6:g} {y - 6:g}l12 12m0 -12l-12 12"
        for cell in shown.last_move.captured
        if cell not in shown.pieces
        for x, y in [sheet.centre(cell)]
    ]
    return [
        *ends,
        f'<g fill="none" stroke="{_LAST}" stroke-width="4" stroke-opacity="0.75"'
        ' stroke-linecap="round" stroke-linejoin="round">',
        f'<polyline points="{way}"/>',
        *([f'<path d="{"".join(crosses)}"/>'] if crosses else []),
        "</g>",
    ]


def _last_stone(shown: View, sheet: _Sheet) -> list[str]:
    """A dot on a piece that was set, or on the cell that one left."""
    if shown.last_move is None or len(shown.last_move.path) != 1:
        return []
    x, y = sheet.centre(shown.last_move.path[0])
    return [f'<circle cx="{x:g}" cy="{y:g}" r="{0.3 * sheet.radius:g}" fill="{_HEAT}"/>']


def _piece(shown: View, sheet: _Sheet, piece: Piece) -> str:
    colors = piece_colors(shown.state.game, piece.owner)
    x, y = sheet.centre(piece.cell)
    body, rim, detail = map(_hex, (colors.body, colors.rim, colors.detail))
    radius = sheet.radius
    parts = [
        f'<circle cy="1.8" r="{radius:g}" fill="#000" fill-opacity="0.28"/>',
        f'<circle r="{radius:g}" fill="{body}" stroke="{rim}" stroke-width="1.5"/>',
    ]
    if piece.kind in ("man", "king", "jumped"):
        parts.append(
            f'<circle r="{0.68 * radius:g}" fill="none" stroke="{detail}" stroke-width="1.5"/>'
        )
    if piece.kind == "king":
        parts.append(
            f'<path d="M-6.5 5.5L-8.5 -4.5L-4 -0.5L0 -7L4 -0.5L8.5 -4.5L6.5 5.5Z" fill="{_GOLD}"'
            ' stroke="#7a5200" stroke-width="1" stroke-linejoin="round"/>'
        )
    if len(piece.kind) == 1:
        parts += _group([_text(0, 0, piece.kind)], size=1.2 * radius, fill=rim, opacity=1)
    faded = ' opacity="0.4"' if piece.kind == "jumped" else ""
    return f'<g transform="translate({x:g} {y:g})"{faded}>{"".join(parts)}</g>'


def _hex(color: Color) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
