"""Boards for the terminal: plain letters anywhere, discs on coloured squares where colour works.

Both have the same layout, two columns to a square, because a character is about twice as high as
wide. Numbered squares show their number while they are empty, faintly, and each row its first and
last number; other boards have letters below and numbers at the sides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Unpack

from boardzero.games.drawing.view import Color, Marks, View, blend, piece_colors, view
from boardzero.games.game import Piece, State

_LIGHT: Color = (236, 220, 190)
_DARK: Color = (160, 112, 76)
_PALE: Color = (178, 130, 92)  # every second square where all are played on
_WOOD: Color = (222, 182, 122)
_HEXES: tuple[Color, ...] = ((62, 68, 82), (74, 81, 97), (86, 94, 112))  # neighbours differ
_LAST: Color = (214, 186, 60)
_HIGHLIGHT: Color = (86, 158, 142)
_HEAT: Color = (226, 68, 36)
_FAINT: Color = (128, 128, 128)


@dataclass(frozen=True, slots=True)
class _Span:
    """Some characters in one style; `fg` and `bg` None are the terminal's own."""

    text: str
    fg: Color | None = None
    bg: Color | None = None


_Line = list[_Span]


def draw(state: State, *, color: bool = False, **marks: Unpack[Marks]) -> str:
    """The board as lines of text; with ANSI colours (24 bits) if asked for.

    Plain text puts `>` before the cells of the last move, `*` before highlighted ones, and a digit
    for the heat of an empty cell. Rules that draw their own boards have no marks.
    """
    if picture := state.native.picture():
        return picture.rstrip("\n")
    shown = view(state, **marks)
    layout: Callable[[View, bool], list[_Line]]
    layout = _hexes if shown.geometry.kind == "hexes" else _rectangle
    write = _ansi if color else _plain
    return "\n".join(write(line) for line in layout(shown, color))


def _plain(line: _Line) -> str:
    return "".join(span.text for span in line).rstrip()


def _ansi(line: _Line) -> str:
    parts = []
    for span in line:
        codes = []
        if span.fg:
            codes.append("38;2;{};{};{}".format(*span.fg))
        if span.bg:
            codes.append("48;2;{};{};{}".format(*span.bg))
        parts.append(f"\x1b[{';'.join(codes)}m{span.text}\x1b[0m" if codes else span.text)
    return "".join(parts)


def _rectangle(shown: View, color: bool) -> list[_Line]:
    """Squares and points: one line to a row."""
    rows, columns = shown.geometry.rows, shown.geometry.columns
    lines = []
    for row in range(rows):
        left, right = _edges(shown, row)
        line = [_Span(f"{left:>3} ", _FAINT)]
        if color and shown.geometry.kind == "points":
            line.append(_Span(" ", bg=_WOOD))
        for column in range(columns):
            cell = shown.cells.get((row, column))
            if cell is None:
                line.append(_Span("  ", bg=_LIGHT))
            elif not color:
                line.append(_Span(_mark(shown, cell) + _symbol(shown, cell)))
            elif shown.geometry.kind == "points":
                line += _point(shown, cell, row, column)
            else:
                line.append(_square(shown, cell))
        lines.append([*line, _Span(f" {right}" if color else f"  {right}", _FAINT)])
    if not shown.numbered:
        files = [_file(shown, column) for column in range(columns)]
        pad = "" if color and shown.geometry.kind == "squares" else " "
        lines.append([_Span("    " + pad + "".join(f"{file:2}" for file in files), _FAINT)])
    return lines


def _edges(shown: View, row: int) -> tuple[str, str]:
    """What stands at the left and at the right of a row."""
    labels = [shown.geometry.labels[cell] for cell in shown.row(row)]
    if not labels:
        return "", ""
    if shown.numbered:
        return labels[0], labels[-1]
    rank = labels[0].lstrip("abcdefghijklmnopqrstuvwxyz")
    return rank, rank


def _file(shown: View, column: int) -> str:
    """The letter of a column."""
    for row in range(shown.geometry.rows):
        cell = shown.cells.get((row, column))
        if cell is not None:
            return shown.geometry.labels[cell].rstrip("0123456789")
    return ""


def _square(shown: View, cell: int) -> _Span:
    ground = _ground(shown, cell, (_PALE, _DARK)[sum(shown.geometry.places[cell]) % 2])
    piece = shown.pieces.get(cell)
    if piece is not None:
        return _Span(f"{_glyph(piece)} ", _ink(shown, piece, ground), ground)
    number = shown.geometry.labels[cell] if shown.numbered else ""
    return _Span(f"{number:>2}", blend(ground, _LIGHT, 0.3), ground)


def _point(shown: View, cell: int, row: int, column: int) -> _Line:
    """A crossing of lines, and the line to the next one."""
    ground = _ground(shown, cell, _WOOD)
    thread = blend(ground, (70, 44, 12), 0.45)
    last_row, last_column = shown.geometry.rows - 1, shown.geometry.columns - 1
    piece = shown.pieces.get(cell)
    if piece is None:
        corners = "┌┬┐├┼┤└┴┘"
        across = 0 if column == 0 else 2 if column == last_column else 1
        down = 0 if row == 0 else 2 if row == last_row else 1
        crossing = _Span(corners[3 * down + across], thread, ground)
    else:
        crossing = _Span(_glyph(piece), _ink(shown, piece, ground), ground)
    return [crossing, _Span(" " if column == last_column else "─", thread, ground)]


def _hexes(shown: View, color: bool) -> list[_Line]:
    """Hexagons: six columns and two lines each, the piece above the name, rows set off by half."""
    lines: list[_Line] = []
    middle = shown.geometry.rows // 2
    for row in range(shown.geometry.rows):
        indent = _Span(" " * (3 * abs(row - middle) + 1))
        upper, lower = [indent], [indent]
        for cell in shown.row(row):
            label = f"{shown.geometry.labels[cell]:^6}"
            if not color:
                upper.append(_Span(f" {_mark(shown, cell)}{_symbol(shown, cell)}   "))
                lower.append(_Span(label))
                continue
            r, q = shown.geometry.places[cell]
            ground = _ground(shown, cell, _HEXES[(q - r) % 3])
            piece = shown.pieces.get(cell)
            ink = _ink(shown, piece, ground) if piece else None
            upper.append(_Span(f"  {_glyph(piece) if piece else ' '}   ", ink, ground))
            lower.append(_Span(label, blend(ground, (255, 255, 255), 0.3), ground))
        lines += [upper, lower]
    return lines


def _ground(shown: View, cell: int, color: Color) -> Color:
    """The cell's colour under its marks."""
    if cell in shown.heat:
        color = blend(color, _HEAT, shown.heat[cell])
    if cell in shown.touched:
        color = blend(color, _LAST, 0.7)
    if cell in shown.highlights:
        color = blend(color, _HIGHLIGHT, 0.8)
    return color


def _ink(shown: View, piece: Piece, ground: Color) -> Color:
    body = piece_colors(shown.state.game, piece.owner).body
    return blend(body, ground, 0.65) if piece.kind == "jumped" else body


def _glyph(piece: Piece) -> str:
    if len(piece.kind) == 1:
        return piece.kind
    return "♛" if piece.kind == "king" else "●"


def _mark(shown: View, cell: int) -> str:
    return "*" if cell in shown.highlights else ">" if cell in shown.touched else " "


def _symbol(shown: View, cell: int) -> str:
    """The letter of a piece: of its seat, small for a man; crosses and noughts for stones."""
    piece = shown.pieces.get(cell)
    if piece is None:
        return str(min(9, int(10 * shown.heat[cell]))) if cell in shown.heat else "."
    if len(piece.kind) == 1:
        return piece.kind
    if piece.kind == "jumped":
        return "x"
    if piece.kind == "stone":
        return "XO#@"[piece.owner]
    initials = [seat[0] for seat in shown.state.game.seats]
    letter = initials[piece.owner]
    if initials.count(letter) > 1:
        return str(piece.owner + 1)
    return letter.lower() if piece.kind == "man" else letter.upper()
