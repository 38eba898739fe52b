"""Boards drawn as text: x and o are stones, everything else is an empty point."""

import re

Marks = dict[str, str]


def read(diagram: str) -> tuple[int, str, Marks]:
    """The size of the board, its rows as in a FEN, and the marks by the names of their points."""
    rows = diagram.split()
    size = len(rows)
    assert {len(row) for row in rows} == {size}, "the board must be square"
    marks = {
        f"{chr(ord('a') + column)}{size - row}": mark
        for row, text in enumerate(rows)
        for column, mark in enumerate(text)
        if mark not in "xo."
    }
    gaps = (re.sub(r"[^xo]+", lambda gap: str(len(gap[0])), row) for row in rows)
    return size, "/".join(gaps), marks
