"""`boardzero sweep`: which values of a recipe learn fastest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.base.extras import look_for, needs_extra
from boardzero.cli.options import AsJson, Cluster
from boardzero.cli.output import command_line, emit, row, screen

if TYPE_CHECKING:
    from rich.console import Console

    from boardzero.experiments.sweep import Round
    from boardzero.runs.events import Event

app = command_line()


@app.command(
    epilog="Example: boardzero sweep gomoku8-zero --grid learn.lr=0.001,0.002 "
    "--grid net.blocks=4,6 --minutes 5"
)
def sweep(
    recipe: Annotated[str, typer.Argument(help="A recipe by name or file.")],
    grid: Annotated[
        list[str],
        typer.Option(help="Values to try; several keys are combined.", metavar="KEY=VALUE,VALUE"),
    ],
    minutes: Annotated[float, typer.Option(help="Of training in the first round.", min=0)] = 10,
    games: Annotated[int, typer.Option(help="Of each pair in each round.", min=2)] = 100,
    opening_plies: Annotated[int, typer.Option(help="Random moves at the start.", min=0)] = 4,
    out: Annotated[
        Path | None, typer.Option(help="The sweep's folder; runs/sweep-RECIPE if not given.")
    ] = None,
    cores: Annotated[int | None, typer.Option(help="Use so many cores.", min=1)] = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Train every combination, let the nets meet, drop the weaker half, and train the rest on.

    The time that a trial has trained doubles from round to round. The same command goes on with a
    sweep that was stopped.
    """
    from boardzero.runs.recipe import load_recipe

    with needs_extra("train", "a sweep"):
        from boardzero.experiments.sweep import Sweep

        look_for(load_recipe(recipe).packages)
    from boardzero.cli.competition import joined
    from boardzero.models import runs_home
    from boardzero.runs.events import Stopped

    console = screen(json_too=as_json)

    def hear(trial: str, event: Event) -> None:
        if isinstance(event, Stopped):
            console.print(f"trained  {trial}", style="dim")

    with joined(cluster) as launcher:
        trials = Sweep(
            recipe,
            grid,
            folder=out or runs_home() / f"sweep-{Path(recipe).stem}",
            minutes=minutes,
            games=games,
            opening_plies=opening_plies,
            cores=cores,
            launcher=launcher,
        )
        console.print(f"{len(trials.trials)} trials in {trials.folder}", style="dim")
        for number, result in enumerate(trials.rounds(hear), start=1):
            if as_json:
                _emit(number, result)
            else:
                _show(number, result, console)


def _emit(number: int, result: Round) -> None:
    for trial, rating in result.ratings:
        emit(
            round=number,
            minutes=result.minutes,
            trial=trial,
            elo=rating.value,
            elo_low=rating.low,
            elo_high=rating.high,
        )


def _show(number: int, result: Round, console: Console) -> None:
    console.print(f"\nround {number}, after {result.minutes:g} minutes of training each")
    for trial, rating in result.ratings:
        interval = f"{rating.low:+.0f} to {rating.high:+.0f}"
        row(console, (f"{rating.value:+.0f}", -5, "bold"), (interval, 14, "dim"), (trial, 0, ""))
