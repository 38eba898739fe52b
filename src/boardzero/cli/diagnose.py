"""`boardzero diagnose`: what is wrong with a training run, and what to change."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, emit, row, screen

app = command_line()


@app.command(epilog="Example: boardzero diagnose gomoku8-zero")
def diagnose(
    run: Annotated[str, typer.Argument(help="The run's folder, or its name.")],
    as_json: AsJson = False,
) -> None:
    """Say in words what keeps a run from learning, and which value of its recipe to change.

    Nothing of the run is changed; it may be training meanwhile.
    """
    from boardzero.runs.diagnosis import diagnose as look
    from boardzero.runs.run_folder import RunFolder

    found = RunFolder.find(run)
    findings = look(found)
    if as_json:
        emit(run=found.name, findings=[asdict(finding) for finding in findings])
        return
    console = screen()
    if not findings:
        console.print(f"{found.name}: nothing is wrong")
    for finding in findings:
        row(console, (finding.name, 0, "bold yellow"), (finding.evidence, 0, ""))
        row(console, ("", 2, ""), (f"change {finding.change}", 0, "green"))
