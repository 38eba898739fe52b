"""`boardzero perft`: how many move sequences there are, the test of a move generator."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, emit, interruptible, row, screen
from boardzero.games import State, make

app = command_line()


@app.command(epilog="Example: boardzero perft international 8")
def perft(
    game: Annotated[str, typer.Argument(help="The game, such as english.", metavar="GAME")],
    depth: Annotated[
        int, typer.Argument(help="The length of the sequences.", metavar="DEPTH", min=0, max=60)
    ],
    fen: Annotated[str | None, typer.Option(help="The position, if not the first.")] = None,
    as_json: AsJson = False,
) -> None:
    """Count the move sequences of a length from a position."""
    rules = make(game)
    state = rules.start(fen)
    if as_json:
        nodes, seconds = _timed(state, depth)
        emit(game=rules.spec, depth=depth, nodes=nodes, seconds=round(seconds, 6))
        return
    console = screen()
    row(console, ("depth", -5, "dim"), ("nodes", -18, "dim"), ("seconds", -9, "dim"))
    for length in range(min(1, depth), depth + 1):
        nodes, seconds = _timed(state, length)
        speed = f"{nodes / seconds / 1e6:,.1f} M/s" if seconds > 0.01 else ""
        row(
            console,
            (str(length), -5, ""),
            (f"{nodes:,}", -18, "bold"),
            (f"{seconds:.3f}", -9, ""),
            (speed, -12, "dim"),
        )


def _timed(state: State, depth: int) -> tuple[int, float]:
    start = perf_counter()
    nodes = interruptible(lambda: state.perft(depth))
    return nodes, perf_counter() - start
