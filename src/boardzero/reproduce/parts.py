"""What an experiment is made of: trainings, tournaments and measurements.

Each part does what is missing of it and leaves its results as CSV files in the experiment's folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from boardzero.arena.competition import Competition, CompetitionPlan
from boardzero.arena.report import Report
from boardzero.arena.tables import Table
from boardzero.base.errors import BoardZeroError
from boardzero.experiments.comparison import losses_of
from boardzero.runs.events import Event, Stopped, of_type
from boardzero.runs.recipe import load_recipe
from boardzero.runs.run_folder import RunFolder
from boardzero.store import Store
from boardzero.training.dataset import DataSet, DatasetProgress, data_home, load_plan


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where the parts of an experiment work, and whom they tell how far they are."""

    folder: Path  # of results
    runs: Path  # of training runs
    store: Store  # of games
    cores: int
    tell: Callable[[str], None]

    def run(self, name: str) -> RunFolder:
        return RunFolder.open(self.runs / name)

    def runs_of(self, names: Sequence[str]) -> list[RunFolder]:
        """Those that have begun, and have a version to play with."""
        there = [name for name in names if (self.runs / name / "recipe.toml").exists()]
        return [run for run in map(self.run, there) if run.versions()]

    def play(self, competition: Competition) -> None:
        """Play what is missing of it."""
        with closing(competition.play(workers=self.cores)) as games:
            told = time.monotonic()
            for _ in games:
                if time.monotonic() - told > 1:
                    told = time.monotonic()
                    self.tell(f"{len(competition.games)} of {len(competition.pairings)} games")

    def save(self, name: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """A table of results as a CSV file."""
        texts = tuple(tuple(str(cell) for cell in row) for row in rows)
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        Table("", tuple(columns), texts).save(self.folder / name)


class Part(Protocol):
    """A step of an experiment."""

    @property
    def name(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def minutes(self) -> float:
        """About how long it takes on one core."""

    @property
    def is_elastic(self) -> bool:
        """Whether it may be cut short where time is."""

    def do(self, shop: Workshop, minutes: float | None) -> None:
        """Do what is missing; for so many minutes in all, if it is elastic and they are given."""


@dataclass(frozen=True, slots=True)
class Training:
    """A run of a recipe, until the recipe is done or its minutes are over."""

    recipe: str
    minutes: float
    changes: tuple[str, ...] = ()
    run: str = ""  # the name of its folder; the recipe's if not given
    limit: float | None = None  # minutes on one core after which it ends, however far it is
    one_core: bool = False
    is_elastic: bool = True

    @property
    def name(self) -> str:
        return f"train {self.folder}"

    @property
    def folder(self) -> str:
        return self.run or self.recipe

    @property
    def about(self) -> str:
        return load_recipe(self.recipe, self.changes).about

    def do(self, shop: Workshop, minutes: float | None) -> None:
        from boardzero.training.train import train  # loads torch

        path = shop.runs / self.folder
        cores = 1 if self.one_core else shop.cores
        limits = [minutes] if minutes is not None else []
        limits += [self.limit / cores] if self.limit is not None else []
        left = None if not limits else min(limits) - _minutes(path)
        if _is_done(path, self) or (left is not None and left <= 0):
            return

        def hear(event: Event) -> None:
            for notice in event.notices():
                shop.tell(f"{notice.label}: {notice.text}")

        train(
            self.recipe,
            run=path,
            changes=self.changes,
            minutes=left,
            cores=cores,
            on_event=hear,
        )


def _minutes(path: Path) -> float:
    """Of training that a run has had."""
    return RunFolder(path).progress().seconds / 60 if (path / "progress.json").exists() else 0.0


def _is_done(path: Path, training: Training) -> bool:
    if not (path / "recipe.toml").exists():
        return False
    run = RunFolder.open(path)
    stops = of_type(run.read_log(), Stopped)
    asked = load_recipe(training.recipe, training.changes)
    return bool(stops) and stops[-1].reason == "done" and run.recipe() == asked


@dataclass(frozen=True, slots=True)
class Data:
    """A data set that can be made by name."""

    plan: str
    minutes: float
    is_elastic: bool = True

    @property
    def name(self) -> str:
        return f"play {self.plan}"

    @property
    def about(self) -> str:
        return load_plan(self.plan).about

    def do(self, shop: Workshop, minutes: float | None) -> None:
        if minutes == 0:
            return

        def hear(progress: DatasetProgress) -> None:
            shop.tell(f"{progress.done} of {progress.total} games")

        made = DataSet.create(data_home() / self.plan, load_plan(self.plan))
        made.make(workers=shop.cores, on_progress=hear)


@dataclass(frozen=True, slots=True)
class Tournament:
    """Players all against all; or one against each of the others. Tables go into its folder."""

    name: str
    about: str
    minutes: float
    plan: Callable[[Workshop], CompetitionPlan | None]  # None: its players are not there yet
    labels: Callable[[CompetitionPlan], Mapping[str, str]] = lambda _: {}
    reference: Mapping[str, float] | None = None  # somebody else's seconds a move, by label
    is_elastic: bool = False

    def do(self, shop: Workshop, minutes: float | None) -> None:  # noqa: ARG002
        plan = self.plan(shop)
        if plan is None:
            return
        competition = Competition(plan, shop.store)
        shop.play(competition)
        labels = self.labels(plan)
        theirs = self.reference or {}
        specs = {label: spec for spec, label in labels.items()}
        reference = {specs[label]: s for label, s in theirs.items() if label in specs}
        Report(competition, labels=labels, reference=reference or None).save(
            shop.folder / self.name
        )


@dataclass(frozen=True, slots=True)
class MeasuringPart:
    """Anything else that leaves CSV files."""

    name: str
    about: str
    minutes: float
    work: Callable[[Workshop], None]
    is_elastic: bool = False

    def do(self, shop: Workshop, minutes: float | None) -> None:  # noqa: ARG002
        self.work(shop)


def save_losses(shop: Workshop, name: str, runs: Sequence[str]) -> None:
    """The losses of runs by iteration, as a CSV file."""
    heads = ("policy", "value")
    rows = [
        (loss.run, loss.net, loss.iteration, *(f"{loss.heads[head]:.5f}" for head in heads))
        for run in shop.runs_of(runs)
        for loss in losses_of(run)
    ]
    shop.save(name, ("run", "net", "iteration", *heads), rows)


def save_progress(shop: Workshop, name: str, runs: Sequence[str]) -> None:
    """How far runs have come, as a CSV file."""
    columns = ("run", "recipe", "iterations", "versions", "games", "minutes", "end")
    rows = []
    for run in shop.runs_of(runs):
        progress = run.progress()
        stops = of_type(run.read_log(), Stopped)
        ended = stops[-1].reason if stops else "running"
        row = (run.name, run.recipe().name, progress.iteration - 1, run.versions()[-1])
        rows.append((*row, run.model()[1].games, f"{progress.seconds / 60:.1f}", ended))
    shop.save(name, columns, rows)


def need_runs(shop: Workshop, names: Sequence[str]) -> list[RunFolder]:
    """Runs that must be there by now."""
    if not (found := shop.runs_of(names)):
        raise BoardZeroError(f"none of {', '.join(names)} has been trained in {shop.runs}")
    return found
