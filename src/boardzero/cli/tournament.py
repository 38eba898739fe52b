"""`boardzero tournament`: everybody against everybody."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boardzero.arena.competition import Competition
from boardzero.arena.report import Report
from boardzero.base.errors import BoardZeroError
from boardzero.cli.competition import CompetitionOptions, play
from boardzero.cli.competition_report import ReportFiles, check_packages, publish
from boardzero.cli.options import AsJson, Cluster, grouped_options
from boardzero.cli.output import command_line
from boardzero.store import Store

app = command_line()


@app.command(
    epilog="Example: boardzero tournament random greedy minimax:depth=3 --game english --games 20"
)
@grouped_options
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
    cluster: Cluster = None,
    *,
    files: ReportFiles,
    options: CompetitionOptions,
    as_json: AsJson = False,
) -> None:
    """Play everybody against everybody, and rate them.

    Each opening is played once with every seating. Games are kept as they finish: the same
    command after an interruption goes on where it was. A recipe brings its players, its game
    and everything else.
    """
    check_packages(plots=bool(out or files.plot))
    if recipe is None:
        if not game:
            raise BoardZeroError("a tournament needs --game, such as --game english")
        plan = options.plan("tournament", game, *players or (), games=games)
        competition = options.play(plan, cluster=cluster)
        report = Report(competition)
        if out is not None:
            report.save(out)
    elif out is None or players or game:
        raise BoardZeroError("a recipe needs --out, and brings its own players and game")
    else:
        competition, report = _follow(recipe, out, options, cluster)
    publish(competition, report, files, as_json=as_json)


def _follow(
    name: str, out: Path, options: CompetitionOptions, cluster: str | None
) -> tuple[Competition, Report]:
    """Play a tournament that is written down, and write its results."""
    from boardzero.arena.tournament_recipe import read_recipe, report_of, run

    recipe = read_recipe(name)
    with Store(options.store) as database:
        competition = run(
            recipe,
            database,
            out,
            play=lambda part: play(part, workers=options.workers, cluster=cluster),
        )
    return competition, report_of(recipe, competition)
