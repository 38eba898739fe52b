"""A tournament written down in a TOML file, with figures of time per move.

The file fixes all that a result depends on; `run` plays what is missing of it and writes tables and
pictures into a folder. Labels are the names in the tables: "AB 6" = "alphabeta:depth=6".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from boardzero.arena.competition import Competition, CompetitionPlan
from boardzero.arena.openings import RandomOpenings
from boardzero.arena.plots import Curve, plot_curves
from boardzero.arena.report import Report
from boardzero.arena.tables import Table
from boardzero.arena.terms import Terms, parse_limit
from boardzero.base.errors import nearest
from boardzero.base.files import write_file
from boardzero.base.sections import LARGEST_SEED, Section, read_toml, validated
from boardzero.players import Limit
from boardzero.store import Store


class TimeFigure(Section):
    """Mean time per move against a number n, which stands as {n} in the specs of the players."""

    name: str  # of its files
    axis: Literal["depth", "roll-outs"]
    n: tuple[int, ...]
    games: int = Field(
        ge=1, le=1_000_000
    )  # for each n: between the two curves, or of the only one with itself
    curves: dict[str, str] = Field(min_length=1, max_length=2)  # label to spec
    reference: dict[str, dict[int, float]] = Field({})  # label to somebody else's seconds at some n


class TournamentRecipe(Section):
    """A round robin; `reference` has somebody else's seconds per move, by label."""

    title: str
    game: str
    games: int = Field(ge=1, le=1_000_000)  # of each pair
    players: dict[str, str] = Field(min_length=2)  # label to spec
    opening_plies: int = Field(default=4, ge=0)
    limit: str = ""
    seed: int = Field(0, ge=0, le=LARGEST_SEED)
    reference: dict[str, float] | None = None
    figures: tuple[TimeFigure, ...] = ()

    def plan(self) -> CompetitionPlan:
        return self._plan("tournament", *self.players.values(), games=self.games)

    def figure_plan(self, figure: TimeFigure, n: int) -> CompetitionPlan:
        specs = [spec.replace("{n}", str(n)) for spec in figure.curves.values()]
        return self._plan("match", specs[0], specs[-1], games=figure.games)

    def _plan(
        self, kind: Literal["match", "tournament"], *players: str, games: int
    ) -> CompetitionPlan:
        return CompetitionPlan(
            kind=kind,
            game=self.game,
            players=players,
            games=games,
            openings=RandomOpenings(self.opening_plies),
            terms=Terms(parse_limit(self.limit) if self.limit else Limit()),
            seed=self.seed,
        )


def read_recipe(name: str) -> TournamentRecipe:
    """A recipe that comes with BoardZero, by its name; or the path of one, ending in .toml."""
    folder = Path(__file__).parents[1] / "recipes" / "tournaments"
    shipped = {path.stem: path for path in folder.glob("*.toml")}
    if not name.endswith(".toml") and name not in shipped:
        raise nearest("recipe", name, shipped)
    path = shipped.get(name) or Path(name)
    return validated(TournamentRecipe, read_toml(path, "recipe"), source=path.name)


def run(
    recipe: TournamentRecipe, store: Store, folder: Path, *, play: Callable[[Competition], None]
) -> Competition:
    """Play what is missing, by means of `play`, and write all results into the folder."""
    tournament = Competition(recipe.plan(), store)
    play(tournament)
    seconds = {figure.name: _measure(recipe, figure, store, play) for figure in recipe.figures}
    report = report_of(recipe, tournament)
    report.save(folder)
    pages = [f"# {recipe.title}", _how(recipe, tournament), report.markdown().rstrip()]
    if report.ratings():
        pages.append("![Ratings](ratings.svg)")
    for figure in recipe.figures:
        table = _figure_table(figure, seconds[figure.name])
        table.save(folder / f"{figure.name}.csv")
        for suffix in (".svg", ".png"):
            _plot(figure, seconds[figure.name], folder / f"{figure.name}{suffix}")
        pages += [table.markdown().rstrip(), f"![{figure.name}]({figure.name}.svg)"]
    write_file(folder / "README.md", "\n\n".join(pages) + "\n")
    return tournament


def report_of(recipe: TournamentRecipe, tournament: Competition) -> Report:
    """With the labels of the recipe; the plan writes specs in its own way, but in their order."""
    specs = dict(zip(recipe.players, tournament.plan.players, strict=True))
    reference = {specs[label]: seconds for label, seconds in (recipe.reference or {}).items()}
    labels = {spec: label for label, spec in specs.items()}
    return Report(tournament, labels=labels, reference=reference or None)


def _measure(
    recipe: TournamentRecipe, figure: TimeFigure, store: Store, play: Callable[[Competition], None]
) -> dict[str, list[float]]:
    """Mean seconds per move of each curve, one for each n."""
    found: dict[str, list[float]] = {label: [] for label in figure.curves}
    for n in figure.n:
        match = Competition(recipe.figure_plan(figure, n), store)
        play(match)
        for player, label in enumerate(figure.curves):
            found[label].append(match.seconds_per_move(player) or 0.0)
    return found


def _figure_table(figure: TimeFigure, seconds: Mapping[str, Sequence[float]]) -> Table:
    theirs = {f"{label} (reference)": points for label, points in figure.reference.items()}
    rows = [
        (
            str(n),
            *(f"{seconds[label][place]:.3g}" for label in seconds),
            *(f"{points[n]:.3g}" if n in points else "" for points in theirs.values()),
        )
        for place, n in enumerate(figure.n)
    ]
    title = f"Mean seconds per move by {figure.axis}"
    return Table(title, (figure.axis, *seconds, *theirs), tuple(rows))


def _plot(figure: TimeFigure, seconds: Mapping[str, Sequence[float]], path: Path) -> None:
    curves = [Curve(label, figure.n, values) for label, values in seconds.items()]
    for label, points in figure.reference.items():
        x, y = list(points), list(points.values())
        curves.append(Curve(f"{label} (reference)", x, y, reference=True))
    title = f"Mean time per move by {figure.axis}"
    labels = {"x_label": figure.axis, "y_label": "time per move"}
    plot_curves(curves, path, title=title, seconds=True, log_x=figure.axis != "depth", **labels)


def _how(recipe: TournamentRecipe, tournament: Competition) -> str:
    first = f"{recipe.opening_plies} random plies" if recipe.opening_plies else "the usual start"
    players = "\n".join(f"- {label}: `{spec}`" for label, spec in recipe.players.items())
    return (
        f"{len(tournament.games)} games of `{tournament.plan.game}`, {recipe.games} of each pair, "
        f"seats swapped after each game, from {first}; seed {recipe.seed}.\n\n{players}"
    )
