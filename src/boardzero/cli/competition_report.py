"""How tournaments and gauntlets are shown and saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.arena.report import Report
from boardzero.arena.tables import Table
from boardzero.arena.tournament import Competition
from boardzero.cli.competition import finite, forfeits
from boardzero.cli.output import Json, emit
from boardzero.cli.record import write_text

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["CsvFile", "MarkdownFile", "PlotFile", "emit_standings", "print_table", "save", "show"]

CsvFile = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", help="Write the cross table.")
]
MarkdownFile = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Write all tables on one page.")
]
PlotFile = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Draw the ratings, as .png or .svg."),
]


def save(report: Report, *, csv: Path | None, markdown: Path | None, plot: Path | None) -> None:
    if csv is not None:
        report.results().save(csv.with_suffix(".csv"))
    if markdown is not None:
        write_text(markdown, report.markdown())
    if plot is not None:
        report.plot(plot)


def show(competition: Competition, report: Report, console: Console) -> None:
    for table in report.tables():
        print_table(console, table)
    for sentence in forfeits(competition):
        console.print(sentence, style="yellow")


def print_table(console: Console, table: Table) -> None:
    """With all its columns, however narrow the screen is."""
    drawn = table.rich()
    width = max(console.width, console.measure(drawn).maximum)
    console.print(drawn, width=width, crop=False)


def emit_standings(competition: Competition, report: Report) -> None:
    """One object: everybody's result in the order given, and every pair that met alone."""
    plan = competition.plan
    ratings = {rating.player: rating for rating in report.ratings()}
    standings: list[Json] = []
    for number, player in enumerate(plan.players):
        score, rating = competition.score(number), ratings.get(player)
        standings.append(
            {
                "player": player,
                "games": score.games,
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "score": score.mean,
                "rating": None if rating is None else rating.value,
                "rating_low": None if rating is None else finite(rating.low),
                "rating_high": None if rating is None else finite(rating.high),
                "seconds_per_move": competition.seconds_per_move(number),
                "forfeits": dict(competition.faults(number)),
            }
        )
    emit(
        match=competition.match.id,
        game=plan.game,
        games=len(competition.games),
        scale=report.scale,
        standings=standings,
        pairs=_pairs(competition),
    )


def _pairs(competition: Competition) -> list[Json]:
    players = competition.plan.players
    pairs: list[Json] = []
    for a, first in enumerate(players):
        for b, second in enumerate(players[a + 1 :], start=a + 1):
            score = competition.score(a, b)
            if score.games:
                pairs.append(
                    {
                        "players": [first, second],
                        "wins": score.wins,
                        "draws": score.draws,
                        "losses": score.losses,
                    }
                )
    return pairs
