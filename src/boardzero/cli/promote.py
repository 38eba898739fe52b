"""`boardzero promote`: make a trained version the champion of its game."""

from __future__ import annotations

from pathlib import Path
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
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="Refuse a version of another game.")
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", help="Another game that its net plays: a larger board."),
    ] = None,
    player: Annotated[
        str | None, typer.Option(help="Who plays it, where several can: alphabeta, zero, maxn.")
    ] = None,
    compared: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Its matches as match --json tells them, for its card."),
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

    A version that is blind somewhere, by the probes of its game, or that has learned from too few
    games is refused, and nothing is changed. The nets and the card are copied into the program
    itself; from then on `zero` without a model is this one, and the page offers its levels.
    """
    from boardzero.experiments.eligible import (
        check_also,
        check_card,
        comparisons,
        measure_version,
        refuse_blind,
        version_to_promote,
    )
    from boardzero.experiments.ladder import Bounds, measure_levels
    from boardzero.experiments.promote import make_champion
    from boardzero.games import make
    from boardzero.models import champion_levels, read_model

    console = screen(json_too=True)
    found = version_to_promote(run, version)
    card = check_card(read_model(found), game=game, player=player)
    others = tuple(check_also(found, card, other) for other in also or ())
    matches = () if compared is None else tuple(comparisons(found, compared))
    with console.status("asking its probes"):
        report = measure_version(found, card)
    if report is None:
        console.print(f"there are no probes of {card.game}: nobody knows where it is blind")
        shares = {}
    else:
        refuse_blind(report)
        console.print(f"{report.right} of {report.asked} probes answered rightly", style="dim")
        shares = {str(s): round(share, 4) for s, share in report.shares.items() if not s.label}
    card = card.model_copy(update={"also": others, "compared": matches, "probes": shares})
    folder = make_champion(found, card=card)
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
