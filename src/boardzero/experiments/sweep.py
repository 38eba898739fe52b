"""Which values of a recipe learn fastest: many short runs, of which the weaker half is dropped.

Successive halving on strength. Every trial trains for some minutes; the latest versions of all
trials meet in the arena; the better half trains for as long again as it has so far, until one is
left. All of it lies in one folder and goes on where it was. On a cluster, as many trials train at a
time as there is room for: a run travels to a node as a archive and comes back after its round.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from boardzero.arena import Competition, CompetitionPlan, RandomOpenings
from boardzero.arena.report import Report
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import finish_folder, write_file
from boardzero.base.processes import cores
from boardzero.base.specs import Spec
from boardzero.models.file_bundle import pack, unpack
from boardzero.runs.events import Event, Stopped
from boardzero.runs.recipe import AnyRecipe, load_recipe
from boardzero.runs.run_folder import RunFolder
from boardzero.store import Rating, Store
from boardzero.training.train import train
from boardzero.workers.launcher import (
    Channel,
    Launcher,
    Resources,
    Worker,
    as_worker,
    raise_refusal,
)

_MOST_DEATHS = 20
_COMMA = re.compile(r",(?![^\[]*\])")  # outside of brackets: a value may be a list
_Listener = Callable[[str, Event], None]


def trials_of(grid: Sequence[str]) -> list[tuple[str, ...]]:
    """Every combination of `key=value,value,...`, each as changes of a recipe."""
    choices = []
    for line in grid:
        key, equals, values = line.partition("=")
        if not equals or not values.strip(", "):
            raise BoardZeroError(f"'{line}' is not of the form section.key=value,value")
        choices.append([f"{key.strip()}={value.strip()}" for value in _COMMA.split(values)])
    return list(itertools.product(*choices))


@dataclass(frozen=True, slots=True)
class Round:
    """Who was left, how long each had trained in all, and how strong it was."""

    minutes: float
    ratings: tuple[tuple[str, Rating], ...]  # trial, strongest first


class Sweep:
    """A grid of recipes in a folder."""

    def __init__(
        self,
        recipe: str,
        grid: Sequence[str],
        *,
        folder: Path,
        minutes: float,
        games: int = 100,
        opening_plies: int = 4,
        cores: int | None = None,
        launcher: Launcher | None = None,
    ) -> None:
        self.folder = folder
        self._recipe = recipe
        self._trials = {_name(changes): changes for changes in trials_of(grid)}
        if len(self._trials) < 2:
            raise BoardZeroError("a sweep needs at least two different trials")
        for changes in self._trials.values():
            load_recipe(recipe, changes)  # refused before anything is trained
        self._minutes = minutes
        self._games = games
        self._openings = RandomOpenings(opening_plies)
        self._cores = cores
        self._launcher = launcher

    @property
    def trials(self) -> list[str]:
        return list(self._trials)

    def rounds(self, on_event: _Listener | None = None) -> Iterator[Round]:
        """Train and compare until one trial is left; each round as soon as it is known.

        `on_event` hears what happens in each trial's run.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        left = list(self._trials)
        minutes = self._minutes
        for number in itertools.count(1):
            models = self._train(number, left, minutes, on_event)
            ratings = self._compare(models)
            yield Round(minutes, ratings)
            left = [trial for trial, _ in ratings[: (len(ratings) + 1) // 2]]
            if len(left) == 1:
                return
            minutes *= 2

    def _train(
        self,
        number: int,
        left: list[str],
        minutes: float,
        on_event: _Listener | None,
    ) -> dict[str, Path]:
        """The model of each trial after so many minutes in all; those of a finished round stay."""
        for trial in left:
            finish_folder(self.folder / trial)  # which was about to come back from elsewhere
        notes = self.folder / f"round-{number}.json"
        if notes.exists():
            return {trial: self.folder / place for trial, place in _read(notes).items()}
        if self._launcher is None:
            for trial in left:
                self._train_here(trial, minutes, on_event)
        else:
            self._train_on_cluster(left, minutes, on_event, self._launcher)
        runs = {trial: RunFolder.open(self.folder / trial) for trial in left}
        models = {trial: _latest(trial, run, minutes) for trial, run in runs.items()}
        places = {trial: str(path.relative_to(self.folder)) for trial, path in models.items()}
        write_file(notes, json.dumps(places))
        return models

    def _train_here(self, trial: str, minutes: float, on_event: _Listener | None) -> None:
        def hear(event: Event) -> None:
            if on_event is not None:
                on_event(trial, event)
            if isinstance(event, Stopped) and event.reason == "interrupted":
                raise KeyboardInterrupt

        run = self.folder / trial
        train(
            load_recipe(self._recipe, self._trials[trial]),
            run=run,
            minutes=max(0.0, minutes - _minutes_spent(run)),
            cores=self._cores,
            on_event=hear,
        )

    def _train_on_cluster(
        self, left: list[str], minutes: float, on_event: _Listener | None, launcher: Launcher
    ) -> None:
        """What a node that goes had trained in this round is trained again elsewhere."""
        resources = Resources(cpus=self._cores or 1)
        waiting = deque(trial for trial in left if _minutes_spent(self.folder / trial) < minutes)
        workers: dict[str, Worker] = {}
        deaths = 0
        try:
            while waiting or workers:
                while waiting and (not workers or launcher.capacity(resources)):
                    trial = waiting.popleft()
                    order = self._order(trial, minutes)
                    workers[trial] = launcher.start(_trial_main, order, resources=resources)
                launcher.wait(list(workers.values()), 1.0)
                for trial, worker in list(workers.items()):
                    done = False
                    for message in worker.receive():
                        raise_refusal(message)
                        if isinstance(message, Event) and on_event is not None:
                            on_event(trial, message)
                        elif isinstance(message, bytes):
                            _install(message, self.folder / trial)
                            done = True
                    if done or not worker.alive:
                        launcher.stop([workers.pop(trial)])
                    if not done and not worker.alive:
                        deaths += not worker.node_lost
                        if deaths > _MOST_DEATHS:
                            raise BoardZeroError(f"trials died {_MOST_DEATHS} times; giving up")
                        waiting.append(trial)
        finally:
            launcher.stop(list(workers.values()))

    def _order(self, trial: str, minutes: float) -> _Order:
        run = self.folder / trial
        recipe = load_recipe(self._recipe, self._trials[trial])
        left = max(0.0, minutes - _minutes_spent(run))
        return _Order(
            trial, recipe, left, self._cores or 1, _archive_of(run) if run.exists() else None
        )

    def _compare(self, models: dict[str, Path]) -> tuple[tuple[str, Rating], ...]:
        recipe = load_recipe(self._recipe)
        family = recipe.player
        budget = recipe.versions_as_players()
        specs = {
            str(Spec(family, {"model": str(path), **budget})): trial
            for trial, path in models.items()
        }
        plan = CompetitionPlan(
            kind="tournament",
            game=recipe.game,
            players=tuple(specs),
            games=self._games,
            openings=self._openings,
        )
        with Store(self.folder / "games.sqlite") as store:
            competition = Competition(plan, store)
            names = dict(zip(competition.plan.players, specs.values(), strict=True))
            competition.finish(workers=self._cores, launcher=self._launcher)
            ratings = Report(competition).ratings()
        return tuple((names[rating.player], rating) for rating in ratings)


@dataclass(frozen=True, slots=True)
class _Order:
    """A trial for another machine."""

    trial: str
    recipe: AnyRecipe
    minutes: float
    cores: int
    run: bytes | None  # as far as it is, packed


def _trial_main(channel: Channel, order: _Order) -> None:
    """The main function of a trial's worker: tells what happens, and sends the run back."""
    with as_worker(channel), TemporaryDirectory(prefix="boardzero-") as scratch:
        run = Path(scratch) / order.trial
        if order.run is not None:
            _install(order.run, run)
        train(
            order.recipe,
            run=run,
            minutes=order.minutes,
            cores=min(order.cores, cores()),
            on_event=channel.send,
        )
        channel.send(_archive_of(run))


def _archive_of(run: Path) -> bytes:
    with TemporaryDirectory(prefix="boardzero-") as scratch:
        file = Path(scratch) / "run.zip"
        pack(run, file)
        return file.read_bytes()


def _install(archive: bytes, run: Path) -> None:
    """Put a run in its place that was elsewhere; it replaces what it was before."""
    with TemporaryDirectory(prefix="boardzero-") as scratch:
        file = Path(scratch) / "run.zip"
        file.write_bytes(archive)
        unpack(file, run, replace=True)


def _latest(trial: str, run: RunFolder, minutes: float) -> Path:
    versions = run.versions()
    if not versions:
        raise BoardZeroError(
            f"{trial} has no version after {minutes:g} minutes; give the sweep more --minutes"
        )
    return run.version_folder(versions[-1])


def _name(changes: tuple[str, ...]) -> str:
    """A folder's name that says what was changed."""
    pairs = (change.split("=", 1) for change in changes)
    return ",".join(f"{key.split('.')[-1]}={value}" for key, value in pairs)


def _minutes_spent(run: Path) -> float:
    return RunFolder(run).progress().seconds / 60 if RunFolder.is_run(run) else 0.0


def _read(notes: Path) -> dict[str, str]:
    try:
        found = json.loads(notes.read_text())
    except ValueError:
        raise BoardZeroError(f"{notes} is damaged; delete it to compare again") from None
    return {str(trial): str(place) for trial, place in found.items()}
