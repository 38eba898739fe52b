"""`boardzero plot`: the curves of a training run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, emit, screen

app = command_line()


@app.command(epilog="Example: boardzero plot runs/wang-gomoku-modern")
def plot(
    run: Annotated[Path, typer.Argument(help="The run's folder, or its name.")],
    out: Annotated[Path | None, typer.Option(help="Where to; RUN/plots if not given.")] = None,
    form: Annotated[
        Literal["png", "svg"], typer.Option("--format", help="The kind of picture.")
    ] = "png",
    as_json: AsJson = False,
) -> None:
    """Draw the losses of a run, and its strength as its gates saw it."""
    from boardzero.runs.curves import plot_run
    from boardzero.runs.run_folder import RunFolder

    found = RunFolder.find(str(run))
    files = plot_run(found, out or found.path / "plots", form)
    if as_json:
        emit(files=[str(path) for path in files])
        return
    for path in files:
        screen().print(str(path))
