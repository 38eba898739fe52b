"""`boardzero players`: which players there are, and the levels of a game."""

from __future__ import annotations

from typing import Annotated

import typer

from boardzero.base.errors import BoardZeroError
from boardzero.cli.families import option_record, print_families
from boardzero.cli.options import AsJson
from boardzero.cli.output import Json, command_line, emit, row, screen
from boardzero.games import Game, make
from boardzero.players import Level, PlayerFamily, levels, player_families

app = command_line()


@app.command(epilog="Example: boardzero players english")
def players(
    game: Annotated[
        str | None,
        typer.Argument(help="Only who can play this game, and its levels.", metavar="GAME"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the players with their options, and the levels of a game.

    A player is written player:option=value,option=value, such as alphabeta:depth=6; a level by its
    name alone, such as club.
    """
    rules = None if game is None else make(game)
    found = [family for family in player_families() if rules is None or _plays(family, rules)]
    ladder = [] if rules is None else levels(rules)
    if as_json:
        emit(
            players=[_record(family) for family in found],
            levels=[
                {"name": level.name, "player": level.spec, "rating": level.rating}
                for level in ladder
            ],
        )
        return
    _print_levels(ladder)
    print_families([(family.name, family.summary, family.options) for family in found])


def _print_levels(ladder: list[Level]) -> None:
    console = screen()
    for level in ladder:
        rating = "" if level.rating is None else f"{level.rating:.0f}"
        row(console, (level.name, 12, "bold"), (rating, -6, ""), (level.spec, 0, "dim"))
    if ladder:
        console.print()


def _plays(family: PlayerFamily, game: Game) -> bool:
    try:
        family.check_plays(game)
    except BoardZeroError:
        return False
    return True


def _record(family: PlayerFamily) -> dict[str, Json]:
    return {
        "name": family.name,
        "summary": family.summary,
        "options": [option_record(option) for option in family.options],
    }
