"""`boardzero games`: which games there are; and with a further word, those that were played."""

from __future__ import annotations

import typer

from boardzero.base.specs import Option
from boardzero.cli.options import AsJson
from boardzero.cli.output import Json, command_line, emit, row, screen
from boardzero.cli.stored_games import export_games, list_games, show_game
from boardzero.games import Family, families, make

app = command_line()

_SHOWN = ("name", "default", "help", "choices", "low", "high")  # of an option


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
    console = screen()
    names = max(len(family.name) for family in families())
    texts = [_text(option) for family in families() for option in family.options]
    width = max(map(len, texts), default=0)
    for family in families():
        row(console, (family.name, names, "bold"), (f"{family.title}: {family.summary}", 0, ""))
        for option in family.options:
            row(console, ("", names, ""), (_text(option), width, "cyan"), (option.help, 0, "dim"))


app.command("list", epilog="Example: boardzero games list --game english")(list_games)
app.command("show", epilog="Example: boardzero games show 17")(show_game)
app.command("export", epilog="Example: boardzero games export match-3.pdn --match 3")(export_games)


def _text(option: Option) -> str:
    """The option with its default, then what else it can be."""
    default = str(option.default)
    others = [choice for choice in option.choices if choice != default]
    if others:
        return f"{option.name}={'|'.join([default, *others])}"
    if option.low is not None and option.high is not None:
        return f"{option.name}={default} ({option.low:g} to {option.high:g})"
    return f"{option.name}={default}"


def _record(family: Family) -> dict[str, Json]:
    game = make(family.name)
    return {
        "name": family.name,
        "title": family.title,
        "summary": family.summary,
        "players": game.players,
        "seats": list(game.seats),
        "options": [{name: getattr(option, name) for name in _SHOWN} for option in family.options],
    }
