"""The front door of training: one call, from a notebook or from the command channel."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path

from boardzero.base import processes
from boardzero.base.errors import BoardZeroError
from boardzero.base.processes import on_cores
from boardzero.lodz.dqn import DqnRun
from boardzero.lodz.dqn_recipe import DqnRecipe
from boardzero.lodz.supervised import SupervisedRecipe, SupervisedRun
from boardzero.models import runs_home
from boardzero.runs.events import Event, Observer, Stopped
from boardzero.runs.recipe import AnyRecipe, Recipe, load_recipe
from boardzero.runs.run_folder import RunFolder
from boardzero.training.in_turns import InTurns
from boardzero.training.session import OutOfTimeError
from boardzero.training.side_by_side import SideBySide
from boardzero.training.tensorboard import TensorBoard
from boardzero.workers.launcher import Launcher, join_cluster
from boardzero.workers.local import LocalLauncher

__all__ = ["train"]


def train(
    recipe: str | AnyRecipe,
    *,
    run: Path | None = None,
    changes: Sequence[str] = (),
    minutes: float | None = None,
    cores: int | None = None,
    cluster: str | None = None,
    on_event: Observer | None = None,
) -> RunFolder:
    """Train by a recipe until it is done, the minutes are over, or Ctrl-C; resumes what is there.

    Running it again with the same folder goes on where it was. `cluster` is the address of a Ray
    cluster, or "auto"; this machine works alone if there is none.
    """
    chosen = load_recipe(recipe, changes) if isinstance(recipe, str) else recipe
    usable = processes.cores()
    if cores is not None and not 1 <= cores <= usable:
        raise BoardZeroError(f"this machine has {usable} cores; {cores} cannot be used")
    if cluster is not None and not isinstance(chosen, Recipe):
        raise BoardZeroError(f"the method {chosen.method} learns on one machine, not on a cluster")
    folder = RunFolder.create(run or runs_home() / chosen.name, chosen)
    deadline = None if minutes is None else time.monotonic() + 60 * minutes
    with (
        folder.lock(),
        on_cores(cores or usable),
        _staff(cluster, cores or usable) as launcher,
    ):
        reason = _train(
            folder, chosen, on_event, launcher=launcher, cores=cores or usable, deadline=deadline
        )
        progress = folder.progress()
        minutes_in_all = round(progress.seconds / 60, 3)
        stopped = Stopped(reason, iteration=progress.iteration, minutes=minutes_in_all)
        folder.log(stopped)
    if on_event is not None:
        on_event(stopped)
    return folder


def _staff(cluster: str | None, cores: int) -> AbstractContextManager[Launcher]:
    """Whoever does the work: processes on this machine, or a cluster's."""
    if cluster is None:
        return closing(LocalLauncher(cores))
    return closing(join_cluster(cluster))


def _train(
    folder: RunFolder,
    recipe: AnyRecipe,
    on_event: Observer | None,
    *,
    launcher: Launcher,
    cores: int,
    deadline: float | None,
) -> str:
    """Why it ended."""
    board = TensorBoard(folder.path / "events")

    def observer(event: Event) -> None:
        board(event)
        if on_event is not None:
            on_event(event)

    try:
        _run(folder, recipe, observer, launcher=launcher, cores=cores, deadline=deadline)
    except OutOfTimeError:
        return "time"
    except KeyboardInterrupt:
        return "interrupted"
    finally:
        board.close()
    return "done"


def _run(
    folder: RunFolder,
    recipe: AnyRecipe,
    observer: Observer,
    *,
    launcher: Launcher,
    cores: int,
    deadline: float | None,
) -> None:
    """Let the right trainer work."""
    if isinstance(recipe, SupervisedRecipe):
        SupervisedRun(folder, recipe, observer, cores=cores, deadline=deadline).go()
    elif isinstance(recipe, DqnRecipe):
        DqnRun(folder, recipe, observer, cores=cores, deadline=deadline).go()
    elif isinstance(recipe, Recipe) and recipe.run.mode == "sync":
        InTurns(folder, recipe, observer, launcher=launcher, cores=cores, deadline=deadline).go()
    else:
        assert isinstance(recipe, Recipe)
        SideBySide(folder, recipe, observer, launcher=launcher, deadline=deadline).go()
