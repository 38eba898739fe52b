"""A run while it trains: how far it is, its clock and its deadline, and what it tells."""

from __future__ import annotations

import time
from dataclasses import replace

from boardzero.base.files import finish_folder
from boardzero.runs.events import Event, Observer
from boardzero.runs.recipe import AnyRecipe
from boardzero.runs.run_folder import RunFolder

__all__ = ["OutOfTimeError", "TrainingSession"]


class OutOfTimeError(Exception):
    """The time that was asked for is over; everything is saved."""


class TrainingSession:
    """Owns a run's folder while it trains, whatever learns there."""

    def __init__(
        self, run: RunFolder, recipe: AnyRecipe, observer: Observer, deadline: float | None
    ) -> None:
        self.run = run
        self.recipe = recipe
        self._observer = observer
        self._deadline = deadline
        self._progress = run.progress()
        if versions := run.versions():  # whoever was killed may not have noted the last one
            self._progress = replace(self._progress, version=versions[-1])
        self._clock = time.monotonic()
        finish_folder(run.candidate)

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
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise OutOfTimeError

    def _tell(self, event: Event) -> None:
        event = replace(event, iteration=self._progress.iteration, minutes=self._minutes)
        if event.logged:
            self.run.log(event)
        self._observer(event)
