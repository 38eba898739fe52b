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
    games: Annotated[int, typer.Option(help="Games of each match.", min=2)] = 20,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Make a trained version the champion of its game, and measure its levels.

    The nets and the card are copied into the program itself; from then on `zero` without a model
    is this one, and the page offers its levels.
    """
    from boardzero.experiments.promote import make_champion, measure_levels
    from boardzero.games import make
    from boardzero.models import champion_levels, find_run, find_version, read_model
    from boardzero.store import Store

    found = find_version(find_run(run), version)
    folder = make_champion(found)
    console = screen(json_too=True)
    with Store(found.parent.parent / f"levels-{int(found.name)}.db") as store:
        for news in measure_levels(folder, store, games=games, seed=seed):
            console.print(news, style="dim")
    for level in champion_levels(make(read_model(folder).game)):
        name, player, rating = level.name, level.player, level.rating
        told = f"{name:10} {rating:7.0f}  {player}"
        tell(told, as_json=as_json, level=name, player=player, rating=rating)
