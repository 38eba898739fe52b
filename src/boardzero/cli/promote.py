"""`boardzero promote`: make a trained version the champion of its game."""

from __future__ import annotations

from typing import Annotated

import typer

from boardzero.cli.options import AsJson, Seed
from boardzero.cli.output import command_line, screen, tell

app = command_line()


@app.command(epilog="Example: boardzero promote gomoku8-zero --version 60")
def promote(
    run: Annotated[str, typer.Argument(help="A run, by name or folder.")],
    version: Annotated[
        int | None, typer.Option(help="Which version; the last if not given.", min=0)
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each step at most.", min=2)] = 1000,
    cpu_minutes: Annotated[
        float,
        typer.Option(help="Processor time for its levels; boardzero levels goes on.", min=0.01),
    ] = 20,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Make a trained version the champion of its game, and measure its levels.

    The nets and the card are copied into the program itself; from then on `zero` without a model
    is this one, and the page offers its levels.
    """
    from boardzero.experiments.ladder import Bounds, measure_levels
    from boardzero.experiments.promote import make_champion
    from boardzero.games import make
    from boardzero.models import champion_levels, find_run, find_version, read_model

    found = find_version(find_run(run), version)
    folder = make_champion(found)
    console = screen(json_too=True)
    rules = make(read_model(folder).game)
    measure_levels(
        rules,
        bounds=Bounds(games=games, cpu_minutes=cpu_minutes),
        seed=seed,
        tell=lambda news: console.print(news, style="dim"),
    )
    for level in champion_levels(rules):
        name, player, rating = level.name, level.player, level.rating
        told = f"{name:11} {'' if rating is None else f'{rating:.0f}':>6}  {player}"
        tell(told, as_json=as_json, level=name, player=player, rating=rating)
