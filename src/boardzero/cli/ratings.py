"""`boardzero ratings`: how strong players are, by all games that were ever stored."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from boardzero.arena.plots import plot_ratings
from boardzero.arena.ratings import fit_elo, meng_elo, multiplayer_ratings
from boardzero.arena.tables import rating_table
from boardzero.base.errors import BoardZeroError, nearest
from boardzero.cli.competition import rating_fields
from boardzero.cli.competition_report import ReportFiles
from boardzero.cli.options import AsJson, GameName, StorePath, grouped_options
from boardzero.cli.output import command_line, emit, print_table, screen
from boardzero.games import make
from boardzero.store import GameResult, Rating, Store

app = command_line()


class RatingMethod(StrEnum):
    """How games become ratings."""

    ELO = "elo"
    MENG = "meng"
    OPENSKILL = "openskill"


def _method(name: str) -> RatingMethod:
    name = "meng" if name == "thesis" else name  # as it was called before
    if name not in list(RatingMethod):
        raise nearest("method", name, RatingMethod)
    return RatingMethod(name)


@app.command(epilog="Example: boardzero ratings --game english --anchor random")
@grouped_options
def ratings(
    game: GameName,
    match: Annotated[int | None, typer.Option(help="Only the games of this match.")] = None,
    method: Annotated[
        RatingMethod | None,
        typer.Option(
            parser=_method,
            metavar=f"[{'|'.join(RatingMethod)}]",
            help="elo: maximum likelihood with draws and first-move advantage; meng: the "
            "sequential update of Meng (2020); openskill: for three players, Plackett-Luce. "
            "The usual one is elo for two players and openskill for more.",
        ),
    ] = None,
    anchor: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Whose Elo is 0; the mean, if not given.")
    ] = None,
    *,
    files: ReportFiles,
    store: StorePath = None,
    as_json: AsJson = False,
) -> None:
    """Rate players by the games that they played."""
    rules = make(game)
    chosen = method or (RatingMethod.ELO if rules.players == 2 else RatingMethod.OPENSKILL)
    if anchor is not None and chosen is not RatingMethod.ELO:
        raise BoardZeroError(f"--anchor is for elo, not for {chosen}")
    with Store(store) as database:
        games = list(database.games(game=rules.spec, match=match))
        if not games:
            of = "" if match is None else f" of match {match}"
            raise BoardZeroError(f"there are no games of {rules.spec}{of} in {database.path}")
        found = _rate(games, chosen, anchor)
        if match is None and anchor is None:
            database.save_ratings(found, game=rules.spec, method=str(chosen))
    scale = "Plackett-Luce" if chosen is RatingMethod.OPENSKILL else "Elo"
    table = rating_table(found, scale=scale)
    files.save(
        table=lambda: table,
        page=table.markdown,
        plot=lambda path: plot_ratings(found, path, scale=scale),
    )
    if as_json:
        records = [{"player": r.player, **rating_fields(r), "games": r.games} for r in found]
        emit(game=rules.spec, method=str(chosen), ratings=records)
    else:
        print_table(screen(), table)


def _rate(games: Sequence[GameResult], method: RatingMethod, anchor: str | None) -> list[Rating]:
    if method is RatingMethod.OPENSKILL:
        return list(multiplayer_ratings(games))
    if method is RatingMethod.ELO:
        return list(fit_elo(games, anchor=anchor).ratings)
    played = Counter(player for game in games for player in game.seats)
    elo = meng_elo(games)
    return [
        Rating(player, elo[player], -math.inf, math.inf, played[player])  # it has no interval
        for player in sorted(elo, key=lambda player: -elo[player])
    ]
