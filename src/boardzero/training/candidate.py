"""The candidate: the nets in training, and what a run's folder keeps of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from boardzero.games import make
from boardzero.runs.events import Event
from boardzero.runs.recipe import Recipe
from boardzero.runs.replay import Replay
from boardzero.runs.run_folder import RunFolder
from boardzero.training.model_files import write_model
from boardzero.training.start_from import begin
from boardzero.training.trainer_group import TrainerGroup


class CandidateTrainer:
    """Fits a run's nets to its games, and saves them with their optimisers."""

    def __init__(self, run: RunFolder, recipe: Recipe, replay: Replay) -> None:
        self._run = run
        self._recipe = recipe
        self._replay = replay
        self._trainers = TrainerGroup(make(recipe.game), recipe)

    @property
    def steps(self) -> int:
        """Batches learned in all."""
        return self._trainers.steps

    def begin(self) -> Iterator[Event]:
        """Take over what was saved last; a new run begins with what its recipe says."""
        versions = self._run.versions()
        if self._run.candidate.exists():
            self._trainers.load(self._run.candidate)
            if self._trainers.is_finite or not versions:
                return
        if versions:  # also if an earlier program has saved what had diverged
            self._trainers.load(self._run.version_folder(versions[-1]))
        else:
            yield from begin(self._trainers, self._run.path / "start")

    def learn(self, *, fresh: int, number: int) -> Iterator[Event]:
        """One round, of which the latest `fresh` games are new; what is drawn follows its number.

        It is saved at the end: whoever is killed before that learns all of it again.
        """
        games = self._trainers.window(self._replay)
        seed = self._recipe.seed * 100_003 + number
        yield from self._trainers.fit(self._replay, games, fresh=fresh, seed=seed)
        self.save()

    def save(self) -> None:
        self._trainers.save(self._run.candidate)

    def restore(self, model: Path) -> None:
        """Go back to a model, without the momentum of what was rejected."""
        self._trainers.load(model)
        self.save()  # or else whoever is started next would go on with what was rejected

    def write_model(self, folder: Path, *, games: int) -> None:
        """The nets as a model, for the gate to test, after so many games."""
        # Eight bits are fitted to examples, which a candidate that waits does not bring along.
        if self._recipe.selfplay.int8 and not self._trainers.have_examples:
            self._trainers.look(self._replay)
        versions = self._run.versions()
        write_model(
            folder,
            self._trainers,
            run=self._run.name,
            version=versions[-1] + 1 if versions else 0,
            games=games,
            minutes=self._run.progress().seconds / 60,
        )
