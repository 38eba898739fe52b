"""What five in a row has beyond the common interface of games."""

from boardzero import _core

__all__ = ["winning_lines"]


def winning_lines(size: int = 8, line: int = 5) -> list[list[int]]:
    """The cells of every line of this length on a square board, computed rather than typed in.

    >>> len(winning_lines(8, 5))
    96
    """
    return _core.gomoku_lines(size, line)
