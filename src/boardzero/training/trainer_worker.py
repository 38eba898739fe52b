"""The worker that learns while others play: its messages and its main functions.

Beside the owner it reads games and writes its candidate in the run's own folder. A remote one, on a
machine with another disk, works in a folder of its own: games come to it as bytes, and its models
go back in the same way.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from boardzero.base.files import finish_folder, write_folder
from boardzero.models.file_bundle import FileBundle
from boardzero.runs.recipe import Recipe
from boardzero.runs.replay import ReplayEntry
from boardzero.runs.run_folder import Progress, RunFolder
from boardzero.workers.launcher import Channel, as_worker
from boardzero.workers.messages import message


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


@message
@dataclass(frozen=True, slots=True)
class Learned:
    """So many games of the run have been learned from, or are about to be."""

    games: int


@message
@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model for the gate, and from a remote trainer the candidate with its optimiser."""

    model: FileBundle
    candidate: FileBundle | None


@message
@dataclass(frozen=True, slots=True)
class Restored:
    """The trainer has gone back to a model; from a remote one, what its candidate is now."""

    candidate: FileBundle | None = None


def trainer_main(channel: Channel, home: Path, folder: Path, threads: int, begun: bool) -> None:
    """The main function of a trainer beside the owner; ends when that goes."""
    with as_worker(channel):
        os.chdir(home)  # names in the recipe mean what they meant to whoever began the run
        games = channel.recv()
        assert isinstance(games, list)
        _Trainer(channel, RunFolder.open(folder), games, threads=threads, begun=begun).run()


def remote_trainer_main(channel: Channel, threads: int) -> None:
    """The main function of a trainer on a machine with another disk."""
    with as_worker(channel), TemporaryDirectory(prefix="boardzero-") as scratch:
        state = channel.recv()
        assert isinstance(state, TrainerState)
        run = state.unpack(Path(scratch))
        remote = _RemoteChannel(channel, run)
        games = [remote.keep(game) for game in state.games]
        begun, before = state.begun, state.before
        _Trainer(remote, run, games, threads=threads, begun=begun, before=before).run()


class _RemoteChannel:
    """A channel on which a remote trainer seems to be beside the owner."""

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
            message = OfferedModel(FileBundle.of(message), FileBundle.of(self._run.candidate))
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
        import torch  # only here: the owner of the run needs none

        from boardzero.training.candidate import CandidateTrainer

        torch.set_num_threads(threads)
        self._channel = channel
        self._run = run
        recipe = run.recipe()
        assert isinstance(recipe, Recipe)
        self._round = recipe.selfplay.games
        self._replay = run.replay(read_only=True)
        self._replay.adopt(games)
        self._begun = begun
        self._before = before
        finish_folder(run.candidate)
        self._candidate = CandidateTrainer(run, recipe, self._replay)
        self._fresh = 0  # games that came since the last round

    @property
    def _games(self) -> int:
        return self._before + len(self._replay)

    def run(self) -> None:
        for event in self._candidate.begin():
            self._channel.send(event)
        if not self._begun:  # even with a candidate: whoever saved it may not have come to offer it
            self._candidate.save()
            self._offer()
        self._channel.send(Learned(self._games))
        while True:
            while self._fresh < self._round:
                self._take(self._channel.recv())
            self._learn()
            self._offer()

    def _take(self, message: object) -> None:
        if isinstance(message, ReplayEntry):
            self._replay.adopt([message])
            self._fresh += 1
        elif isinstance(message, Path):
            self._candidate.restore(message)
            self._channel.send(Restored())

    def _learn(self) -> None:
        self._channel.send(Learned(self._games))
        # A trainer that cannot keep up uses each position less, rather than fall ever more behind.
        fresh = min(self._fresh, 2 * self._round)
        self._fresh = 0
        for event in self._candidate.learn(fresh=fresh, number=self._candidate.steps):
            self._channel.send(event)
            while self._channel.poll():
                self._take(self._channel.recv())

    def _offer(self) -> None:
        self._candidate.write_model(self._run.offered, games=self._games)
        self._channel.send(self._run.offered)
