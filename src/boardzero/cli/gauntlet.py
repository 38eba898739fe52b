"""`boardzero gauntlet`: one player against each of several others."""

from __future__ import annotations

from typing import Annotated

import typer

from boardzero.arena.report import Report
from boardzero.cli.competition import CompetitionOptions
from boardzero.cli.competition_report import ReportFiles, check_packages, publish
from boardzero.cli.options import AsJson, GameName, grouped_options
from boardzero.cli.output import command_line

app = command_line()


@app.command(
    epilog="Example: boardzero gauntlet alphabeta:depth=6 random minimax:depth=3 --game english"
)
@grouped_options
def gauntlet(
    player: Annotated[str, typer.Argument(help="Who has to meet all others.", metavar="PLAYER")],
    others: Annotated[list[str], typer.Argument(help="Those others.", metavar="OTHER...")],
    game: GameName,
    games: Annotated[int, typer.Option(help="Games against each other one.", min=1)] = 100,
    *,
    files: ReportFiles,
    options: CompetitionOptions,
    as_json: AsJson = False,
) -> None:
    """Play one player against each of several others.

    Each opening is played once with every seating. Games are kept as they finish: the same
    command after an interruption goes on where it was.
    """
    check_packages(plots=files.plot is not None)
    competition = options.play(options.plan("gauntlet", game, player, *others, games=games))
    publish(competition, Report(competition), files, as_json=as_json)
