"""A run while it trains: how far it is, its clock and its deadline, and what it tells."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from boardzero.base.files import finish_folder
from boardzero.runs.events import Event, Observer
from boardzero.runs.recipe import AnyRecipe
from boardzero.runs.run_folder import RunFolder
from boardzero.workers.launcher import Launcher


class OutOfTimeError(Exception):
    """The time that was asked for is over; everything is saved."""


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """A run that is to be trained: who is told of it, who does the work, and until when."""

    run: RunFolder
    observer: Observer
    launcher: Launcher
    cores: int = 1  # of this machine
    deadline: float | None = None  # by the monotonic clock


class TrainingSession(ABC):
    """Owns a run's folder while it trains, whatever learns there."""

    def __init__(self, job: TrainingJob, recipe: AnyRecipe) -> None:
        self.job = job
        self.run = job.run
        self.recipe = recipe
        self._progress = job.run.progress()
        if versions := job.run.versions():  # whoever was killed may not have noted the last one
            self._progress = replace(self._progress, version=versions[-1])
        self._clock = time.monotonic()
        finish_folder(job.run.candidate)

    @abstractmethod
    def go(self) -> None:
        """Train until the recipe is done or the time is over (`OutOfTimeError`)."""

    @property
    def _minutes(self) -> float:
        return round((self._progress.seconds + time.monotonic() - self._clock) / 60, 3)

    def _set(self, **changes: int | bool) -> None:
        self._progress = replace(self._progress, **changes)  # type: ignore[arg-type]
        self._save()

    def _save(self) -> None:
        now = time.monotonic()
        self._progress = replace(
            self._progress, seconds=round(self._progress.seconds + now - self._clock, 3)
        )
        self._clock = now
        self.run.save_progress(self._progress)

    def _check_time(self) -> None:
        if self.job.deadline is not None and time.monotonic() >= self.job.deadline:
            raise OutOfTimeError

    def _tell(self, event: Event) -> None:
        event = replace(event, iteration=self._progress.iteration, minutes=self._minutes)
        if event.logged:
            self.run.log(event)
        self.job.observer(event)
