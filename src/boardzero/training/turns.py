"""Training in turns: play, learn, and let the candidate prove itself; then again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch

from boardzero.games import make
from boardzero.runs.events import GamesPlayed, GateDecided, Observer, VersionArchived
from boardzero.runs.recipe import Recipe
from boardzero.runs.run_folder import REJECTED, RunFolder
from boardzero.training.fleet import SelfPlayFleet, contest_winner
from boardzero.training.loop import Supervisor
from boardzero.training.pace import Pace
from boardzero.training.start_from import begin
from boardzero.training.trainer_group import TrainerGroup
from boardzero.training.versions import write_version
from boardzero.workers.launcher import Launcher

__all__ = ["SyncRun"]


class SyncRun(Supervisor):
    """One run of a recipe in sync mode. Every step leaves the folder ready to be resumed."""

    def __init__(
        self,
        run: RunFolder,
        recipe: Recipe,
        observer: Observer,
        *,
        launcher: Launcher,
        cores: int,
        deadline: float | None,
    ) -> None:
        super().__init__(run, recipe, observer, deadline)
        torch.set_num_threads(cores)
        self._trainers = TrainerGroup(make(recipe.game), recipe, run.path)
        self._fleet = SelfPlayFleet(
            recipe,
            launcher,
            size=recipe.run.workers or launcher.default_workers,
            resources=recipe.cluster.worker.resources,
            tell=self._tell,
        )

    def go(self) -> None:
        """Iterate until the recipe is done or the time is over (`OutOfTimeError`)."""
        try:
            self._prepare()
            while self._more():
                if not self._progress.trained:
                    self._play()
                    self._learn()
                self._gate()
        finally:
            self._fleet.close()  # first: what follows may find the disk full
            self._close()

    def _prepare(self) -> None:
        if self.run.versions():
            resumes = self.run.candidate.exists()
            self._trainers.load(self.run.candidate if resumes else self._best)
            # Killed after the candidate was saved and before that was noted.
            if self._trainers.steps > self._progress.steps:
                self._set(trained=True, steps=self._trainers.steps)
            # Eight bits are fitted to examples, which a candidate that waits does not bring along.
            if self._progress.trained and self.recipe.selfplay.int8:
                self._trainers.look(self._replay)
            return
        for event in begin(self._trainers, self.run.path / "start"):
            self._tell(event)
            self._check_time()
        if self._trainers.steps:  # with its momentum, as after any other lesson
            self._trainers.save(self.run.candidate)
            self._set(steps=self._trainers.steps)
        self._archive(0)
        self._save()

    def _play(self) -> None:
        """The iteration's games that are not stored yet."""
        iteration, games = self._progress.iteration, self.recipe.selfplay.games
        first = (iteration - 1) * games
        missing = [n for n in range(first, first + games) if n not in self._replay.numbers]
        pace = Pace(games)
        self._fleet.start([self._best], missing, version=self._progress.version)
        for record in self._finished():
            self._replay.append(record, iteration)
            self._tell(
                GamesPlayed(
                    done=games - self._fleet.unfinished,
                    total=games,
                    positions_per_second=pace.add(self._replay.games[-1].samples),
                    evaluations_per_second=round(self._fleet.rows_per_second),
                )
            )
        self._replay.sync()

    def _finished(self) -> Iterator[bytes]:
        """The records of the games that were begun, as they finish."""
        while self._fleet.unfinished:
            yield from self._fleet.collect(timeout=0.5)
            self._report(self._fleet)
            self._check_time()

    def _learn(self) -> None:
        games = self._trainers.window(self._replay)
        fresh = sum(game.iteration == self._progress.iteration for game in games)
        # Drawn afresh for each iteration, so that a resumed run draws what an unbroken one would.
        seed = self.recipe.seed * 100_003 + self._progress.iteration
        for losses in self._trainers.fit(self._replay, games, fresh=fresh, seed=seed):
            self._tell(losses)
        self._trainers.save(self.run.candidate)
        self._set(trained=True, steps=self._trainers.steps)
        self._check_time()

    def _gate(self) -> None:
        """Judge the candidate and carry the verdict out; killed in between, only the latter."""
        if not self._progress.verdict:
            self._set(verdict=self._progress.version + 1 if self._passes_gate() else REJECTED)
        version = self._progress.version
        if self._progress.verdict != REJECTED:
            version = self._progress.verdict
            self._archive(version)
        elif self.recipe.gate.on_fail == "restore":
            self._trainers.load(self._best)  # without the momentum of what was rejected
            self._trainers.save(self.run.candidate)
        iteration = self._progress.iteration + 1
        self._set(iteration=iteration, trained=False, verdict=0, version=version)

    def _passes_gate(self) -> bool:
        gate = self.recipe.gate
        candidate = self.run.path / "gate"
        wins = draws = losses = 0
        if gate.games:
            self._write(candidate, self._progress.version + 1)
            models = [candidate, self._best]
            self._fleet.start(models, range(gate.games), stream=self._progress.iteration)
            for record in self._finished():
                result = contest_winner(record)
                wins += result == 0
                losses += result == 1
                draws += result is None
        accepted = gate.accepts(wins, draws, losses)
        self._tell(GateDecided(wins, draws, losses, accepted))
        return accepted

    def _archive(self, version: int) -> None:
        if version not in self.run.versions():
            self._write(self.run.version_folder(version), version, rating=self._rating())
        self._tell(VersionArchived(version, len(self._replay)))

    def _write(self, folder: Path, version: int, *, rating: float | None = None) -> None:
        write_version(
            folder,
            self._trainers,
            run=self.run.name,
            version=version,
            games=len(self._replay),
            minutes=self._minutes,
            rating=rating,
        )
