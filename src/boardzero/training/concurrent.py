"""Training side by side: self-play, the trainer and the gate run at the same time.

The supervisor passes on three kinds of message: a finished game goes to the trainer, a new version
to the players, and heartbeats tell who is alive. Whatever dies is started again; what it needs to
go on lies in the run's folder.
"""

from __future__ import annotations

import itertools
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from boardzero.base.files import write_folder
from boardzero.models import ModelCard, read_model
from boardzero.runs.events import Event, GamesPlayed, GateDecided, Observer, VersionArchived
from boardzero.runs.recipe import Recipe
from boardzero.runs.run_folder import RunFolder
from boardzero.training.fleet import SelfPlayFleet, contest_winner
from boardzero.training.loop import Supervisor
from boardzero.training.pace import Pace
from boardzero.training.trainer_process import Learned, TrainerProcess
from boardzero.workers.launcher import Launcher

__all__ = ["AsyncRun"]


class AsyncRun(Supervisor):
    """One run of a recipe in async mode.

    An iteration is a round of the trainer: `selfplay.games` new games, then as many batches as the
    recipe's `learn` asks for, then a candidate for the gate.
    """

    def __init__(
        self,
        run: RunFolder,
        recipe: Recipe,
        observer: Observer,
        *,
        launcher: Launcher,
        deadline: float | None,
    ) -> None:
        super().__init__(run, recipe, observer, deadline)
        if self._progress.version > run.progress().version:
            # Killed after the gate's verdict was carried out and before that was noted.
            self._set(iteration=self._progress.iteration + 1)
        cluster = recipe.cluster
        # The players come last: they take all the room that there is.
        self._trainer = TrainerProcess(run, recipe, self._replay, launcher, self._tell)
        self._gatekeeper = SelfPlayFleet(
            recipe,
            launcher,
            size=1 if launcher.local else cluster.evaluators,
            resources=cluster.evaluator.resources,
            tell=self._tell,
        )
        self._players = SelfPlayFleet(
            recipe,
            launcher,
            size=recipe.run.workers or launcher.default_workers,
            resources=cluster.worker.resources,
            tell=self._tell,
        )
        self._ahead = None if launcher.local else cluster.ahead * recipe.selfplay.games
        self._learned = len(self._replay)
        self._numbers: Iterator[int] = itertools.count(max(self._replay.numbers, default=-1) + 1)
        self._pace = Pace(recipe.selfplay.games)
        self._candidates: list[Path] = []
        self._score = [0, 0, 0]  # wins, draws, losses of the candidate at the gate
        self._gating = False

    def go(self) -> None:
        """Run until the recipe is done or the time is over (`OutOfTimeError`)."""
        try:
            while not self.run.versions():  # the first version is the trainer's untrained net
                self._hear_trainer()
                self._check_time()
                time.sleep(0.05)
            self._players.start([self._best], [], version=self._progress.version)
            self._pace = Pace(self.recipe.selfplay.games)  # waiting is not playing
            while self._more():
                self._keep_busy()
                self._hear_players()
                self._hear_trainer()
                self._hear_gate()
                self._report(self._players)
                self._check_time()
        finally:
            self._trainer.close()
            self._players.close()
            self._gatekeeper.close()
            self._close()  # last: it may find the disk full

    def _keep_busy(self) -> None:
        wanted = 2 * self.recipe.selfplay.parallel * self._players.size
        if self._ahead is not None:  # games must not pile up before a trainer that is slower
            wanted = min(wanted, self._ahead - (len(self._replay) - self._learned))
        count = wanted - self._players.unfinished
        if count > 0:
            self._players.assign(list(itertools.islice(self._numbers, count)))

    def _hear_players(self) -> None:
        for record in self._players.collect(timeout=0.2):
            if self._replay.append(record, self._progress.iteration):
                self._trainer.add_game(self._replay.games[-1])
                total = self.recipe.selfplay.games
                done = (len(self._replay) - 1) % total + 1
                if done == total:
                    self._replay.sync()
                self._tell(
                    GamesPlayed(
                        done=done,
                        total=total,
                        positions_per_second=self._pace.add(self._replay.games[-1].samples),
                        evaluations_per_second=round(self._players.rows_per_second),
                    )
                )

    def _hear_trainer(self) -> None:
        for message in self._trainer.listen():
            if isinstance(message, Path):
                if self.run.versions():
                    self._candidates = [message]  # an older one that still waits is outdated
                else:
                    self._accept(message, 0)
                    self._save()
            elif isinstance(message, Learned):
                self._learned = message.games
            elif isinstance(message, Event):
                self._tell(message)

    def _hear_gate(self) -> None:
        gate = self.recipe.gate
        if not self._gating and self._candidates:
            self._begin_gate(self._candidates.pop())
        if not self._gating:
            return
        for record in self._gatekeeper.collect(timeout=0):
            winner = contest_winner(record)
            self._score[{0: 0, None: 1, 1: 2}[winner]] += 1
        if self._gatekeeper.unfinished == 0:
            self._gating = False
            wins, draws, losses = self._score
            accepted = gate.accepts(wins, draws, losses)
            self._tell(GateDecided(wins, draws, losses, accepted))
            iteration, version = self._progress.iteration + 1, self._progress.version + accepted
            if accepted:
                self._accept(self._at_gate, version)
            elif gate.on_fail == "restore":
                self._trainer.restore(self._best)
            self._set(iteration=iteration, version=version)
            if accepted:
                self._players.load([self._best], version=version)

    @property
    def _at_gate(self) -> Path:
        return self.run.path / "gate"

    def _begin_gate(self, candidate: Path) -> None:
        _copy_folder(candidate, self._at_gate)
        self._score = [0, 0, 0]
        self._gating = True
        self._gatekeeper.start(
            [self._at_gate, self._best],
            range(self.recipe.gate.games),
            stream=self._progress.iteration,
        )

    def _accept(self, folder: Path, version: int) -> None:
        # Only now it is known which version this is, and what the gate thinks of it.
        known = {"version": version, "rating": self._rating(), "minutes": round(self._minutes, 2)}
        card = read_model(folder).model_copy(update=known)
        _copy_folder(folder, self.run.version_folder(version), card)
        self._tell(VersionArchived(version, len(self._replay)))


def _copy_folder(source: Path, target: Path, card: ModelCard | None = None) -> None:
    """A model's folder, perhaps with another card."""

    def fill(draft: Path) -> None:
        for file in source.iterdir():
            shutil.copy(file, draft / file.name)
        if card is not None:
            (draft / "card.json").write_text(card.model_dump_json(indent=2))

    write_folder(target, fill)
