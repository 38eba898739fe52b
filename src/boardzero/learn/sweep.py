"""Which values of a recipe learn fastest: many short runs, of which the weaker half is dropped.

Successive halving on strength. Every trial trains for some minutes; the latest versions of all
trials meet in the arena; the better half trains for as long again as it has so far, until one is
left. All of it lies in one folder and goes on where it was.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from boardzero.arena import Competition, Plan, RandomOpenings
from boardzero.arena.report import Report
from boardzero.errors import BoardZeroError
from boardzero.learn.events import Event
from boardzero.learn.files import write_file
from boardzero.learn.recipe import load_recipe
from boardzero.learn.rundir import RunDir
from boardzero.learn.train import train
from boardzero.store import Rating, Store

__all__ = ["Round", "Sweep", "trials_of"]


def trials_of(grid: Sequence[str]) -> list[tuple[str, ...]]:
    """Every combination of `key=value,value,...`, each as changes of a recipe."""
    choices = []
    for line in grid:
        key, equals, values = line.partition("=")
        if not equals or not values.strip(", "):
            raise BoardZeroError(f"'{line}' is not of the form section.key=value,value")
        choices.append([f"{key.strip()}={value.strip()}" for value in values.split(",")])
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
    ) -> None:
        self.folder = folder
        self._recipe = recipe
        self._trials = {_name(changes): changes for changes in trials_of(grid)}
        if len(self._trials) < 2:
            raise BoardZeroError("a sweep needs at least two different trials")
        for changes in self._trials.values():
            load_recipe(recipe, changes)  # refuses what is wrong before anything is trained
        self._minutes = minutes
        self._games = games
        self._openings = RandomOpenings(opening_plies)
        self._cores = cores

    @property
    def trials(self) -> list[str]:
        return list(self._trials)

    def rounds(self, on_event: Callable[[str, Event], None] | None = None) -> Iterator[Round]:
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
        on_event: Callable[[str, Event], None] | None,
    ) -> dict[str, Path]:
        """The model of each trial after so many minutes in all; those of a finished round stay."""
        notes = self.folder / f"round-{number}.json"
        if notes.exists():
            return {trial: self.folder / place for trial, place in _read(notes).items()}
        models = {}
        for trial in left:

            def hear(event: Event, trial: str = trial) -> None:
                if on_event is not None:
                    on_event(trial, event)
                if event.kind == "stopped" and event.fields["reason"] == "interrupted":
                    raise KeyboardInterrupt

            run = self.folder / trial
            folder = train(
                load_recipe(self._recipe, self._trials[trial]),
                run=run,
                minutes=max(0.0, minutes - _minutes_spent(run)),
                cores=self._cores,
                on_event=hear,
            )
            models[trial] = folder.version_folder(folder.versions()[-1])
        places = {trial: str(path.relative_to(self.folder)) for trial, path in models.items()}
        write_file(notes, json.dumps(places))
        return models

    def _compare(self, models: dict[str, Path]) -> tuple[tuple[str, Rating], ...]:
        specs = {f"zero:model={path}": trial for trial, path in models.items()}
        game = load_recipe(self._recipe).game
        plan = Plan(
            kind="tournament",
            game=game,
            players=tuple(specs),
            games=self._games,
            openings=self._openings,
        )
        with Store(self.folder / "games.sqlite") as store:
            competition = Competition(plan, store)
            names = dict(zip(competition.plan.players, specs.values(), strict=True))
            with closing(competition.play(workers=self._cores)) as games:
                for _ in games:
                    pass
            ratings = Report(competition).ratings()
        return tuple((names[rating.player], rating) for rating in ratings)


def _name(changes: tuple[str, ...]) -> str:
    """A folder's name that says what was changed."""
    pairs = (change.split("=", 1) for change in changes)
    return ",".join(f"{key.split('.')[-1]}={value}" for key, value in pairs)


def _minutes_spent(run: Path) -> float:
    return RunDir.open(run).progress().seconds / 60 if (run / "recipe.toml").exists() else 0.0


def _read(notes: Path) -> dict[str, str]:
    try:
        found = json.loads(notes.read_text())
    except ValueError:
        raise BoardZeroError(f"{notes} is damaged; delete it to compare again") from None
    return {str(trial): str(place) for trial, place in found.items()}
