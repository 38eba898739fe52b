"""`boardzero games`: which games there are, and their options."""

from __future__ import annotations

from boardzero.cli.output import AsJson, Json, command_line, emit, row, screen
from boardzero.games import Family, families, make
from boardzero.specs import Option

app = command_line()


@app.command(epilog="Example: boardzero games --json")
def games(as_json: AsJson = False) -> None:
    """List the games and their options.

    A game with options is written game:option=value,option=value, such as
    international:endings=meng.
    """
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
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "help": option.help,
                "choices": list(option.choices),
                "low": option.low,
                "high": option.high,
            }
            for option in family.options
        ],
    }
