"""The trainer of a run side by side, seen by the run's owner."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_folder
from boardzero.models.file_bundle import FileBundle
from boardzero.runs.events import Event, MessageRefused, Observer
from boardzero.runs.recipe import Recipe
from boardzero.runs.replay import Replay, ReplayEntry
from boardzero.runs.run_folder import RunFolder
from boardzero.training.inspection import inspect_model
from boardzero.training.trainer_worker import (
    Learned,
    NewGame,
    OfferedModel,
    Restored,
    TrainerState,
    remote_trainer_main,
    trainer_main,
)
from boardzero.workers.launcher import Launcher, Worker, raise_refusal
from boardzero.workers.messages import what_is_wrong

_ATTEMPTS = 10


class TrainerProcess:
    """A worker that learns. One that dies is replaced, and what it offers is checked."""

    def __init__(
        self,
        run: RunFolder,
        recipe: Recipe,
        replay: Replay,
        launcher: Launcher,
        tell: Observer,
    ) -> None:
        self._run = run
        self._recipe = recipe
        self._replay = replay
        self._launcher = launcher
        self._tell = tell
        self._resources = recipe.cluster.trainer.resources
        self._remote = not launcher.local and self._resources.on != "driver"
        if self._remote and recipe.run.start_from and not run.candidate.exists():
            raise BoardZeroError(
                "run.start_from needs the trainer beside the files: cluster.trainer.on=driver"
            )
        # On this machine, everybody else has the other cores.
        self._threads = 1 if launcher.local else max(1, int(self._resources.cpus))
        self._deaths = 0
        self._refused = 0
        self._worker = self._start()

    def add_game(self, game: ReplayEntry) -> None:
        """A game that was stored just now."""
        self._worker.send(self._new_game(game) if self._remote else game)

    def restore(self, model: Path) -> None:
        """Go on with the net of this model instead."""
        self._worker.send(FileBundle.of(model) if self._remote else model)

    def listen(self) -> Iterator[object]:
        """What the trainer has said; the folder of a model is a new candidate."""
        self._launcher.wait([self._worker], 0)
        for message in self._worker.receive():
            raise_refusal(message)
            if isinstance(message, Path):
                message = self._collect(message)
            try:
                self._check(message)
            except BoardZeroError as error:
                self._refuse(str(error))
                continue
            if isinstance(message, OfferedModel | Restored) and message.candidate is not None:
                write_folder(self._run.candidate, message.candidate.unpack)
            if not isinstance(message, Restored):
                yield self._keep(message) if isinstance(message, OfferedModel) else message
        if not self._worker.alive:
            self._restart()

    def close(self) -> None:
        self._launcher.stop([self._worker], grace=10)

    def _collect(self, folder: Path) -> OfferedModel:
        """A model from the trainer's folder, where it may just be replaced by a newer one."""
        offer = OfferedModel(FileBundle({}), None)
        for _ in range(_ATTEMPTS):
            with suppress(OSError, BoardZeroError):
                offer = OfferedModel(FileBundle.of(folder), None)
                self._check(offer)
                break
            time.sleep(0.1)
        return offer

    def _check(self, message: object) -> None:
        if isinstance(message, OfferedModel | Restored) and message.candidate is not None:
            message.candidate.check()
        if isinstance(message, OfferedModel):
            with TemporaryDirectory(prefix="boardzero-") as folder:
                message.model.unpack(Path(folder))
                inspect_model(Path(folder), game=self._recipe.game)
        elif not isinstance(message, Learned | Restored | Event):
            raise BoardZeroError(what_is_wrong(message))

    def _refuse(self, reason: str) -> None:
        """A trainer that offers what cannot be used starts again from what is known to be good."""
        self._refused += 1
        self._tell(MessageRefused("trainer", self._worker.node, self._refused, reason))
        self._launcher.stop([self._worker])

    def _keep(self, offer: OfferedModel) -> Path:
        """The model where only the owner writes."""
        write_folder(self._run.waiting, offer.model.unpack)
        return self._run.waiting

    def _start(self) -> Worker:
        begun = bool(self._run.versions())
        if not self._remote:
            folder = self._run.path.absolute()
            worker = self._launcher.start(
                trainer_main, Path.cwd(), folder, self._threads, begun, resources=self._resources
            )
            worker.send(list(self._replay.games))
            return worker
        games = self._window()
        state = TrainerState(
            self._run.name,
            self._recipe,
            self._run.progress(),
            FileBundle.of(self._run.candidate) if self._run.candidate.exists() else None,
            [self._new_game(game) for game in games],
            len(self._replay) - len(games),
            begun,
        )
        worker = self._launcher.start(remote_trainer_main, self._threads, resources=self._resources)
        worker.send(self._launcher.share(state))
        return worker

    def _window(self) -> list[ReplayEntry]:
        """All games that a trainer may want to look at."""
        bounds = self._recipe.replay
        return self._replay.window(
            iterations=bounds.iterations,
            games=bounds.games,
            positions=None if bounds.growth else bounds.positions,
        )

    def _new_game(self, game: ReplayEntry) -> NewGame:
        return NewGame(self._replay.read(game), game.iteration)

    def _restart(self) -> None:
        if not self._worker.node_lost:
            self._deaths += 1
        most = self._recipe.cluster.restarts
        if self._deaths > most:
            raise BoardZeroError(f"the trainer has died {most} times; giving up")
        self._launcher.stop([self._worker])
        self._worker = self._start()
