"""The front door of training: one call, from a notebook or from the command line."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from boardzero.base import processes
from boardzero.base.errors import BoardZeroError
from boardzero.base.extras import look_for, needs_extra
from boardzero.base.plugins import Registry, subclass_of
from boardzero.base.processes import on_cores
from boardzero.models import runs_home
from boardzero.runs.events import Event, Observer, Stopped
from boardzero.runs.recipe import AnyRecipe, load_recipe
from boardzero.runs.run_folder import RunFolder
from boardzero.training.session import OutOfTimeError, TrainingJob, TrainingSession
from boardzero.training.trackers import tracked
from boardzero.workers.launcher import Launcher, join_cluster
from boardzero.workers.local import LocalLauncher


def train(
    recipe: str | AnyRecipe,
    *,
    run: Path | str | None = None,
    changes: Sequence[str] = (),
    minutes: float | None = None,
    cores: int | None = None,
    cluster: str | None = None,
    track: Sequence[str] = (),
    on_event: Observer | None = None,
) -> RunFolder:
    """Train by a recipe until it is done, the minutes are over, or Ctrl-C; resumes what is there.

    Running it again with the same folder goes on where it was. `cluster` is the address of a Ray
    cluster, or "auto"; this machine works alone if there is none. `track` names experiment trackers
    that get the run's numbers too: "wandb", "mlflow".
    """
    begun = time.monotonic()
    processes.leave_unguarded_script()
    chosen = load_recipe(recipe, changes) if isinstance(recipe, str) else recipe
    usable = processes.cores()
    if cores is not None and not 1 <= cores <= usable:
        raise BoardZeroError(f"this machine has {usable} cores; {cores} cannot be used")
    if cluster is not None and not chosen.on_clusters:
        raise BoardZeroError(f"the method {chosen.method} learns on one machine, not on a cluster")
    if minutes is not None and not math.isfinite(minutes):
        raise BoardZeroError(f"a training lasts a number of minutes, not {minutes}")
    trainer = _trainers[chosen.trainer]
    with needs_extra("train", "training"):
        look_for(chosen.packages)
    folder = RunFolder.create(Path(run or runs_home() / chosen.name), chosen)
    deadline = None if minutes is None else begun + 60 * minutes
    count = cores or usable
    with folder.lock(), on_cores(count), closing(_launcher(cluster, count)) as launcher:
        with _observed(folder, chosen, track, on_event) as observer:
            job = TrainingJob(folder, observer, launcher, count, deadline)
            reason = _train(trainer(job, chosen))
        progress = folder.progress()
        minutes_in_all = round(progress.seconds / 60, 3)
        stopped = Stopped(reason, iteration=progress.iteration, minutes=minutes_in_all)
        folder.log(stopped)
    if on_event is not None:
        on_event(stopped)
    return folder


def _launcher(cluster: str | None, cores: int) -> Launcher:
    """Who starts the workers: on this machine, or on a cluster."""
    return LocalLauncher(cores) if cluster is None else join_cluster(cluster)


@contextmanager
def _observed(
    run: RunFolder, recipe: AnyRecipe, track: Sequence[str], on_event: Observer | None
) -> Iterator[Observer]:
    """Trackers hear what happens, and whoever asked to."""
    with tracked(run, recipe, track) as tell:

        def observer(event: Event) -> None:
            tell(event)
            if on_event is not None:
                on_event(event)

        yield observer


# By `recipe.trainer`.
_trainers = Registry("trainers", "trainer", subclass_of(TrainingSession))  # type: ignore[type-abstract]


def _train(session: TrainingSession) -> str:
    """Let a trainer work; why it ended."""
    try:
        session.go()
    except OutOfTimeError:
        return "time"
    except KeyboardInterrupt:
        return "interrupted"
    return "done"
