"""Training in turns: play, learn, and let the candidate prove itself; then again."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from boardzero.runs.events import Event
from boardzero.runs.recipe import SelfPlayRecipe
from boardzero.training.loop import Speedometer, TrainingLoop
from boardzero.training.session import TrainingJob


class CandidateNet(Protocol):
    """What learns: the net in training, and what a run's folder keeps of it."""

    @property
    def steps(self) -> int:
        """Batches learned in all."""
        ...

    def begin(self) -> Iterator[Event]:
        """Take over what was saved last; a new run begins with what its recipe says."""
        ...

    def learn(self, *, fresh: int, number: int) -> Iterator[Event]:
        """One round, of which the latest `fresh` games are new; saved at its end."""
        ...

    def save(self) -> None: ...

    def restore(self, model: Path) -> None:
        """Go back to a model."""
        ...

    def write_model(self, folder: Path, *, games: int) -> None:
        """The net as a model, for the gate to test, after so many games."""
        ...


class InTurns(TrainingLoop):
    """A candidate learns in this process, and one fleet plays self-play and the gate's games."""

    def __init__(self, job: TrainingJob, recipe: SelfPlayRecipe) -> None:
        super().__init__(job, recipe)
        self._trainer = self._new_candidate()
        self._players = self._start_players()

    @abstractmethod
    def _new_candidate(self) -> CandidateNet: ...

    def _follow_schedule(self) -> None:
        self._prepare()
        while self._more():
            if not self._progress.trained:
                self._play()
                self._learn()
            self._gate()

    def _stop_workers(self) -> None:
        self._players.close()

    def _restore(self, model: Path) -> None:
        self._trainer.restore(model)

    def _prepare(self) -> None:
        for event in self._trainer.begin():
            self._tell(event)
            self._check_time()
        steps = self._trainer.steps
        if not self.run.versions():
            self._trainer.save()
            self._set(steps=steps)
            self._trainer.write_model(self.run.at_gate, games=0)
            self._archive(0)
            self._save()
        elif steps > self._progress.steps:
            # Killed after the candidate was saved and before that was noted.
            self._set(trained=True, steps=steps)

    def _play(self) -> None:
        """The iteration's games that are not stored yet."""
        numbers, games = self.recipe.games_of(self._progress.iteration), self._games
        missing = [n for n in numbers if n not in self._replay.numbers]
        self._players.start([self._best], missing, version=self._progress.version)
        self._speed = Speedometer(games)
        while self._players.unfinished:
            for record in self._players.collect(timeout=0.5):
                self._store(record, self._players, done=games - self._players.unfinished)
            self._report(self._players)
            self._check_time()

    def _learn(self) -> None:
        iteration = self._progress.iteration
        fresh = sum(game.iteration == iteration for game in self._replay.games)
        # Drawn afresh for each iteration, so that a resumed run draws what an unbroken one would.
        for event in self._trainer.learn(fresh=fresh, number=iteration):
            self._tell(event)
            self._check_time()  # a round that is cut short is learned again
        self._set(trained=True, steps=self._trainer.steps)
        self._check_time()

    def _gate(self) -> None:
        self._trainer.write_model(self.run.at_gate, games=len(self._replay))
        if not self._progress.verdict:
            self._begin_gate(self._players)
            while not self._decide_gate(self._players, timeout=0.5):
                self._report(self._players)
                self._check_time()
        self._carry_out()
