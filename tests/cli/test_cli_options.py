"""Groups of options that several commands take."""

from dataclasses import dataclass
from typing import Annotated

import typer

from boardzero.cli.options import AsJson, grouped_options
from boardzero.cli.output import command_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Drink:
    kind: Annotated[str, typer.Option("--kind", "-k", help="Of drink.")]
    sugar: Annotated[int, typer.Option(help="Lumps.", min=0)] = 2


def test_the_fields_of_a_group_become_options_in_its_place(capsys):
    app, ordered = command_line(), []

    @app.command()
    @grouped_options
    def order(name: str, count: int = 1, *, drink: Drink, as_json: AsJson = False) -> None:
        ordered.append((name, count, drink, as_json))

    app(["Ada", "-k", "tea", "--sugar", "0"], standalone_mode=False)
    app(["Bob", "--count", "3", "--kind", "coffee", "--json"], standalone_mode=False)
    assert ordered == [
        ("Ada", 1, Drink(kind="tea", sugar=0), False),
        ("Bob", 3, Drink(kind="coffee"), True),
    ]
    app(["--help"], standalone_mode=False)
    shown = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "--" in line[:8]]
    assert shown[:4] == ["--count", "-k,", "--sugar", "--json"]
