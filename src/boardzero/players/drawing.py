"""A choice as a notebook shows it: the moves that were looked at, each with a bar."""

from __future__ import annotations

from html import escape

from boardzero.players.player import Candidate, Choice

_MOST = 8  # moves shown
_BAR = '<div style="background:#7a9e6d;height:0.8em;width:{width:.0f}px"></div>'
_WIDTH = 160  # pixels of the longest bar


def candidates_table(choice: Choice) -> str:
    """The best moves, how much each was looked at or what it is worth, and the line expected."""
    shown = list(choice.candidates)[:_MOST] or [Candidate(choice.move, value=choice.value)]
    shares = _shares(shown)
    rows = "".join(
        f"<tr><td>{escape(candidate.move.text)}</td><td>{_number(candidate.value)}</td>"
        f"<td>{_BAR.format(width=_WIDTH * share)}</td></tr>"
        for candidate, share in zip(shown, shares, strict=True)
    )
    line = escape(" ".join(choice.pv))
    return f"<table><tr><th>move</th><th>value</th><th></th></tr>{rows}</table><p>{line}</p>"


def _shares(candidates: list[Candidate]) -> list[float]:
    """From 0 to 1: of the visits, where they were counted; else by what a move is worth."""
    most = max(candidate.visits for candidate in candidates)
    if most > 0:
        return [candidate.visits / most for candidate in candidates]
    return [((candidate.value or 0.0) + 1) / 2 for candidate in candidates]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:+.2f}"
