"""`boardzero tournament`: everybody against everybody."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boardzero.arena.report import Report
from boardzero.arena.tournament import Competition, CompetitionPlan
from boardzero.base.errors import BoardZeroError
from boardzero.cli.competition import (
    Fresh,
    LimitText,
    Margin,
    MaxPlies,
    OpeningPlies,
    OpeningsFile,
    Seed,
    Workers,
    conditions,
    play,
)
from boardzero.cli.competition_report import (
    CsvFile,
    MarkdownFile,
    PlotFile,
    emit_standings,
    save,
    show,
)
from boardzero.cli.output import AsJson, Cluster, StorePath, command_line, screen
from boardzero.store import Store

app = command_line()


@app.command(
    epilog="Example: boardzero tournament random greedy minimax:depth=3 --game english --games 20"
)
def tournament(
    players: Annotated[
        list[str] | None, typer.Argument(help="Two players or more.", metavar="PLAYER...")
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="The game, such as english.")
    ] = None,
    games: Annotated[
        int, typer.Option(help="Games of each pair, or of each three in a game of three.", min=1)
    ] = 100,
    recipe: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A tournament that is written down: lodz-table, or a TOML file; needs --out.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write all tables and pictures into this folder."),
    ] = None,
    csv: CsvFile = None,
    markdown: MarkdownFile = None,
    plot: PlotFile = None,
    opening_plies: OpeningPlies = 4,
    openings: OpeningsFile = None,
    limit: LimitText = None,
    max_plies: MaxPlies = 1000,
    margin: Margin = 0.25,
    seed: Seed = 0,
    workers: Workers = None,
    cluster: Cluster = None,
    fresh: Fresh = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Play everybody against everybody, and rate them.

    Each opening is played once with every seating. Games are kept as they finish: the same
    command after an interruption goes on where it was. A recipe brings its players, its game
    and everything else.
    """
    if recipe is None:
        if not game:
            raise BoardZeroError("a tournament needs --game, such as --game english")
        how = conditions(
            game,
            opening_plies=opening_plies,
            openings=openings,
            limit=limit,
            max_plies=max_plies,
            margin=margin,
        )
        plan = CompetitionPlan(
            kind="tournament",
            game=game,
            players=tuple(players or ()),
            games=games,
            openings=how.openings,
            terms=how.terms,
            seed=seed,
        )
        with Store(store) as database:
            competition = Competition(plan, database, fresh=fresh)
            play(competition, workers=workers, cluster=cluster, console=screen(json_too=True))
        report = Report(competition)
        if out is not None:
            report.save(out)
    elif out is None or players or game:
        raise BoardZeroError("a recipe needs --out, and brings its own players and game")
    else:
        competition, report = _follow(recipe, out, store=store, workers=workers, cluster=cluster)
    save(report, csv=csv, markdown=markdown, plot=plot)
    if as_json:
        emit_standings(competition, report)
    else:
        show(competition, report, screen())


def _follow(
    name: str, out: Path, *, store: Path | None, workers: int | None, cluster: str | None
) -> tuple[Competition, Report]:
    """Play a tournament that is written down, and write its results."""
    from boardzero.arena.tournament_recipe import read_recipe, report_of, run

    recipe, console = read_recipe(name), screen(json_too=True)
    with Store(store) as database:
        competition = run(
            recipe,
            database,
            out,
            play=lambda competition: play(
                competition, workers=workers, cluster=cluster, console=console
            ),
        )
    return competition, report_of(recipe, competition)
