"""The trainer where all parts of a run work at once: its main function and the supervisor's side.

Beside the supervisor it reads games and writes its candidate in the run's own folder. A remote one,
on a machine with another disk, works in a folder of its own: games come to it as bytes, and its
candidates go back in the same way.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import finish_folder, write_folder
from boardzero.models.file_bundle import FileBundle
from boardzero.runs.events import Event, MessageRefused, Observer
from boardzero.runs.recipe import Recipe
from boardzero.runs.replay import Replay, ReplayEntry
from boardzero.runs.run_folder import Progress, RunFolder
from boardzero.training.inspection import inspect_model
from boardzero.workers.launcher import Channel, Launcher, Worker, as_worker, raise_refusal

__all__ = ["Learned", "TrainerProcess"]

_ATTEMPTS = 10


@dataclass(frozen=True, slots=True)
class Learned:
    """So many games of the run have been learned from, or are about to be."""

    games: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game for a remote trainer."""

    record: bytes
    iteration: int


@dataclass(frozen=True, slots=True)
class TrainerState:
    """What a remote trainer needs to go on where another stopped."""

    run: str
    recipe: Recipe
    progress: Progress
    candidate: FileBundle | None
    games: list[NewGame]
    before: int  # games of the run that are too old to be learned from
    begun: bool  # the run has a version

    def unpack(self, folder: Path) -> RunFolder:
        run = RunFolder.create(folder / self.run, self.recipe)
        run.save_progress(self.progress)
        if self.candidate is not None:
            write_folder(run.candidate, self.candidate.unpack)
        return run


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate: the model, and from a remote trainer the net with its optimiser."""

    model: FileBundle
    candidate: FileBundle | None


@dataclass(frozen=True, slots=True)
class Restored:
    """The trainer has gone back to a model; from a remote one, what its candidate is now."""

    candidate: FileBundle | None = None


class TrainerProcess:
    """The trainer from the supervisor's side. One that dies is replaced."""

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
            if isinstance(message, Candidate | Restored) and message.candidate is not None:
                write_folder(self._run.candidate, message.candidate.unpack)
            if not isinstance(message, Restored):
                yield self._keep(message) if isinstance(message, Candidate) else message
        if not self._worker.alive:
            self._restart()

    def close(self) -> None:
        self._launcher.stop([self._worker], grace=10)

    def _collect(self, folder: Path) -> Candidate:
        """A model from the trainer's folder, where it may just be replaced by a newer one."""
        offer = Candidate(FileBundle({}), None)
        for _ in range(_ATTEMPTS):
            with suppress(OSError, BoardZeroError):
                offer = Candidate(FileBundle.of(folder), None)
                self._check(offer)
                break
            time.sleep(0.1)
        return offer

    def _check(self, message: object) -> None:
        if isinstance(message, Candidate | Restored) and message.candidate is not None:
            message.candidate.check()
        if isinstance(message, Candidate):
            with TemporaryDirectory(prefix="boardzero-") as folder:
                message.model.unpack(Path(folder))
                inspect_model(Path(folder), game=self._recipe.game)
        elif not isinstance(message, Learned | Restored | Event):
            raise BoardZeroError(f"a message of an unknown kind ({type(message).__name__})")

    def _refuse(self, reason: str) -> None:
        """A trainer that offers what cannot be used starts again from what is known to be good."""
        self._refused += 1
        self._tell(MessageRefused("trainer", self._worker.node, self._refused, reason))
        self._launcher.stop([self._worker])

    def _keep(self, offer: Candidate) -> Path:
        """The model where only the supervisor writes."""
        waiting = self._run.path / "waiting"
        write_folder(waiting, offer.model.unpack)
        return waiting

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


def trainer_main(channel: Channel, home: Path, folder: Path, threads: int, begun: bool) -> None:
    """The main function of the trainer; ends when its supervisor goes."""
    with as_worker(channel):
        os.chdir(home)  # names in the recipe mean what they meant to whoever began the run
        games = channel.recv()
        assert isinstance(games, list)
        _Trainer(channel, RunFolder.open(folder), games, threads=threads, begun=begun).run()


def remote_trainer_main(channel: Channel, threads: int) -> None:
    """The same on a machine with another disk."""
    with as_worker(channel), TemporaryDirectory(prefix="boardzero-") as scratch:
        state = channel.recv()
        assert isinstance(state, TrainerState)
        run = state.unpack(Path(scratch))
        remote = _RemoteChannel(channel, run)
        games = [remote.keep(game) for game in state.games]
        begun, before = state.begun, state.before
        _Trainer(remote, run, games, threads=threads, begun=begun, before=before).run()


class _RemoteChannel:
    """A channel on which a remote trainer seems to be beside the supervisor."""

    def __init__(self, channel: Channel, run: RunFolder) -> None:
        self._channel = channel
        self._run = run
        self._replay = run.replay()

    def keep(self, game: NewGame) -> ReplayEntry:
        self._replay.append(game.record, game.iteration)
        return self._replay.games[-1]

    def poll(self, timeout: float | None = 0.0) -> bool:
        return self._channel.poll(timeout)

    def recv(self) -> object:
        message = self._channel.recv()
        if isinstance(message, NewGame):
            return self.keep(message)
        if isinstance(message, FileBundle):
            folder = self._run.path / "restored"
            write_folder(folder, message.unpack)
            return folder
        return message

    def send(self, message: object) -> None:
        if isinstance(message, Path):
            message = Candidate(FileBundle.of(message), FileBundle.of(self._run.candidate))
        elif isinstance(message, Restored):
            message = Restored(FileBundle.of(self._run.candidate))
        self._channel.send(message)


class _Trainer:
    def __init__(
        self,
        channel: Channel,
        run: RunFolder,
        games: list[ReplayEntry],
        *,
        threads: int,
        begun: bool,
        before: int = 0,
    ) -> None:
        """`begun`: the run has a version; `before`: games of the run that are not among these."""
        import torch

        from boardzero.games import make
        from boardzero.training.trainer_group import TrainerGroup

        torch.set_num_threads(threads)
        self._channel = channel
        self._run = run
        recipe = run.recipe()
        assert isinstance(recipe, Recipe)
        self._recipe = recipe
        self._replay = run.replay(read_only=True)
        self._replay.adopt(games)
        self._begun = begun
        self._before = before
        self._trainers = TrainerGroup(make(self._recipe.game), self._recipe, run.path)
        self._fresh = 0  # games that came since the last round

    @property
    def _games(self) -> int:
        return self._before + len(self._replay)

    def run(self) -> None:
        finish_folder(self._run.candidate)
        if self._run.candidate.exists():
            self._trainers.load(self._run.candidate)
        else:
            self._begin()
        if not self._begun:  # even with a candidate: whoever saved it may not have come to offer it
            self._offer()
        self._channel.send(Learned(self._games))
        while True:
            while self._fresh < self._recipe.selfplay.games:
                self._take(self._channel.recv())
            self._learn_once()
            self._offer()

    def _begin(self) -> None:
        from boardzero.training.start_from import begin

        for event in begin(self._trainers, self._run.path / "start"):
            self._channel.send(event)

    def _take(self, message: object) -> None:
        if isinstance(message, ReplayEntry):
            self._replay.adopt([message])
            self._fresh += 1
        elif isinstance(message, Path):
            self._trainers.load(message)
            # Or else whoever is started next would go on with what was rejected.
            self._trainers.save(self._run.candidate)
            self._channel.send(Restored())

    def _learn_once(self) -> None:
        games = self._trainers.window(self._replay)
        self._channel.send(Learned(self._games))
        # A trainer that cannot keep up uses each position less, rather than fall ever more behind.
        fresh = min(self._fresh, 2 * self._recipe.selfplay.games)
        self._fresh = 0
        seed = self._recipe.seed * 100_003 + self._trainers.steps
        for losses in self._trainers.fit(self._replay, games, fresh=fresh, seed=seed):
            self._channel.send(losses)
            while self._channel.poll():
                self._take(self._channel.recv())

    def _offer(self) -> None:
        """Save the net, and hand it to the gate as a model."""
        from boardzero.training.versions import write_version

        self._trainers.save(self._run.candidate)
        progress = self._run.progress()
        offered = self._run.path / "offered"
        write_version(
            offered,
            self._trainers,
            run=self._run.name,
            version=progress.version + 1 if self._run.versions() else 0,
            games=self._games,
            minutes=progress.seconds / 60,
        )
        self._channel.send(offered)
