"""Renju's forbidden points straight from the wording of the rules: slow, and without cleverness.

Works on sets of (row, column). Rows of stones are found by looking at every window of five points.
"""

from collections.abc import Iterator
from dataclasses import dataclass

Point = tuple[int, int]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True)
class Board:
    """The black stones and the empty points; all else is white or off the board."""

    black: frozenset[Point]
    empty: frozenset[Point]

    def with_black(self, point: Point) -> "Board":
        return Board(self.black | {point}, self.empty - {point})


def verdict(board: Board, point: Point) -> str:
    """What a black stone on an empty point would be: free, five, or the name of a foul."""
    after = board.with_black(point)
    if any(_is_five(after, window) for d in DIRECTIONS for window in _windows(point, d, 5)):
        return "five"
    if any(after.black.issuperset(w) for d in DIRECTIONS for w in _windows(point, d, 6)):
        return "overline"
    if len({four for d in DIRECTIONS for four in _fours(after, point, d)}) >= 2:
        return "double four"
    if sum(_is_three(after, point, d) for d in DIRECTIONS) >= 2:
        return "double three"
    return "free"


def _windows(point: Point, direction: Point, length: int) -> Iterator[tuple[Point, ...]]:
    (row, column), (down, right) = point, direction
    for start in range(1 - length, 1):
        steps = range(start, start + length)
        yield tuple((row + i * down, column + i * right) for i in steps)


def _only_gap(board: Board, window: tuple[Point, ...]) -> list[Point]:
    """The one point of the window that is not black, if there is just one and it is empty."""
    gaps = [point for point in window if point not in board.black]
    return gaps if len(gaps) == 1 and gaps[0] in board.empty else []


def _is_five(board: Board, window: tuple[Point, ...]) -> bool:
    """All five are black, and the row goes no further."""
    (row, column), (next_row, next_column) = window[0], window[1]
    down, right = next_row - row, next_column - column
    before = (row - down, column - right)
    behind = (row + 5 * down, column + 5 * right)
    return board.black.issuperset(window) and not board.black.intersection((before, behind))


def _fours(board: Board, point: Point, direction: Point) -> set[frozenset[Point]]:
    """The sets of four stones, with the one on the point, that one more stone turns into five."""
    return {
        frozenset(window) - {gap}
        for window in _windows(point, direction, 5)
        for gap in _only_gap(board, window)
        if _is_five(board.with_black(gap), window)
    }


def _is_straight_four(board: Board, window: tuple[Point, ...]) -> bool:
    """Four stones in an unbroken row that can become five in two ways."""
    if not board.black.issuperset(window):
        return False
    (row, column), (next_row, next_column) = window[0], window[1]
    down, right = next_row - row, next_column - column
    before = (row - down, column - right)
    behind = (row + 4 * down, column + 4 * right)
    return all(
        end in board.empty and _is_five(board.with_black(end), five)
        for end, five in ((before, (before, *window)), (behind, (*window, behind)))
    )


def _is_three(board: Board, point: Point, direction: Point) -> bool:
    """Three stones, with the one on the point, that a playable stone turns into a straight four."""
    return any(
        _is_straight_four(board.with_black(gap), window) and verdict(board, gap) == "free"
        for window in _windows(point, direction, 4)
        for gap in _only_gap(board, window)
    )
