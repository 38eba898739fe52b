"""Training side by side: self-play, the trainer and the gate work at the same time.

The owner passes on three kinds of message: a finished game goes to the trainer, a new version to
the players, and heartbeats tell who is alive. Whatever dies is started again; what it needs to go
on lies in the run's folder.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

from boardzero.models.card import copy_model
from boardzero.runs.events import Event
from boardzero.runs.recipe import Recipe
from boardzero.training.fleet import Players
from boardzero.training.loop import Speedometer, TrainingLoop
from boardzero.training.session import TrainingJob
from boardzero.training.trainer_process import TrainerProcess
from boardzero.training.trainer_worker import Learned


class SideBySide(TrainingLoop):
    """Players, evaluators and the trainer are workers of their own.

    An iteration is a round of the trainer: `selfplay.games` new games, then as many batches as the
    recipe's `learn` asks for, then a candidate for the gate.
    """

    recipe: Recipe

    def __init__(self, job: TrainingJob, recipe: Recipe) -> None:
        super().__init__(job, recipe)
        cluster = recipe.cluster
        self._trainer = TrainerProcess(job.run, recipe, self._replay, job.launcher, self._tell)
        evaluators = 1 if job.launcher.local else cluster.evaluators
        self._evaluators = self._start_fleet(evaluators, cluster.evaluator)
        self._players = self._start_players()  # last: they take all the room that there is
        self._ahead = None if job.launcher.local else cluster.ahead * recipe.selfplay.games
        self._learned = len(self._replay)
        self._numbers: Iterator[int] = itertools.count(max(self._replay.numbers, default=-1) + 1)
        self._waiting: Path | None = None  # a candidate, until the gate is free
        self._gating = False

    def _follow_schedule(self) -> None:
        if self._progress.verdict:
            self._carry_out()
        while not self.run.versions():  # the first version is the trainer's untrained net
            self._hear_trainer()
            self._check_time()
            time.sleep(0.05)
        self._players.start([self._best], [], version=self._progress.version)
        self._speed = Speedometer(self.recipe.selfplay.games)  # waiting is not playing
        while self._more():
            self._keep_busy()
            self._hear_players()
            self._hear_trainer()
            self._hear_gate()
            self._report(self._players)
            self._check_time()

    def _stop_workers(self) -> None:
        self._trainer.close()
        self._players.close()
        self._evaluators.close()

    def _who_plays(self) -> Players:
        return Players.with_puct(self.recipe)

    def _restore(self, model: Path) -> None:
        self._trainer.restore(model)

    def _keep_busy(self) -> None:
        wanted = 2 * self.recipe.selfplay.parallel * self._players.size
        if self._ahead is not None:  # games must not pile up before a trainer that is slower
            wanted = min(wanted, self._ahead - (len(self._replay) - self._learned))
        count = wanted - self._players.unfinished
        if count > 0:
            self._players.assign(list(itertools.islice(self._numbers, count)))

    def _hear_players(self) -> None:
        for record in self._players.collect(timeout=0.2):
            done = len(self._replay) % self.recipe.selfplay.games + 1
            stored = self._store(record, self._players, done=done)
            if stored is not None:
                self._trainer.add_game(stored)

    def _hear_trainer(self) -> None:
        for message in self._trainer.listen():
            if isinstance(message, Path):
                self._waiting = message  # an older one that still waits is outdated
            elif isinstance(message, Learned):
                self._learned = message.games
            elif isinstance(message, Event):
                self._tell(message)
        if self._waiting is not None and not self.run.versions():
            self._to_gate(self._waiting)
            self._archive(0)
            self._save()

    def _hear_gate(self) -> None:
        if not self._gating and self._waiting is not None:
            self._to_gate(self._waiting)
            self._begin_gate(self._evaluators)
            self._gating = True
        if self._gating and self._decide_gate(self._evaluators, timeout=0):
            self._gating = False
            before = self._progress.version
            self._carry_out()
            if self._progress.version != before:
                self._players.load([self._best], version=self._progress.version)

    def _to_gate(self, candidate: Path) -> None:
        copy_model(candidate, self.run.at_gate)
        self._waiting = None
