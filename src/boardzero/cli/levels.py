"""`boardzero levels`: how strong the levels of a game are, and the command that measures it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.cli.options import AsJson, Seed
from boardzero.cli.output import command_line, emit, row, screen
from boardzero.games import Game, make

if TYPE_CHECKING:
    from boardzero.models.champions import ChampionLevel, Levels

app = command_line()


@app.command(epilog="Example: boardzero levels english --measure --cpu-minutes 10")
def levels(
    game: Annotated[str, typer.Argument(help="The game.", metavar="GAME")],
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure every step until its interval is narrow.")
    ] = False,
    choose: Annotated[
        bool, typer.Option("--choose", help="Measure, and choose anew who plays the levels.")
    ] = False,
    cpu_minutes: Annotated[
        float | None,
        typer.Option(help="Stop after so much processor time; the next call goes on.", min=0.01),
    ] = None,
    within: Annotated[
        float, typer.Option(help="Elo to each side of a step, by its 95 % interval.", min=5)
    ] = 40.0,
    games: Annotated[int, typer.Option(help="Games of one step at most.", min=12)] = 1000,
    seed: Seed = 0,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where results are kept, if not at the usual place."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the levels of a game: ratings on one scale, steps with their intervals.

    `random` has rating 0. A level is measured against the one below it, by games from random
    openings with all seatings. Measuring plays in one process and keeps what it played: a call that
    was stopped goes on, and after a new champion only its own games are played.
    """
    rules = make(game)
    if measure or choose:
        from boardzero.experiments.ladder import Bounds, measure_levels

        console = screen(json_too=True)
        measure_levels(
            rules,
            anew=choose,
            bounds=Bounds(within, games, float("inf") if cpu_minutes is None else cpu_minutes),
            seed=seed,
            results=results,
            tell=lambda news: console.print(news, style="dim"),
        )
    _show(rules, as_json=as_json, within=within)


def _show(game: Game, *, as_json: bool, within: float) -> None:
    from boardzero.models.champions import ChampionLevel, Levels, read_levels
    from boardzero.players.level import unmeasured_levels

    found = read_levels(game)
    if found is None:
        ladder = unmeasured_levels(game)
        found = Levels(levels=tuple(ChampionLevel(name=a.name, player=a.spec) for a in ladder))
    if as_json:
        emit(game=game.spec, **found.model_dump(mode="json"))
        return
    _print(found, within)


def _print(found: Levels, within: float) -> None:
    console = screen()
    for level in found.levels:
        rating = "" if level.rating is None else f"{level.rating:.0f}"
        step = "" if level.step is None else level.step.text
        row(
            console,
            (level.name, 12, "bold"),
            (rating, -6, ""),
            (f"  {step}", 34, "" if _is_good(level, within) else "yellow"),
            (level.player, 0, "dim"),
        )
    for other in found.others:
        how = f"  {other.difference.text} to {other.level}"
        row(console, (other.player, 12, ""), (f"{other.rating:.0f}", -6, ""), (how, 0, "dim"))
    if all(level.rating is None for level in found.levels):
        console.print("Not measured; boardzero levels GAME --measure does it.", style="dim")


def _is_good(level: ChampionLevel, within: float) -> bool:
    from boardzero.experiments.ladder import LARGEST, SMALLEST

    step = level.step
    return step is None or (SMALLEST <= step.elo <= LARGEST and step.within(within))
