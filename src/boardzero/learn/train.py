"""The front door of training: one call, from a notebook or from the command line."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from boardzero.errors import BoardZeroError
from boardzero.infer import runs_home
from boardzero.learn.asynchronous import AsyncRun
from boardzero.learn.events import Event, Observer
from boardzero.learn.recipe import Recipe, load_recipe
from boardzero.learn.rundir import RunDir
from boardzero.learn.supervisor import OutOfTimeError
from boardzero.learn.sync import SyncRun
from boardzero.learn.tensorboard import TensorBoard

__all__ = ["train"]


def train(
    recipe: str | Recipe,
    *,
    run: Path | None = None,
    changes: Sequence[str] = (),
    minutes: float | None = None,
    cores: int | None = None,
    on_event: Observer | None = None,
) -> RunDir:
    """Train by a recipe until it is done, the minutes are over, or Ctrl-C; resumes what is there.

    Running it again with the same folder goes on where it was.
    """
    chosen = load_recipe(recipe, changes) if isinstance(recipe, str) else recipe
    folder = RunDir.create(run or runs_home() / chosen.name, chosen)
    board = TensorBoard(folder.path / "events")

    def observer(event: Event) -> None:
        board(event)
        if on_event is not None:
            on_event(event)

    usable = len(os.sched_getaffinity(0))
    if cores is not None and not 1 <= cores <= usable:
        raise BoardZeroError(f"this machine has {usable} cores; {cores} cannot be used")
    deadline = None if minutes is None else time.monotonic() + 60 * minutes
    try:
        kind = SyncRun if chosen.run.mode == "sync" else AsyncRun
        kind(folder, chosen, observer, cores=cores or usable, deadline=deadline).go()
        reason = "done"
    except OutOfTimeError:
        reason = "time"
    except KeyboardInterrupt:
        reason = "interrupted"
    finally:
        board.close()
    folder.log("stopped", reason=reason)
    if on_event is not None:
        on_event(Event("stopped", folder.progress().iteration, {"reason": reason}))
    return folder
