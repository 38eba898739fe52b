"""`boardzero train`: learn a game by a recipe, and watch it."""

from __future__ import annotations

import shlex
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.base.processes import be_polite
from boardzero.base.specs import Spec
from boardzero.cli.options import AsJson, Cluster
from boardzero.cli.output import command_line, emit, print_entry, screen

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from boardzero.runs.events import Event, WorkerStats
    from boardzero.runs.run_folder import RunFolder

app = command_line()

_MOST_NODES = 8  # that are shown


@app.command(epilog="Example: boardzero train wang-gomoku-modern --minutes 10")
def train(
    recipe: Annotated[
        str | None, typer.Argument(help="A recipe by name or file; none lists them.")
    ] = None,
    run: Annotated[
        Path | None, typer.Option(help="The run's folder; runs/NAME if not given.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", help="Change a value: learn.lr=0.01.", metavar="KEY=VALUE"),
    ] = None,
    minutes: Annotated[float | None, typer.Option(help="Stop after so long.", min=0)] = None,
    cores: Annotated[int | None, typer.Option(help="Use so many cores.", min=1)] = None,
    cluster: Cluster = None,
    track: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Send the run's numbers to wandb or mlflow, too."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Train a net by a recipe. The same command goes on with a run that was stopped."""
    if recipe is None:
        _list_recipes(as_json)
        return
    begun = time.monotonic()
    be_polite()  # before the first thread: each would have to be
    from boardzero.training.train import train as start

    if minutes is not None:  # loading what learns has taken some of them
        minutes = max(0.0, minutes - (time.monotonic() - begun) / 60)
    view = None if as_json else _View(screen(markup=True), minutes)
    with view or nullcontext():
        folder = start(
            recipe,
            run=run,
            changes=changes or (),
            minutes=minutes,
            cores=cores,
            cluster=cluster,
            track=track or (),
            on_event=_emit if view is None else view.take,
        )
    if view is None:
        emit(event="run", iteration=folder.progress().iteration, folder=str(folder.path))
    else:
        _say_what_next(folder)


def _emit(event: Event) -> None:
    emit(event=event.kind, iteration=event.iteration, **event.fields())


def _say_what_next(run: RunFolder) -> None:
    """Where the run is, and the commands that go on with it and play it."""
    from rich.markup import escape

    from boardzero.models import run_name

    console, versions = screen(markup=True), run.versions()
    reached = f"version {versions[-1]}" if versions else "no version yet"
    console.print(f"[dim]run[/]      {escape(str(run.path))}, {reached}")
    console.print("[dim]go on[/]    the same command again")
    if not versions:
        return
    recipe = run.recipe()
    player = shlex.quote(str(Spec(recipe.player, {"run": run_name(run.path)})))
    command = f"boardzero play {shlex.quote(recipe.game)} --seat human --seat {player}"
    console.print(f"[dim]play it[/]  {escape(command)}")


def _list_recipes(as_json: bool) -> None:
    from boardzero.runs.recipe import list_recipes

    for name, recipe in list_recipes().items():
        described = {"name": name, "game": recipe.game, "about": recipe.about}
        print_entry(described, as_json=as_json, method=recipe.method)


class _View:
    """One live line per activity; what is finished scrolls by above."""

    def __init__(self, console: Console, minutes: float | None) -> None:
        from rich.live import Live

        self._console = console
        self._begun = time.monotonic()
        self._minutes = minutes
        self._lines: dict[str, str] = {}
        self._workers: dict[str, WorkerStats] = {}  # on a cluster, by name
        self._dashboard = ""
        self._live = Live(
            get_renderable=self._draw, console=console, refresh_per_second=4, transient=True
        )

    def __enter__(self) -> _View:
        self._live.__enter__()
        return self

    def __exit__(self, *details: object) -> None:
        self._lines.clear()
        self._live.__exit__(None, None, None)

    def take(self, event: Event) -> None:
        from rich.markup import escape

        from boardzero.runs.events import ClusterResized, WorkerMeasured

        if isinstance(event, WorkerMeasured):
            self._workers[event.stats.name] = event.stats
            self._show_workers()
        elif isinstance(event, ClusterResized):
            self._workers.clear()
            self._dashboard = event.dashboard
        for notice in event.notices():
            text = escape(notice.text)
            if notice.live:
                self._lines[notice.label] = f"[dim]{notice.label:5}[/] {text}"
            elif notice.warning:
                self._console.print(f"[yellow]{notice.label:8}[/] {text}")
            else:
                self._console.print(f"{notice.label:8} {text}")

    def _show_workers(self) -> None:
        """A line per node: a cluster has more workers than a screen has lines."""
        nodes: dict[str, list[WorkerStats]] = {}
        for worker in self._workers.values():
            nodes.setdefault(worker.node, []).append(worker)
        lines = [
            f"[dim]node [/] {node}: {len(workers)} workers, "
            f"{sum(worker.evaluations_per_second for worker in workers):,} evaluations/s, "
            f"{sum(worker.games for worker in workers):,} games"
            for node, workers in sorted(nodes.items())[:_MOST_NODES]
        ]
        if len(nodes) > _MOST_NODES:
            lines.append(f"[dim]node [/] and {len(nodes) - _MOST_NODES} more")
        if self._dashboard:
            lines.append(f"[dim]Ray  [/] {self._dashboard}")
        self._lines["nodes"] = "\n".join(lines)

    def _draw(self) -> RenderableType:
        from rich.text import Text

        passed = (time.monotonic() - self._begun) / 60
        left = "" if self._minutes is None else f", {max(0.0, self._minutes - passed):.1f} left"
        clock = f"[dim]time [/] {passed:.1f} minutes{left}; Ctrl-C stops and keeps everything"
        return Text.from_markup("\n".join([*self._lines.values(), clock]))
