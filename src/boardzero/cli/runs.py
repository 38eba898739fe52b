"""`boardzero runs`: the training runs on this machine, and moving one as a single file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, emit, row, screen, tell

app = command_line()


@app.callback(invoke_without_command=True, epilog="Example: boardzero runs export runs/a a.zip")
def runs(context: typer.Context, as_json: AsJson = False) -> None:
    """List the training runs."""
    if context.invoked_subcommand is not None:
        return
    from boardzero.models import runs_home
    from boardzero.runs.run_folder import RunFolder

    home = runs_home()
    found = RunFolder.all_in(home)
    console = screen()
    if not found and not as_json:
        console.print(f"No runs in {home}. 'boardzero train' starts one.")
    for run in found:
        progress, recipe = run.progress(), run.recipe()
        minutes = round(progress.seconds / 60, 1)
        if as_json:
            emit(
                run=run.name,
                recipe=recipe.name,
                game=recipe.game,
                version=progress.version,
                iteration=progress.iteration,
                minutes=minutes,
            )
            continue
        row(
            console,
            (run.name, 28, "bold"),
            (recipe.game, 20, ""),
            (f"version {progress.version}", -12, ""),
            (f"{minutes:.1f} min", -10, "dim"),
        )


@app.command("export")
def export_run(
    run: Annotated[Path, typer.Argument(help="The run's folder, or one of its versions.")],
    file: Annotated[Path, typer.Argument(help="The file to write, such as run.zip.")],
    as_json: AsJson = False,
) -> None:
    """Pack a run or a model into one file."""
    from boardzero.models.file_bundle import pack

    count = pack(run, file)
    tell(f"{count} files in {file}", as_json=as_json, file=str(file), files=count)


@app.command("import")
def import_run(
    file: Annotated[Path, typer.Argument(help="A file that export wrote.")],
    folder: Annotated[Path, typer.Argument(help="The new folder.")],
    trust: Annotated[
        bool, typer.Option("--trust", help="Run the Python files that it names as its rules.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Unpack a run or a model into a new folder, after a look at all that is in it."""
    from boardzero.models.file_bundle import unpack
    from boardzero.training.inspection import inspect

    count = unpack(file, folder, check=partial(inspect, trusted=trust))
    tell(f"{count} files in {folder}", as_json=as_json, folder=str(folder), files=count)
