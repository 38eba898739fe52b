"""The training loop: games are played and stored, nets learn, candidates meet the gate.

Its steps are here, once; in which order they come is the business of two schedules, `in_turns` and
`side_by_side`. Every step leaves the folder ready to be resumed: whoever is killed repeats at most
the step at hand.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from boardzero.models import read_model
from boardzero.models.card import copy_model
from boardzero.runs.curves import elo_by_gates
from boardzero.runs.events import (
    ClusterResized,
    GamesMissing,
    GamesPlayed,
    GateDecided,
    Resumed,
    ShardSetAside,
    VersionArchived,
    WorkerMeasured,
)
from boardzero.runs.recipe import SelfPlayRecipe, WorkerConfig
from boardzero.runs.replay import ReplayEntry
from boardzero.runs.run_folder import REJECTED
from boardzero.training.fleet import Players, SelfPlayFleet, contest_winner
from boardzero.training.probing import measure_probes
from boardzero.training.session import TrainingJob, TrainingSession

_REPORT_SECONDS = 5.0


class TrainingLoop(TrainingSession):
    """A run that learns from games of its own."""

    recipe: SelfPlayRecipe

    def __init__(self, job: TrainingJob, recipe: SelfPlayRecipe) -> None:
        super().__init__(job, recipe)
        run = job.run
        self._replay = run.replay()
        self._speed = Speedometer(self._games)
        self._results: Counter[int | None] = Counter()  # of the gate's match, by who won
        self._cluster: ClusterResized | None = None
        self._next_report = 0.0
        for shard in self._replay.set_aside:
            self._tell(ShardSetAside(shard.name))
        if len(self._replay) < self._progress.games:
            self._tell(GamesMissing(len(self._replay), self._progress.games))
        if run.versions():
            self._tell(Resumed(len(self._replay), self._progress.version))
        noted = run.progress()
        if self._progress.version > noted.version and not noted.verdict:
            # An older program was killed after it had written a version, and before it noted that.
            self._set(iteration=self._progress.iteration + 1, trained=False)

    def go(self) -> None:
        try:
            self._follow_schedule()
        finally:
            self._stop_workers()  # first: what follows may find the disk full
            self._save()
            self.run.forget_workers()
            self._replay.sync()
            self._replay.close()

    def _save(self) -> None:
        self._progress = replace(self._progress, games=len(self._replay))
        super()._save()

    @abstractmethod
    def _follow_schedule(self) -> None:
        """Take the steps below until there is nothing more to do."""

    @abstractmethod
    def _stop_workers(self) -> None: ...

    @abstractmethod
    def _who_plays(self) -> Players:
        """What plays the games, of self-play and of the gate."""

    @abstractmethod
    def _restore(self, model: Path) -> None:
        """Let the nets in training go back to this model."""

    @property
    def _games(self) -> int:
        """Of this iteration."""
        return len(self.recipe.games_of(self._progress.iteration))

    @property
    def _best(self) -> Path:
        return self.run.version_folder(self._progress.version)

    def _more(self) -> bool:
        run, progress = self.recipe.run, self._progress
        enough = run.versions is not None and progress.version >= run.versions
        return not enough and (run.iterations is None or progress.iteration <= run.iterations)

    def _start_players(self) -> SelfPlayFleet:
        """Workers for self-play; on a cluster they take all the room that there is."""
        size = self.recipe.run.workers or self.job.launcher.default_workers
        return self._start_fleet(size, self.recipe.cluster.worker)

    def _start_fleet(self, size: int | None, config: WorkerConfig) -> SelfPlayFleet:
        return SelfPlayFleet(
            self._who_plays(),
            self.job.launcher,
            size=size,
            resources=config.resources,
            tell=self._tell,
        )

    # Play and store.

    def _store(self, record: bytes, fleet: SelfPlayFleet, *, done: int) -> ReplayEntry | None:
        """Keep a game, with which so many of the iteration are `done`; None if it is not new."""
        if not self._replay.append(record, self._progress.iteration):
            return None
        stored, total = self._replay.games[-1], self._games
        if done == total:
            self._replay.sync()
        speed, evaluations = self._speed.add(stored.samples), round(fleet.rows_per_second)
        self._tell(GamesPlayed(done, total, speed, evaluations))
        return stored

    def _report(self, fleet: SelfPlayFleet) -> None:
        """Tell every few seconds who plays, where there is more than this machine."""
        if self.job.launcher.local or time.monotonic() < self._next_report:
            return
        self._next_report = time.monotonic() + _REPORT_SECONDS
        workers, dashboard = fleet.stats(), self.job.launcher.dashboard
        for worker in workers:
            self._tell(WorkerMeasured(worker))
        self.run.save_workers(workers, dashboard=dashboard)
        nodes = len({worker.node for worker in workers})
        cluster = ClusterResized(len(workers), nodes, dashboard)
        if cluster != self._cluster:
            self._cluster = cluster
            self._tell(cluster)

    # Gate and archive.

    def _begin_gate(self, evaluators: SelfPlayFleet) -> None:
        """Let the model that lies at the gate meet the best version."""
        self._results.clear()
        models, games = [self.run.at_gate, self._best], range(self.recipe.gate.games)
        if games:
            evaluators.start(models, games, stream=self._progress.iteration)

    def _decide_gate(self, evaluators: SelfPlayFleet, timeout: float) -> bool:
        """Count games of the match; whether it is over and the verdict noted."""
        if self.recipe.gate.games:
            self._results.update(map(contest_winner, evaluators.collect(timeout)))
            if evaluators.unfinished:
                return False
        wins, draws, losses = (self._results[winner] for winner in (0, None, 1))
        accepted = self.recipe.gate.accepts(wins, draws, losses)
        self._tell(GateDecided(wins, draws, losses, accepted))
        self._set(verdict=self._progress.version + 1 if accepted else REJECTED)
        return True

    def _carry_out(self) -> None:
        """Do what the verdict says and end the iteration; killed before that, only this is left."""
        version, verdict = self._progress.version, self._progress.verdict
        if verdict != REJECTED:
            version = verdict
            self._archive(version)
        elif self.recipe.gate.on_fail == "restore":
            self._restore(self._best)
        iteration = self._progress.iteration + 1
        self._set(iteration=iteration, trained=False, verdict=0, version=version)

    def _archive(self, version: int) -> None:
        """Make a version of the model that lies at the gate."""
        if version not in self.run.versions():
            # Only now it is known which version this is, and what the gate thinks of it.
            card = read_model(self.run.at_gate).model_copy(
                update={
                    "version": version,
                    "rating": self._rating(),
                    "minutes": round(self._minutes, 2),
                }
            )
            copy_model(self.run.at_gate, self.run.version_folder(version), card)
        self._tell(VersionArchived(version, len(self._replay)))
        found = measure_probes(self.run.version_folder(version), self.recipe, version)
        if found is not None:
            self._tell(found)

    def _rating(self) -> float | None:
        """Elo above version 0 of what was accepted last, as far as gates have measured it."""
        elo = elo_by_gates(self.run.read_log())
        return round(elo.y[-1], 1) if len(elo.y) > 1 else None


class Speedometer:
    """Positions that can be learned, per second, over the last so many games."""

    def __init__(self, games: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._positions = 0
        self._marks = deque([(clock(), 0)], maxlen=games + 1)

    def add(self, positions: int) -> float:
        """A game has finished; the speed now."""
        self._positions += positions
        self._marks.append((self._clock(), self._positions))
        since, before = self._marks[0]
        seconds = max(self._marks[-1][0] - since, 1e-3)
        return round((self._positions - before) / seconds, 1)
