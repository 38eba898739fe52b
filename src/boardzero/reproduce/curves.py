"""Strength over training: versions of runs against the same opponents, as Meng 2020 draws it."""

from __future__ import annotations

from collections.abc import Sequence

from boardzero.arena.plots import Curve
from boardzero.experiments.comparison import Comparison, Opponent
from boardzero.reproduce.page import Page, Row
from boardzero.reproduce.parts import MeasuringPart, Workshop


def elo_curves(
    name: str,
    runs: Sequence[str],
    players: Sequence[str],
    *,
    rival: str = "",
    games: int = 20,
    versions: int = 10,
    minutes: float = 60,
) -> MeasuringPart:
    """Matches of each run's versions against players, and against the run `rival` of that time."""

    def work(shop: Workshop) -> None:
        found = shop.runs_of(runs)
        if not found:
            return
        against = [Opponent(player) for player in players]
        against += [Opponent(run.name, run) for run in shop.runs_of([rival] if rival else [])]
        comparison = Comparison(
            found, against, shop.folder / name, games=games, versions=versions, seed=1
        )
        for version, opponent, competition in comparison.competitions(shop.store):
            shop.tell(f"{version.run}, version {version.version}, against {opponent.label}")
            shop.play(competition)
        comparison.folder.mkdir(parents=True, exist_ok=True)
        for file, table in comparison.tables(shop.store).items():
            table.save(comparison.folder / file)

    about = f"versions of {', '.join(runs)} against {', '.join([*players, rival]).rstrip(', ')}"
    return MeasuringPart(f"measure {name}", about, minutes, work)


def elo_figure(
    page: Page,
    file: str,
    rows: Sequence[Row],
    against: str,
    *,
    title: str,
    theirs: Sequence[Curve] = (),
) -> None:
    """Elo over iterations against one opponent, each run a line, the document's beside them."""
    own = [row for row in rows if row["against"] == against]
    curves = []
    for run in dict.fromkeys(row["run"] for row in own):
        points = [row for row in own if row["run"] == run]
        x = [float(row["iteration"]) for row in points]
        curves.append(Curve(run, x, [float(row["elo"]) for row in points]))
    page.curves(file, [*curves, *theirs], title=title, x_label="iteration", y_label="Elo")


def loss_figure(page: Page, file: str, rows: Sequence[Row], run: str, *, title: str) -> None:
    """The sum of both losses over iterations, each net a line."""
    own = [row for row in rows if row["run"] == run]
    curves = []
    for net in dict.fromkeys(row["net"] for row in own):
        points = [row for row in own if row["net"] == net]
        x = [float(row["iteration"]) for row in points]
        total = [float(row["policy"]) + float(row["value"]) for row in points]
        curves.append(Curve(f"{net} net" if net != "net" else "net", x, total))
    page.curves(file, curves, title=title, x_label="iteration", y_label="loss")


def head_figure(page: Page, file: str, rows: Sequence[Row], run: str, *, title: str) -> None:
    """Policy and value loss of a run over iterations, apart."""
    own = [row for row in rows if row["run"] == run]
    x = [float(row["iteration"]) for row in own]
    curves = [Curve(head, x, [float(row[head]) for row in own]) for head in ("value", "policy")]
    page.curves(file, curves, title=title, x_label="iteration", y_label="loss")
