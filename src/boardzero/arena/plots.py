"""Results as pictures, PNG or SVG by the name of the file.

All plots share one look, made by `_canvas`: a title that says what is shown, quiet axes, colours
that colour-blind readers can tell apart. They are drawn without a display.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from boardzero.base.errors import BoardZeroError
from boardzero.base.extras import needs_extra
from boardzero.base.files import write_file
from boardzero.store import Rating

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, without the yellow that fades on white; markers repeat the distinction.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
_MARKERS = "osD^vP"
_LETTERS_ACROSS = 96
_INK, _QUIET, _GRID = "#1f2933", "#6b7785", "#e4e7eb"

_STYLE: dict[str, object] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "text.color": _INK,
    "axes.edgecolor": _QUIET,
    "axes.labelcolor": _QUIET,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": _GRID,
    "grid.linewidth": 0.8,
    "xtick.color": _QUIET,
    "ytick.color": _QUIET,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "svg.fonttype": "none",  # words stay words, which can be searched and read aloud
    "svg.hashsalt": "boardzero",  # the same data give the same file
}


@dataclass(frozen=True, slots=True)
class Curve:
    """A named line; `low` and `high`, if given, are its 95 % band.

    The first reference gets the colour of the first other curve, and so on: to be compared.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    reference: bool = False  # someone else's figures: dashed, hollow


def plot_ratings(
    ratings: Iterable[Rating],
    path: Path | str,
    *,
    title: str = "Ratings with 95 % intervals",
    scale: str = "Elo",
    labels: Mapping[str, str] | None = None,
) -> None:
    """One line per player, strongest on top: a dot for the rating, a bar for its interval."""
    ordered = sorted(ratings, key=lambda rating: rating.value)
    rows = range(len(ordered))
    with _canvas(path, title, height=1.6 + 0.36 * len(ordered)) as axes:
        axes.grid(axis="x")
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        finite = [x for r in ordered for x in (r.low, r.value, r.high) if math.isfinite(x)]
        least, most = min(finite, default=0.0), max(finite, default=0.0)
        for row, rating in zip(rows, ordered, strict=True):
            ends = max(rating.low, least), min(rating.high, most)
            axes.plot(ends, (row, row), color=_COLOURS[0], linewidth=5, alpha=0.3)
            axes.plot(rating.value, row, "o", color=_COLOURS[0])
            axes.annotate(
                f"{rating.value:.0f}".replace("-", "\N{MINUS SIGN}"),
                (1.07, row),
                xycoords=("axes fraction", "data"),
                va="center",
                ha="right",
            )
        axes.set_yticks(rows, [(labels or {}).get(r.player, r.player) for r in ordered])
        axes.set_ylim(-0.7, len(ordered) - 0.3)
        axes.set_xlabel(scale)


def plot_totals(
    totals: Mapping[str, int],
    path: Path | str,
    *,
    title: str = "Games won by each version",
    x_label: str = "version",
) -> None:
    """Wins of each version against all others, in the order given."""
    with _canvas(path, title) as axes:
        axes.grid(axis="y")
        places = range(len(totals))
        axes.fill_between(places, list(totals.values()), color=_COLOURS[0], alpha=0.1, linewidth=0)
        axes.plot(places, list(totals.values()), "o-", color=_COLOURS[0])
        for place, wins in enumerate(totals.values()):
            axes.annotate(
                str(wins), (place, wins), (0, 7), textcoords="offset points", ha="center", size=8.5
            )
        axes.set_xticks(places, list(totals), rotation=0 if len(totals) < 20 else 90)
        axes.set_ylim(0, max([*totals.values(), 1]) * 1.12)
        axes.set_xlabel(x_label)
        axes.set_ylabel("games won")


def plot_board(
    shares: Sequence[Sequence[float]], marks: Sequence[str], path: Path | str, *, title: str
) -> None:
    """A board of squares, each the darker the larger its share; `marks` has a letter for each."""
    rows, columns = len(shares), len(shares[0])
    most = max(max(row) for row in shares) or 1.0
    with _canvas(path, title, height=6.5) as axes:
        axes.imshow(
            [[share / most for share in row] for row in shares], cmap="Blues", vmin=0, vmax=1.6
        )
        for row in range(rows):
            for column in range(columns):
                mark, share = marks[row][column], shares[row][column]
                text = f"{share:.0%}" if share >= 0.005 else ""
                strong = mark not in ".-"
                axes.text(
                    column,
                    row,
                    mark if strong else text,
                    ha="center",
                    va="center",
                    size=14 if strong else 8.5,
                    weight="bold" if strong else "normal",
                )
        axes.set_xticks(range(columns), [chr(ord("a") + column) for column in range(columns)])
        axes.set_yticks(range(rows), [str(rows - row) for row in range(rows)])
        axes.tick_params(length=0)


def plot_curves(
    curves: Sequence[Curve],
    path: Path | str,
    *,
    title: str,
    x_label: str,
    y_label: str,
    seconds: bool = False,
    log_x: bool = False,
) -> None:
    """Lines over one axis; `seconds` makes the other logarithmic and writes µs, ms and s.

    With `log_x` both are logarithmic, and what grows in proportion is a straight line.
    """
    with needs_extra("arena", "a plot"):
        from matplotlib.ticker import EngFormatter, LogLocator, MaxNLocator, ScalarFormatter

    columns = _legend_columns([curve.name for curve in curves])
    with _canvas(path, title, legend_rows=math.ceil(len(curves) / columns)) as axes:
        axes.grid(axis="y")
        drawn = {False: 0, True: 0}
        for curve in curves:
            place = drawn[curve.reference] % len(_COLOURS)
            drawn[curve.reference] += 1
            _draw(axes, curve, _COLOURS[place], _MARKERS[place])
        if log_x:
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.xaxis.set_major_formatter(ScalarFormatter())
            axes.minorticks_off()
        else:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        if seconds:
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter(EngFormatter(unit="s"))
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        if curves:
            axes.legend(
                loc="lower left",
                bbox_to_anchor=(0, 1),
                ncols=columns,
                borderaxespad=0.2,
                handlelength=1.8,
            )


def _legend_columns(names: Sequence[str]) -> int:
    """As many, up to four, as fit the figure's width; a legend that is wider squeezes the axes."""
    longest = max(map(len, names), default=0)
    return max(1, min(4, _LETTERS_ACROSS // (longest + 7)))  # 7: line and gaps


def _draw(axes: Axes, curve: Curve, colour: str, marker: str) -> None:
    axes.plot(
        curve.x,
        curve.y,
        color=colour,
        label=curve.name,
        linestyle="--" if curve.reference else "-",
        marker=marker if len(curve.x) <= 40 else "",
        markerfacecolor="white" if curve.reference else colour,
    )
    if curve.low and curve.high:
        axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.15, linewidth=0)


@contextmanager
def _canvas(
    path: Path | str, title: str, *, height: float = 4.5, legend_rows: int = 0
) -> Iterator[Axes]:
    """Axes in the shared style, saved when the block ends."""
    path = Path(path)
    if path.suffix not in (".png", ".svg"):
        raise BoardZeroError(f"a plot's name ends in .png or .svg, which {path} does not")

    with needs_extra("arena", "a plot"):
        from matplotlib import rc_context
        from matplotlib.figure import Figure

    with rc_context(_STYLE):  # type: ignore[arg-type]
        figure = Figure(figsize=(8, height), layout="constrained")
        axes = figure.subplots()
        axes.set_title(title, loc="left", weight="bold", size=12, pad=12 + 18 * legend_rows)
        yield axes
        drawn = BytesIO()
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(drawn, format=path.suffix[1:], dpi=150, metadata=metadata)
        write_file(path, drawn.getvalue(), parents=False)
