"""`boardzero probe`: what a player sees, asked by positions with known good answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.base.errors import BoardZeroError
from boardzero.cli.options import AsJson, GameName
from boardzero.cli.output import command_line, emit, row, screen

if TYPE_CHECKING:
    from boardzero.players import Limit
    from boardzero.probes import ProbeReport

app = command_line()


@app.command(epilog="Example: boardzero probe zero:sims=100 --game gomoku:size=15")
def probe(
    player: Annotated[str, typer.Argument(help="A player or a level, such as zero:run=NAME.")],
    game: GameName,
    nodes: Annotated[
        int | None, typer.Option(help="Of a search; of PUCT its simulations.", min=1)
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--time", help="Seconds for each position.", min=0.001)
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="Other probes, as scripts/probes.py makes them.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say which share of a game's probes a player answers rightly, by theme and by label.

    A player whose spec says how long it thinks does so; others get 100 simulations or 5,000 nodes.
    """
    from boardzero.games import make
    from boardzero.probes import blind_spots, measure_player, read_probes

    console = screen(json_too=as_json)
    with console.status("asking"):
        report = measure_player(
            player,
            make(game),
            limit=_limit(nodes, seconds),
            probes=None if file is None else read_probes(file),
        )
    blind = blind_spots(report)
    if as_json:
        emit(
            game=report.game,
            player=report.player,
            right=report.right,
            asked=report.asked,
            seconds=round(report.seconds, 2),
            slices={str(found): list(counts) for found, counts in report.counts.items()},
            blind=[str(spot.where) for spot in blind],
        )
        return
    _show(report)
    for spot in blind:
        console.print(f"blind: {spot}", style="bold yellow")


def _limit(nodes: int | None, seconds: float | None) -> Limit | None:
    from boardzero.players import Limit

    if nodes is not None and seconds is not None:
        raise BoardZeroError("give --nodes or --time, not both")
    if nodes is None and seconds is None:
        return None
    return Limit(nodes=nodes, time=seconds)


def _show(report: ProbeReport) -> None:
    console = screen()
    for found, (right, asked) in report.counts.items():
        name = f"  {found.label}" if found.label else found.theme
        style = "" if found.label else "bold"
        row(
            console,
            (name, 34, style),
            (f"{right / asked:.1%}", -7, style),
            (f"{right}/{asked}", -8, "dim"),
        )
    total = f"{report.right} of {report.asked} right, in {report.seconds:.1f} s"
    row(console, (total, 0, "dim"))
