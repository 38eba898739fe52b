"""What all ways of training share: how far the run is, its clock, its log and its archive."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from boardzero.base.files import finish_folder
from boardzero.runs.curves import elo_by_gates
from boardzero.runs.events import (
    ClusterResized,
    Event,
    Observer,
    Resumed,
    ShardSetAside,
    WorkerMeasured,
)
from boardzero.runs.recipe import AnyRecipe, Recipe
from boardzero.runs.run_folder import RunFolder
from boardzero.training.fleet import SelfPlayFleet

__all__ = ["Keeper", "OutOfTimeError", "Supervisor"]

_REPORT_SECONDS = 5.0


class OutOfTimeError(Exception):
    """The time that was asked for is over; everything is saved."""


class Keeper:
    """Owns a run's folder while it trains."""

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

    def _rating(self) -> float | None:
        """Elo above version 0 of what was accepted last, as far as gates have measured it."""
        elo = elo_by_gates(self.run.read_log())
        return round(elo.y[-1], 1) if len(elo.y) > 1 else None

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


class Supervisor(Keeper):
    """The same for runs that learn from games of their own."""

    recipe: Recipe

    def __init__(
        self, run: RunFolder, recipe: Recipe, observer: Observer, deadline: float | None
    ) -> None:
        super().__init__(run, recipe, observer, deadline)
        self._replay = run.replay()
        self._cluster: ClusterResized | None = None
        self._next_report = 0.0
        for shard in self._replay.set_aside:
            self._tell(ShardSetAside(shard.name))
        if run.versions():
            self._tell(Resumed(len(self._replay), self._progress.version))

    @property
    def _best(self) -> Path:
        return self.run.version_folder(self._progress.version)

    def _more(self) -> bool:
        limit = self.recipe.run.iterations
        return limit is None or self._progress.iteration <= limit

    def _report(self, fleet: SelfPlayFleet) -> None:
        """Tell every few seconds who plays, where there is more than this machine."""
        if fleet.local or time.monotonic() < self._next_report:
            return
        self._next_report = time.monotonic() + _REPORT_SECONDS
        workers = fleet.stats()
        for worker in workers:
            self._tell(WorkerMeasured(worker))
        self.run.save_workers(workers, dashboard=fleet.dashboard)
        nodes = len({worker.node for worker in workers})
        cluster = ClusterResized(len(workers), nodes, fleet.dashboard)
        if cluster != self._cluster:
            self._cluster = cluster
            self._tell(cluster)

    def _close(self) -> None:
        self._save()
        self.run.forget_workers()
        self._replay.sync()
        self._replay.close()
