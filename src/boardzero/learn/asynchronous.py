"""Training side by side: self-play, the trainer and the gate run at the same time.

The supervisor passes on three kinds of message: a finished game goes to the trainer, a new version
to the players, and heartbeats tell who is alive. Whatever dies is started again; what it needs to
go on lies in the run's folder.
"""

from __future__ import annotations

import itertools
import multiprocessing
import shutil
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

from boardzero.errors import BoardZeroError
from boardzero.infer import ModelCard, read_model
from boardzero.learn.crew import Crew, contest_winner
from boardzero.learn.events import Observer
from boardzero.learn.files import finish_folder, write_folder
from boardzero.learn.recipe import Recipe
from boardzero.learn.replay import StoredGame
from boardzero.learn.rundir import RunDir
from boardzero.learn.supervisor import Supervisor
from boardzero.learn.worker import hear_last_words, helping, refuse_if_told

__all__ = ["AsyncRun"]

_MOST_DEATHS = 20


class AsyncRun(Supervisor):
    """One run of a recipe in async mode.

    An iteration is a round of the trainer: `selfplay.games` new games, then as many batches as the
    recipe's `learn` asks for, then a candidate for the gate.
    """

    def __init__(
        self, run: RunDir, recipe: Recipe, observer: Observer, *, cores: int, deadline: float | None
    ) -> None:
        super().__init__(run, recipe, observer, deadline)
        self._players = Crew(recipe, recipe.run.workers or cores)
        self._gatekeeper = Crew(recipe, 1)
        self._trainer = _TrainerProcess(run, self._replay.games)
        self._numbers: Iterator[int] = itertools.count(max(self._replay.numbers, default=-1) + 1)
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
            while self._more():
                self._keep_busy()
                self._hear_players()
                self._hear_trainer()
                self._hear_gate()
                self._check_time()
        finally:
            self._trainer.close()
            self._players.close()
            self._gatekeeper.close()
            self._close()  # last: it may find the disk full

    def _keep_busy(self) -> None:
        wanted = 2 * self.recipe.selfplay.parallel * self._players.size
        if self._players.unfinished < wanted:
            count = wanted - self._players.unfinished
            self._players.give(list(itertools.islice(self._numbers, count)))

    def _hear_players(self) -> None:
        for record in self._players.listen(timeout=0.2):
            if self._replay.append(record, self._progress.iteration):
                self._trainer.send(self._replay.games[-1])
                total = self.recipe.selfplay.games
                self._tell(
                    "games",
                    done=(len(self._replay) - 1) % total + 1,
                    total=total,
                    positions_per_second=round(
                        self._players.rows_per_second / self.recipe.search.simulations, 1
                    ),
                    evaluations_per_second=round(self._players.rows_per_second),
                )

    def _hear_trainer(self) -> None:
        for message in self._trainer.listen():
            if isinstance(message, Path):
                if self.run.versions():
                    self._candidates = [message]  # an older one that still waits is outdated
                else:
                    self._accept(message, 0)
            elif isinstance(message, tuple):
                kind, fields = message
                self._tell(kind, **fields)

    def _hear_gate(self) -> None:
        gate = self.recipe.gate
        if not self._gating and self._candidates:
            self._begin_gate(self._candidates.pop())
        if not self._gating:
            return
        for record in self._gatekeeper.listen(timeout=0):
            winner = contest_winner(record)
            self._score[{0: 0, None: 1, 1: 2}[winner]] += 1
        if self._gatekeeper.unfinished == 0:
            self._gating = False
            wins, draws, losses = self._score
            accepted = gate.accepts(wins, draws, losses)
            self._tell("gate", wins=wins, draws=draws, losses=losses, accepted=accepted)
            if accepted:
                self._accept(self._at_gate, self._progress.version + 1)
                self._players.use([self._best], version=self._progress.version)
            elif gate.on_fail == "restore":
                self._trainer.send(self._best)
            self._set(iteration=self._progress.iteration + 1)

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
        card = read_model(folder).model_copy(update={"version": version, "rating": self._rating()})
        _copy_folder(folder, self.run.version_folder(version), card)
        self._set(version=version)
        self._tell("version", version=version, games=len(self._replay))


def _copy_folder(source: Path, target: Path, card: ModelCard | None = None) -> None:
    """A model's folder, perhaps with another card."""

    def fill(draft: Path) -> None:
        for file in source.iterdir():
            shutil.copy(file, draft / file.name)
        if card is not None:
            (draft / "card.json").write_text(card.model_dump_json(indent=2))

    write_folder(target, fill)


class _TrainerProcess:
    """The trainer from the supervisor's side."""

    def __init__(self, run: RunDir, games: list[StoredGame]) -> None:
        self._run = run
        self._games = games
        self._deaths = 0
        self._start()

    def send(self, message: object) -> None:
        try:
            self._connection.send(message)
        except OSError:
            self._restart()

    def listen(self) -> Iterator[object]:
        try:
            while self._connection.poll():
                message = self._connection.recv()
                refuse_if_told(message)
                yield message
        except (EOFError, OSError):
            self._restart()
        if not self._process.is_alive():
            self._restart()

    def close(self) -> None:
        self._connection.close()
        self._process.join(timeout=10)
        if self._process.is_alive():
            self._process.kill()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(
            target=_learn, args=(theirs, self._run.path), daemon=True
        )
        self._process.start()
        theirs.close()
        self._connection.send(list(self._games))

    def _restart(self) -> None:
        self._deaths += 1
        if self._deaths > _MOST_DEATHS:
            raise BoardZeroError(f"the trainer has died {_MOST_DEATHS} times; giving up")
        hear_last_words(self._connection)
        self._connection.close()
        self._process.join(timeout=2)
        self._start()


def _learn(connection: Connection, folder: Path) -> None:
    """The main function of the trainer process; ends when its supervisor goes."""
    with helping(connection):
        _AsyncTrainer(connection, RunDir.open(folder)).run()


class _AsyncTrainer:
    def __init__(self, connection: Connection, run: RunDir) -> None:
        import torch

        from boardzero.games import make
        from boardzero.learn.learner import Learner

        torch.set_num_threads(1)
        self._connection = connection
        self._run = run
        recipe = run.recipe()
        assert isinstance(recipe, Recipe)
        self._recipe = recipe
        self._replay = run.replay(read_only=True)
        self._learner = Learner(make(self._recipe.game), self._recipe, run.path)
        self._fresh = 0  # games that came since the last round
        self._round = 0

    def run(self) -> None:
        self._replay.adopt(self._connection.recv())
        finish_folder(self._run.candidate)
        if self._run.candidate.exists():
            self._learner.load(self._run.candidate)
        else:
            self._begin()
            self._offer()
        while True:
            while self._fresh < self._recipe.selfplay.games:
                self._take(self._connection.recv())
            self._learn_once()
            self._offer()

    def _begin(self) -> None:
        from boardzero.learn.warm_start import begin

        for news in begin(self._learner, self._run.path / "start"):
            self._connection.send(news)

    def _take(self, message: object) -> None:
        if isinstance(message, StoredGame):
            self._replay.adopt([message])
            self._fresh += 1
        elif isinstance(message, Path):
            self._learner.load(message)

    def _learn_once(self) -> None:
        games = self._learner.window(self._replay)
        # A trainer that cannot keep up uses each position less, rather than fall ever more behind.
        fresh = min(self._fresh, 2 * self._recipe.selfplay.games)
        self._fresh = 0
        self._round += 1
        seed = self._recipe.seed * 100_003 + self._learner.steps
        for news in self._learner.fit(self._replay, games, fresh=fresh, seed=seed):
            self._connection.send(("loss", news))
            while self._connection.poll():
                self._take(self._connection.recv())

    def _offer(self) -> None:
        """Save the net, and hand it to the gate as a model."""
        from boardzero.learn.versions import write_version

        self._learner.save(self._run.candidate)
        progress = self._run.progress()
        offered = self._run.path / "offered"
        write_version(
            offered,
            self._learner,
            run=self._run.name,
            version=progress.version + 1 if self._run.versions() else 0,
            games=len(self._replay),
            minutes=progress.seconds / 60,
        )
        self._connection.send(offered)
