"""How tournaments and gauntlets are shown and saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from boardzero.arena.competition import Competition
from boardzero.arena.report import Report
from boardzero.arena.tables import Table
from boardzero.base.extras import needs_extra
from boardzero.base.files import write_file
from boardzero.cli.competition import forfeits, rating_fields
from boardzero.cli.output import Json, emit, print_table, screen


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFiles:
    """Where results go besides the screen."""

    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the cross table.")
    ] = None
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write all tables on one page.")
    ] = None
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the ratings, as .png or .svg.")
    ] = None

    def save(
        self, *, table: Callable[[], Table], page: Callable[[], str], plot: Callable[[Path], None]
    ) -> None:
        """Write what was asked for."""
        if self.csv is not None:
            table().save(self.csv.with_suffix(".csv"))
        if self.markdown is not None:
            write_file(self.markdown, page(), parents=False)
        if self.plot is not None:
            plot(self.plot)


def check_packages(*, plots: bool) -> None:
    """Refuse before hours of play what could not be rated or drawn afterwards."""
    with needs_extra("arena", "a report of many games"):
        import openskill  # noqa: F401
        import scipy  # noqa: F401

        if plots:
            import matplotlib  # noqa: F401


def publish(competition: Competition, report: Report, files: ReportFiles, *, as_json: bool) -> None:
    """Write the files, and show the result to a person or a program."""
    files.save(table=report.results, page=report.markdown, plot=report.plot)
    if as_json:
        _emit(competition, report)
        return
    console = screen()
    for table in report.tables():
        print_table(console, table)
    for sentence in forfeits(competition):
        console.print(sentence, style="yellow")


def _emit(competition: Competition, report: Report) -> None:
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
                **asdict(score),
                "score": score.mean,
                **rating_fields(rating),
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
                pairs.append({"players": [first, second], **asdict(score)})
    return pairs
