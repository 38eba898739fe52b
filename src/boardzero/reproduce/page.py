"""A report as it is written: sentences, tables and figures, all from CSV files.

A section whose file is not there yet says so, and the page goes on.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from boardzero.arena.plots import Curve, plot_board, plot_curves, plot_totals
from boardzero.arena.tables import Table

Row = dict[str, str]

_THEIRS = Path(__file__).parent / "theirs"


def read_csv(path: Path) -> list[Row]:
    """The rows of a CSV file by the names of its columns; none where there is no file."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError:
        return []


def theirs(name: str) -> list[Row]:
    """What a document prints."""
    return read_csv(_THEIRS / f"{name}.csv")


class Page:
    """Markdown that grows; figures are drawn into its folder as they are added."""

    def __init__(self, folder: Path, title: str) -> None:
        self.folder = folder
        self._parts = [f"# {title}"]

    def markdown(self) -> str:
        return "\n\n".join(self._parts) + "\n"

    def rows(self, name: str) -> list[Row]:
        """Of a result; none if it is not there yet."""
        return read_csv(self.folder / name)

    def section(self, title: str) -> None:
        self._parts.append(f"## {title}")

    def say(self, text: str) -> None:
        self._parts.append(text)

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        texts = tuple(tuple(str(cell) for cell in row) for row in rows)
        if texts:
            self._parts.append(Table(title, tuple(columns), texts).markdown().rstrip())
        else:
            self.missing(title)

    def missing(self, what: str) -> None:
        self._parts.append(f"*{what}: not measured yet.*")

    def curves(
        self,
        name: str,
        curves: Sequence[Curve],
        *,
        title: str,
        x_label: str,
        y_label: str,
        seconds: bool = False,
    ) -> None:
        """A figure of lines; of times, on a logarithmic scale."""
        drawn = [curve for curve in curves if len(curve.x)]
        if not any(not curve.reference for curve in drawn):
            self.missing(title)
            return

        def draw(path: Path) -> None:
            plot_curves(drawn, path, title=title, x_label=x_label, y_label=y_label, seconds=seconds)

        self._figure(name, title, draw)

    def totals(self, name: str, totals: dict[str, int], *, title: str) -> None:
        """A figure of games won by each version."""
        self._figure(name, title, lambda path: plot_totals(totals, path, title=title))

    def board(
        self, name: str, shares: Sequence[Sequence[float]], marks: Sequence[str], *, title: str
    ) -> None:
        """A heat map; `marks` are the rows of the board, a letter for each cell."""
        self._figure(name, title, lambda path: plot_board(shares, marks, path, title=title))

    def _figure(self, name: str, title: str, draw: Callable[[Path], None]) -> None:
        draw(self.folder / f"{name}.svg")
        self._parts.append(f"![{title}]({name}.svg)")
