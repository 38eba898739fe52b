"""Meng 2020: four methods on international draughts, figures 8.1 to 8.7, and why they failed."""

from __future__ import annotations

from collections.abc import Sequence

from boardzero.arena.plots import Curve
from boardzero.reproduce.curves import elo_curves, elo_figure, loss_figure
from boardzero.reproduce.document import Document
from boardzero.reproduce.ladder import INTERNATIONAL
from boardzero.reproduce.page import Page, theirs
from boardzero.reproduce.parts import MeasuringPart, Part, Training, Workshop, save_progress

_METHODS = ("baseline", "mpv", "three-stage", "hybrid")
_WISHES = (
    "three-stage-large",
    "history",
)  # section 8.3's hypothesis, and section 8.2's board history
_FULL = ("meng-baseline", "meng-mpv")
_SMALL = tuple(f"meng-{method}-small" for method in (*_METHODS, *_WISHES))
_SECOND = ("meng-baseline-small-seed2", "meng-mpv-small-seed2")
_PLAYERS = ("random", "alphabeta:depth=2")
_ITERATIONS = 50  # that section 8 shows
_FIGURES = {"random": "8.5", "alphabeta:depth=2": "8.6"}


def parts(quick: bool) -> Sequence[Part]:
    full: list[Part] = [
        Training(name, 1500, changes=(f"run.iterations={_ITERATIONS}",)) for name in _FULL
    ]
    minutes = 4.0 if quick else 80.0
    small: list[Part] = [Training(name, minutes, limit=minutes) for name in _SMALL]
    small += [
        Training(name.removesuffix("-seed2"), minutes, ("seed=2",), name, limit=minutes)
        for name in (() if quick else _SECOND)
    ]
    games = 6 if quick else 20
    versions = 3 if quick else 10
    small_runs = _SMALL if quick else (*_SMALL, *_SECOND)
    measured: list[Part] = [
        elo_curves(
            "small",
            small_runs,
            _PLAYERS,
            rival="meng-baseline-small",
            games=games,
            versions=versions,
            minutes=10 if quick else 120,
        ),
        MeasuringPart("progress", "how far the runs have come", 0.1, _progress),
    ]
    if quick:
        return [*small, *measured]
    published = elo_curves("full", _FULL, _PLAYERS, rival="meng-baseline", minutes=240)
    return [*full, *small, published, *measured, *INTERNATIONAL.parts(minutes=15, games=100)]


def _progress(shop: Workshop) -> None:
    save_progress(shop, "progress.csv", (*_FULL, *_SMALL, *_SECOND))


def write(page: Page, quick: bool) -> None:
    _write_progress(page)
    if not quick:
        page.section("As published: 10 blocks of 64, 100 games an iteration")
        _write_figures(page, "full", _FULL, "meng-baseline")
    page.section("Made small: 4 blocks of 32, 50 games an iteration, nothing else changed")
    _write_figures(page, "small", (*_SMALL, *_SECOND), "meng-baseline-small")
    page.section("Against the baseline of the same minute, all versions together")
    _write_rivals(page)
    if not quick:
        page.section("Why they failed: from the small recipe to the modern one")
        page.say(
            "The thesis names the size of the net and the number of simulations (section "
            "8.2). Each rung "
            "has 15 minutes on one core and two seeds; the last is `meng-baseline-modern`."
        )
        INTERNATIONAL.write(page)


def _write_progress(page: Page) -> None:
    rows = page.rows("progress.csv")
    table = []
    for row in rows:
        done, minutes = int(row["iterations"]), float(row["minutes"])
        rest = minutes / done * (_ITERATIONS - done) / 60 if done else 0.0
        left = f"{rest:.0f} h" if done and rest > 0 else ""
        table.append((row["run"], done, row["versions"], row["games"], row["minutes"], left))
    columns = ("run", "iterations", "accepted", "games", "minutes", f"to {_ITERATIONS} iterations")
    page.table("How far each run is", columns, table)


def _write_figures(page: Page, folder: str, runs: Sequence[str], rival: str) -> None:
    losses, elo = page.rows(f"{folder}/losses.csv"), page.rows(f"{folder}/elo.csv")
    figures = dict(zip(_METHODS, ("8.1", "8.2", "8.3", "8.4"), strict=True))
    for run in runs:
        method = run.removeprefix("meng-").split("-small")[0]
        if method in figures and "seed2" not in run:
            title = f"Figure {figures[method]}: training loss of {run}"
            loss_figure(page, f"{folder}-loss-{method}", losses, run, title=title)
    for against, figure in (*_FIGURES.items(), (rival, "8.7")):
        title = f"Figure {figure}: Elo against {against}"
        printed = _printed(figure)
        elo_figure(page, f"{folder}-figure-{figure}", elo, against, title=title, theirs=printed)
    page.say(
        "Dashed: the points that the thesis's text gives; its figures are lost. Against "
        "alpha-beta of "
        "depth 2 all begin at about -300; the baseline falls to about -500, peaks at -150 at "
        "iteration 20 "
        "and ends at about -250; MPV reaches +100 after 27 and ends at about -100."
    )


def _printed(figure: str) -> list[Curve]:
    rows = [row for row in theirs("meng-elo") if row["figure"] == figure]
    return [
        Curve(
            f"{method} (thesis)",
            [float(row["iteration"]) for row in rows if row["method"] == method],
            [float(row["elo"]) for row in rows if row["method"] == method],
            reference=True,
        )
        for method in dict.fromkeys(row["method"] for row in rows)
    ]


def _write_rivals(page: Page) -> None:
    table = []
    for folder, rival in (("full", "meng-baseline"), ("small", "meng-baseline-small")):
        rows = [
            row
            for row in page.rows(f"{folder}/elo.csv")
            if row["against"] == rival and int(row["version"]) > 0
        ]
        for run in dict.fromkeys(row["run"] for row in rows):
            own = [row for row in rows if row["run"] == run]
            sums = [sum(int(row[key]) for row in own) for key in ("wins", "draws", "losses")]
            table.append((run, rival, " : ".join(map(str, sums))))
    page.table("Trained versions", ("run", "against", "won : drawn : lost"), table)


MENG = Document(
    "meng",
    "Meng 2020: reinforcement learning and Monte-Carlo tree search in draughts",
    "Li Meng, Groningen 2020: international draughts, learned by the baseline, by multiple "
    "policy value (MPV), "
    "by three stages and by their hybrid. No method stably beat alpha-beta of depth 2.",
    6000,
    parts,
    write,
)
