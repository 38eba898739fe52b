"""Results as tables: for the terminal, for a page, for a spreadsheet.

A builder makes a `Table` of ready texts, which then writes itself in any format. `labels` gives
players short names ("AB 6" for "alphabeta:depth=6"); `players` fixes their order, which is
otherwise that of their first game.
"""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boardzero.arena.score import scores_by_seat, seconds_per_move, total_wins
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_file
from boardzero.store import GameResult, Rating

if TYPE_CHECKING:
    import rich.table


@dataclass(frozen=True, slots=True)
class Table:
    """Texts in rows; the first column names the row, the others are figures."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """Aligned, for a terminal."""
        widths = [max(map(len, column)) for column in zip(self.columns, *self.rows, strict=True)]
        rule = ["─" * width for width in widths]
        body = "\n".join(
            "  ".join(
                cell.rjust(width) if i else cell.ljust(width)
                for i, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in (self.columns, rule, *self.rows)
        )
        return f"{self.title}\n\n{body}\n"

    def markdown(self) -> str:
        """For a page of documentation."""
        rule = (":---", *["---:"] * (len(self.columns) - 1))
        escaped = (
            " | ".join(cell.replace("|", "\\|") for cell in line)
            for line in (self.columns, rule, *self.rows)
        )
        body = "\n".join(f"| {line} |" for line in escaped)
        return f"**{self.title}**\n\n{body}\n"

    def csv(self) -> str:
        """Without the title: a header and the rows, for programs."""
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows([self.columns, *self.rows])
        return file.getvalue()

    def rich(self) -> rich.table.Table:
        """With colours, for rich."""
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable(title=Text(self.title), box=box.SIMPLE_HEAD, title_justify="left")
        for i, column in enumerate(self.columns):
            table.add_column(Text(column), justify="right" if i else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*map(Text, row))  # Text, because [ ] in a name is no markup
        return table

    def save(self, path: Path | str) -> None:
        """Write the format that the name ends in: .txt, .md or .csv."""
        path = Path(path)
        formats: dict[str, Callable[[], str]] = {
            ".txt": self.text,
            ".md": self.markdown,
            ".csv": self.csv,
        }
        if path.suffix not in formats:
            raise BoardZeroError(f"a table's name ends in .txt, .md or .csv, which {path} does not")
        write_file(path, formats[path.suffix](), parents=False)


def cross_table(
    games: Iterable[GameResult],
    *,
    players: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
) -> Table:
    """Won : drawn : lost of the row's player, who moved first, against the column's."""
    name = _names(labels)
    scores = scores_by_seat(games)
    players = players or list(dict.fromkeys(player for pair in scores for player in pair))
    return Table(
        "Won : drawn : lost by the player in the row, who moves first",
        ("", *map(name, players)),
        tuple(
            (name(row), *(str(scores.get((row, column), "-")) for column in players))
            for row in players
        ),
    )


def wins_table(
    games: Iterable[GameResult],
    *,
    players: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
) -> Table:
    """Games that the row's player won against the column's, whoever moved first; and in all."""
    name = _names(labels)
    games = list(games)
    total = total_wins(games)
    players = players or list(total)
    wins: Counter[tuple[str, str]] = Counter()
    for game in games:
        if game.winner is not None:
            winner = game.seats[game.winner]
            wins.update((winner, other) for other in set(game.seats) - {winner})
    return Table(
        "Games won by the player in the row; draws are not counted",
        ("", *map(name, players), "total"),
        tuple(
            (
                name(row),
                *("" if row == column else str(wins[row, column]) for column in players),
                str(total.get(row, 0)),
            )
            for row in players
        ),
    )


def rating_table(
    ratings: Iterable[Rating], *, scale: str = "Elo", labels: Mapping[str, str] | None = None
) -> Table:
    """Strongest first, with the ends of the 95 % intervals."""
    name = _names(labels)
    digits = 0 if scale == "Elo" else 1
    return Table(
        f"{scale} with 95 % intervals",
        ("player", scale, "from", "to", "games"),
        tuple(
            (
                name(rating.player),
                *(_number(x, digits) for x in (rating.value, rating.low, rating.high)),
                str(rating.games),
            )
            for rating in sorted(ratings, key=lambda rating: -rating.value)
        ),
    )


def time_table(
    games: Iterable[GameResult],
    *,
    players: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
    reference: Mapping[str, float] | None = None,
) -> Table:
    """Mean seconds per move, beside those of `reference` (by player) if it is given."""
    name = _names(labels)
    seconds = seconds_per_move(games)
    rows = []
    for player in players or list(seconds):
        row = [name(player), _seconds(seconds.get(player))]
        if reference is not None:
            mine, theirs = seconds.get(player), reference.get(player)
            row += [_seconds(theirs), f"{theirs / mine:,.0f}" if mine and theirs else "-"]
        rows.append(tuple(row))
    more = () if reference is None else ("reference", "times shorter")
    return Table("Mean seconds per move", ("player", "seconds", *more), tuple(rows))


def _names(labels: Mapping[str, str] | None) -> Callable[[str], str]:
    return lambda player: (labels or {}).get(player, player)


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else f"{value:+}".replace("inf", "∞")


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
