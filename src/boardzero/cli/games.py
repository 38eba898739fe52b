"""`boardzero games`: which games there are; and with a further word, those that were played."""

from __future__ import annotations

import typer

from boardzero.cli.families import option_record, print_families
from boardzero.cli.options import AsJson
from boardzero.cli.output import Json, command_line, emit
from boardzero.cli.stored_games import export_games, list_games, show_game
from boardzero.games import Family, families, make

app = command_line()


@app.callback(invoke_without_command=True, epilog="Example: boardzero games --json")
def games(context: typer.Context, as_json: AsJson = False) -> None:
    """List the games and their options; or list, show and export stored games.

    A game with options is written game:option=value,option=value, such as
    international:endings=meng.
    """
    if context.invoked_subcommand is not None:
        return
    if as_json:
        emit(games=[_record(family) for family in families()])
        return
    print_families([(f.name, f"{f.title}: {f.summary}", f.options) for f in families()])


app.command("list", epilog="Example: boardzero games list --game english")(list_games)
app.command("show", epilog="Example: boardzero games show 17")(show_game)
app.command("export", epilog="Example: boardzero games export match-3.pdn --match 3")(export_games)


def _record(family: Family) -> dict[str, Json]:
    game = make(family.name)
    return {
        "name": family.name,
        "title": family.title,
        "summary": family.summary,
        "players": game.players,
        "seats": list(game.seats),
        "options": [option_record(option) for option in family.options],
    }
