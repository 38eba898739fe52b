"""Training in turns: play, learn, and let the candidate prove itself; then again."""

from __future__ import annotations

from pathlib import Path

import torch

from boardzero.runs.recipe import Recipe
from boardzero.training.candidate import CandidateTrainer
from boardzero.training.loop import Speedometer, TrainingLoop
from boardzero.training.session import TrainingJob


class InTurns(TrainingLoop):
    """The nets learn in this process, and one fleet plays both self-play and the gate's games."""

    def __init__(self, job: TrainingJob, recipe: Recipe) -> None:
        super().__init__(job, recipe)
        torch.set_num_threads(job.cores)
        self._trainer = CandidateTrainer(job.run, recipe, self._replay)
        self._players = self._start_players()

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
        games = self.recipe.selfplay.games
        first = (self._progress.iteration - 1) * games
        missing = [n for n in range(first, first + games) if n not in self._replay.numbers]
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
