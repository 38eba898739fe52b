"""`boardzero dataset`: games of other players to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import replacing
from boardzero.base.sections import validated
from boardzero.cli.options import AsJson, Workers
from boardzero.cli.output import command_line, emit, print_entry, row, screen, tell

if TYPE_CHECKING:
    from boardzero.lodz.samples import Samples
    from boardzero.training.dataset import DataSet, DatasetPlan

app = command_line()

Folder = Annotated[str, typer.Argument(metavar="DATASET", help="Its folder, or its name in data/.")]


@app.callback(invoke_without_command=True, epilog="Example: boardzero dataset make lodz")
def dataset(context: typer.Context, as_json: AsJson = False) -> None:
    """List the data sets that can be made by name."""
    if context.invoked_subcommand is not None:
        return
    from boardzero.training.dataset import load_plan, plan_names

    for name in plan_names():
        plan = load_plan(name)
        described = {"name": name, "game": plan.game, "about": plan.about}
        print_entry(described, as_json=as_json, games=plan.total)


@app.command(epilog="Example: boardzero dataset make club --pdn club.pdn --game english")
def make(
    name: Annotated[
        str,
        typer.Argument(help="One by name, a TOML file that describes one, or a new name."),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where it goes; data/NAME if not given.")
    ] = None,
    pdn: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Take the games of this PDN file.")
    ] = None,
    play: Annotated[
        list[str] | None, typer.Option(metavar="PLAYER", help="One or two players to play games.")
    ] = None,
    games: Annotated[int, typer.Option(help="How many they play.", min=1)] = 1000,
    opening_plies: Annotated[int, typer.Option(help="Random moves at the start.", min=0)] = 0,
    seed: Annotated[int, typer.Option(help="Of openings and players.")] = 0,
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="The game, with --pdn or --play.")
    ] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Let players play games to learn from, or take those of PDN files.

    The same command goes on with what was interrupted.
    """
    from boardzero.training.dataset import DataSet, DatasetPlan, data_home, load_plan

    if pdn or play:
        if game is None:
            raise BoardZeroError("--pdn and --play need --game, such as --game english")
        parts = {
            "name": name,
            "game": game,
            "seed": seed,
            "opening_plies": opening_plies,
            "games": [{"players": play, "count": games}] if play else [],
            "pdn": [str(file.absolute()) for file in pdn or ()],
        }
        plan = validated(DatasetPlan, parts, source=name)
    else:
        plan = load_plan(name)
    made = DataSet.create(out or data_home() / plan.name, plan)
    _make(made, plan, workers, as_json)
    _show(made, as_json)


@app.command(epilog="Example: boardzero dataset show lodz")
def show(folder: Folder, as_json: AsJson = False) -> None:
    """Say what is in a data set."""
    from boardzero.training.dataset import DataSet

    _show(DataSet.open(folder), as_json)


@app.command(epilog="Example: boardzero dataset export lodz lodz.npz")
def export(
    folder: Folder,
    file: Annotated[Path, typer.Argument(help="The file to write, for numpy.load.")],
    as_json: AsJson = False,
) -> None:
    """Write the positions as arrays: levels of all squares, the two squares of the step, result."""
    import numpy as np

    from boardzero.lodz.samples import samples_of
    from boardzero.training.dataset import DataSet

    samples = samples_of(DataSet.open(folder))
    with replacing(file, parents=False) as draft, draft.open("wb") as opened:
        np.savez_compressed(
            opened,
            boards=samples.boards,
            pieces=samples.pieces,
            targets=samples.targets,
            results=samples.results,
            counts=samples.counts,
        )
    rows = len(samples)
    tell(f"{rows:,} rows in {file}", as_json=as_json, file=str(file), rows=rows)


def _make(made: DataSet, plan: DatasetPlan, workers: int | None, as_json: bool) -> None:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from boardzero.training.dataset import DatasetProgress

    console = screen(json_too=True)
    positions = TextColumn("{task.fields[positions]:,} positions")
    columns = ("{task.description}", BarColumn(30), MofNCompleteColumn(), positions)
    with Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(plan.name, total=plan.total, positions=0)

        def report(progress: DatasetProgress) -> None:
            bar.update(task, completed=progress.done, positions=progress.positions)
            if as_json:
                emit(
                    event="games",
                    done=progress.done,
                    total=progress.total,
                    positions=progress.positions,
                )

        def skip(error: BoardZeroError) -> None:
            console.print(f"left out {error}", style="yellow")

        made.make(workers=workers, on_progress=report, on_error=skip)


def _show(shown: DataSet, as_json: bool) -> None:
    from boardzero.lodz.board_view import is_draughts
    from boardzero.lodz.samples import samples_of

    summary = shown.summary()
    samples = samples_of(shown) if is_draughts(shown.game) else None
    if as_json:
        emit(
            event="dataset",
            folder=str(shown.path),
            game=shown.plan.game,
            games=summary.games,
            planned=summary.planned,
            positions=summary.positions,
            bytes=summary.bytes,
            results={name: list(counts) for name, counts in summary.results.items()},
            **_distinct(samples),
        )
        return
    console = screen()
    row(console, ("data set", 12, "dim"), (f"{shown.path}, {shown.plan.game}", 0, ""))
    played = f"{summary.games:,}"
    if summary.games < summary.planned:
        played += f" of {summary.planned:,}; the same command again makes the rest"
    row(console, ("games", 12, "dim"), (played, 0, ""))
    text = f"{summary.positions:,}"
    if samples is not None:
        text += f", of which {samples.total - len(samples):,} came before with the same move"
    row(console, ("positions", 12, "dim"), (text, 0, ""))
    if samples is not None:
        row(console, ("distinct", 12, "dim"), (f"{samples.positions:,} positions", 0, ""))
    row(console, ("size", 12, "dim"), (f"{summary.bytes / 1e6:.1f} MB", 0, ""))
    for name, (won, drawn, lost) in summary.results.items():
        row(console, (f"{won} : {drawn} : {lost}", -18, ""), (name, 0, "dim"))


def _distinct(samples: Samples | None) -> dict[str, int]:
    """How many positions are alike, as far as boards of draughts tell."""
    if samples is None:
        return {}
    rows = len(samples)
    return {"distinct": rows, "duplicates": samples.total - rows, "boards": samples.positions}
