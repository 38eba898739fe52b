"""`boardzero reproduce`: a document's experiment, repeated, with its figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.base.extras import needs_extra
from boardzero.base.processes import be_polite
from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, emit, row, screen

if TYPE_CHECKING:
    from rich.console import Console

    from boardzero.reproduce.document import Document, Effort, PartProgress

app = command_line()


@app.command(epilog="Example: boardzero reproduce wang --hours 4")
def reproduce(
    document: Annotated[
        str | None,
        typer.Argument(help="meng, sun-zhao, ocheretian, wang or mann-han; none lists them."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="The recipes made small, and fewer games: minutes.")
    ] = False,
    hours: Annotated[
        float | None,
        typer.Option(help="Train for no longer than fits; 0 measures what has been trained."),
    ] = None,
    show: Annotated[
        bool, typer.Option("--list", help="Say what would be done and how long it takes.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="The report's folder; reproduce/NAME if not given.")
    ] = None,
    cores: Annotated[int | None, typer.Option(help="Use so many cores.", min=1)] = None,
    as_json: AsJson = False,
) -> None:
    """Train, play and measure what a document did, and write a report beside its own figures.

    Training runs are those of `boardzero train`, in runs/. The same command goes on where it was.
    """
    be_polite()  # before the first thread
    with needs_extra("train", "an experiment"):
        from boardzero.reproduce.document import Effort, reproduce
        from boardzero.reproduce.documents import DOCUMENTS, find_document

    effort = Effort(quick, hours)
    if document is None:
        for one in DOCUMENTS.values():
            _tell_document(one, as_json)
        return
    chosen = find_document(document)
    if show:
        _list(chosen, effort, cores, as_json)
        return
    console = screen(json_too=True)
    folder = out or Path("reproduce") / (f"{chosen.name}-quick" if quick else chosen.name)
    with console.status("") as status:
        last = ""

        def hear(progress: PartProgress) -> None:
            nonlocal last
            if as_json:
                emit(
                    event="progress",
                    step=progress.step,
                    steps=progress.steps,
                    part=progress.part.name,
                    news=progress.news,
                    minutes_left=round(progress.minutes_left, 1),
                )
                return
            where = f"{progress.step} of {progress.steps}: {progress.part.name}"
            if where != last and not console.is_terminal:
                console.print(f"{where}; {_hours(progress.minutes_left)} left")
            last = where
            status.update(f"{where}  {progress.news}  {_hours(progress.minutes_left)} left")

        report = reproduce(chosen, effort, folder=folder, cores=cores, tell=hear)
    if as_json:
        emit(event="written", file=str(report))
    else:
        screen().print(str(report))


def _tell_document(document: Document, as_json: bool) -> None:
    if as_json:
        emit(name=document.name, title=document.title)
    else:
        screen(markup=True).print(f"[bold]{document.name:12}[/] {document.title}")


def _list(document: Document, effort: Effort, cores: int | None, as_json: bool) -> None:
    from boardzero.base.processes import cores as usable
    from boardzero.reproduce.document import plan

    steps = plan(document, effort, cores=cores or usable())
    console = screen()
    for number, step in enumerate(steps, start=1):
        if as_json:
            emit(step=number, part=step.part.name, about=step.part.about, minutes=step.minutes)
        else:
            _row(console, _hours(step.minutes), step.part.name, step.part.about)
    if not as_json:
        _row(
            console, _hours(sum(step.minutes for step in steps)), "in all", "on this machine, about"
        )


def _row(console: Console, hours: str, name: str, about: str) -> None:
    row(console, (hours, -9, "bold"), (name, 44, ""), (about, 0, "dim"))


def _hours(minutes: float) -> str:
    if minutes < 90:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.1f} h"
