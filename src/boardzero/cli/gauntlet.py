"""`boardzero gauntlet`: one player against each of several others."""

from __future__ import annotations

from typing import Annotated

import typer

from boardzero.arena.report import Report
from boardzero.arena.tournament import Competition, CompetitionPlan
from boardzero.cli.competition import (
    Fresh,
    GameName,
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
from boardzero.cli.output import AsJson, StorePath, command_line, screen
from boardzero.store import Store

app = command_line()


@app.command(
    epilog="Example: boardzero gauntlet alphabeta:depth=6 random minimax:depth=3 --game english"
)
def gauntlet(
    player: Annotated[str, typer.Argument(help="Who has to meet all others.", metavar="PLAYER")],
    others: Annotated[list[str], typer.Argument(help="Those others.", metavar="OTHER...")],
    game: GameName,
    games: Annotated[int, typer.Option(help="Games against each other one.", min=1)] = 100,
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
    fresh: Fresh = False,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Play one player against each of several others.

    Each opening is played once with every seating. Games are kept as they finish: the same
    command after an interruption goes on where it was.
    """
    how = conditions(
        game,
        opening_plies=opening_plies,
        openings=openings,
        limit=limit,
        max_plies=max_plies,
        margin=margin,
    )
    plan = CompetitionPlan(
        kind="gauntlet",
        game=game,
        players=(player, *others),
        games=games,
        openings=how.openings,
        terms=how.terms,
        seed=seed,
    )
    with Store(store) as database:
        competition = Competition(plan, database, fresh=fresh)
        play(competition, workers=workers, console=screen(json_too=True))
    report = Report(competition)
    save(report, csv=csv, markdown=markdown, plot=plot)
    if as_json:
        emit_standings(competition, report)
    else:
        show(competition, report, screen())
