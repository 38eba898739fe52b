"""`boardzero bench`: how fast this machine is, next to a peer in the same run."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from boardzero.bench import BENCHMARKS, Measurement, measure
from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, emit, row, screen

app = command_line()


@app.command(epilog="Example: boardzero bench perft --json")
def bench(
    name: Annotated[
        str | None, typer.Argument(help=f"One of {', '.join(BENCHMARKS)}; all, if none is given.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A trial in less time; its figures mean little.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure speed, next to a peer on the same machine."""
    for benchmark in [name] if name else BENCHMARKS:
        for measurement in measure(benchmark, quick=True) if quick else measure(benchmark):
            if as_json:
                emit(**asdict(measurement), ratio=measurement.ratio)
            else:
                _show(measurement)


def _show(measurement: Measurement) -> None:
    peer = ratio = ""
    if measurement.peer is not None and measurement.peer_value is not None:
        peer = f"{measurement.peer} {_number(measurement.peer_value)}"
        ratio = f"{_number(measurement.ratio or 0)} times"
    row(
        screen(),
        (measurement.name, 28, ""),
        (_number(measurement.value), -14, "bold"),
        (measurement.unit, 9, "dim"),
        (ratio, -16, ""),
        (peer, 0, "dim"),
    )


def _number(value: float) -> str:
    """Three digits that mean something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
