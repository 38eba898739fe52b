"""The trainer where all parts of a run work at once: its main function and the supervisor's side.

Beside the supervisor it reads games and writes its candidate in the run's own folder. Away, on a
machine with another disk, it works in a folder of its own: games come to it as bytes, and its
candidates go back in the same way.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import finish_folder, write_folder
from boardzero.models.file_bundle import Luggage
from boardzero.runs.recipe import Recipe
from boardzero.runs.replay import Replay, StoredGame
from boardzero.runs.run_folder import Progress, RunDir
from boardzero.training.inspection import inspect_model
from boardzero.workers.launcher import Employer, Line, Post, helping, refuse_if_told

__all__ = ["Learned", "TrainerPost"]

_ATTEMPTS = 10


@dataclass(frozen=True, slots=True)
class Learned:
    """So many games of the run have been learned from, or are about to be."""

    games: int


@dataclass(frozen=True, slots=True)
class _Lesson:
    """A game for a trainer that is away."""

    record: bytes
    iteration: int


@dataclass(frozen=True, slots=True)
class _Belongings:
    """What a trainer that is away needs to go on where another stopped."""

    run: str
    recipe: Recipe
    progress: Progress
    candidate: Luggage | None
    lessons: list[_Lesson]
    before: int  # games of the run that are too old to be learned from
    begun: bool  # the run has a version

    def unpack(self, folder: Path) -> RunDir:
        run = RunDir.create(folder / self.run, self.recipe)
        run.save_progress(self.progress)
        if self.candidate is not None:
            write_folder(run.candidate, self.candidate.unpack)
        return run


@dataclass(frozen=True, slots=True)
class _Offer:
    """A candidate: the model, and from a trainer that is away the net with its optimiser."""

    model: Luggage
    candidate: Luggage | None


@dataclass(frozen=True, slots=True)
class _Restored:
    """The trainer has gone back to a model; from one that is away, what its candidate is now."""

    candidate: Luggage | None = None


class TrainerPost:
    """The trainer from the supervisor's side. One that dies is replaced."""

    def __init__(
        self,
        run: RunDir,
        recipe: Recipe,
        replay: Replay,
        employer: Employer,
        tell: Callable[..., None],
    ) -> None:
        self._run = run
        self._recipe = recipe
        self._replay = replay
        self._employer = employer
        self._tell = tell
        self._need = recipe.cluster.trainer.need
        self._away = not employer.here and self._need.on != "driver"
        if self._away and recipe.run.start_from and not run.candidate.exists():
            raise BoardZeroError(
                "run.start_from needs the trainer beside the files: cluster.trainer.on=driver"
            )
        # On this machine, everybody else has the other cores.
        self._threads = 1 if employer.here else max(1, int(self._need.cpus))
        self._deaths = 0
        self._refused = 0
        self._post = self._start()

    def teach(self, game: StoredGame) -> None:
        """A game that was stored just now."""
        self._post.send(self._lesson(game) if self._away else game)

    def restore(self, model: Path) -> None:
        """Go on with the net of this model instead."""
        self._post.send(Luggage.of(model) if self._away else model)

    def listen(self) -> Iterator[object]:
        """What the trainer has said; the folder of a model is a new candidate."""
        self._employer.wait([self._post], 0)
        for message in self._post.receive():
            refuse_if_told(message)
            if isinstance(message, Path):
                message = self._collect(message)
            try:
                self._check(message)
            except BoardZeroError as error:
                self._refuse(str(error))
                continue
            if isinstance(message, _Offer | _Restored) and message.candidate is not None:
                write_folder(self._run.candidate, message.candidate.unpack)
            if not isinstance(message, _Restored):
                yield self._keep(message) if isinstance(message, _Offer) else message
        if not self._post.alive:
            self._restart()

    def close(self) -> None:
        self._employer.dismiss([self._post], patience=10)

    def _collect(self, folder: Path) -> _Offer:
        """A model from the trainer's folder, where it may just be replaced by a newer one."""
        offer = _Offer(Luggage({}), None)
        for _ in range(_ATTEMPTS):
            with suppress(OSError, BoardZeroError):
                offer = _Offer(Luggage.of(folder), None)
                self._check(offer)
                break
            time.sleep(0.1)
        return offer

    def _check(self, message: object) -> None:
        if isinstance(message, _Offer | _Restored) and message.candidate is not None:
            message.candidate.check()
        if isinstance(message, _Offer):
            with TemporaryDirectory(prefix="boardzero-") as folder:
                message.model.unpack(Path(folder))
                inspect_model(Path(folder), game=self._recipe.game)
        elif not isinstance(message, Learned | _Restored | tuple):
            raise BoardZeroError(f"a message of an unknown kind ({type(message).__name__})")

    def _refuse(self, reason: str) -> None:
        """A trainer that offers what cannot be used starts again from what is known to be good."""
        self._refused += 1
        self._tell(
            "refused", worker="trainer", node=self._post.node, count=self._refused, reason=reason
        )
        self._employer.dismiss([self._post])

    def _keep(self, offer: _Offer) -> Path:
        """The model where only the supervisor writes."""
        waiting = self._run.path / "waiting"
        write_folder(waiting, offer.model.unpack)
        return waiting

    def _start(self) -> Post:
        begun = bool(self._run.versions())
        if not self._away:
            folder = self._run.path.absolute()
            post = self._employer.hire(
                _learn, Path.cwd(), folder, self._threads, begun, need=self._need
            )
            post.send(list(self._replay.games))
            return post
        games = self._window()
        belongings = _Belongings(
            self._run.name,
            self._recipe,
            self._run.progress(),
            Luggage.of(self._run.candidate) if self._run.candidate.exists() else None,
            [self._lesson(game) for game in games],
            len(self._replay) - len(games),
            begun,
        )
        post = self._employer.hire(_learn_away, self._threads, need=self._need)
        post.send(self._employer.seal(belongings))
        return post

    def _window(self) -> list[StoredGame]:
        """All games that a trainer may want to look at."""
        bounds = self._recipe.replay
        return self._replay.window(
            iterations=bounds.iterations,
            games=bounds.games,
            positions=None if bounds.growth else bounds.positions,
        )

    def _lesson(self, game: StoredGame) -> _Lesson:
        return _Lesson(self._replay.read(game), game.iteration)

    def _restart(self) -> None:
        if not self._post.stranded:
            self._deaths += 1
        most = self._recipe.cluster.restarts
        if self._deaths > most:
            raise BoardZeroError(f"the trainer has died {most} times; giving up")
        self._employer.dismiss([self._post])
        self._post = self._start()


def _learn(line: Line, home: Path, folder: Path, threads: int, begun: bool) -> None:
    """The main function of the trainer; ends when its supervisor goes."""
    with helping(line):
        os.chdir(home)  # names in the recipe mean what they meant to whoever began the run
        games = line.recv()
        assert isinstance(games, list)
        _Trainer(line, RunDir.open(folder), games, threads=threads, begun=begun).run()


def _learn_away(line: Line, threads: int) -> None:
    """The same on a machine with another disk."""
    with helping(line), TemporaryDirectory(prefix="boardzero-") as scratch:
        belongings = line.recv()
        assert isinstance(belongings, _Belongings)
        run = belongings.unpack(Path(scratch))
        courier = _Courier(line, run)
        games = [courier.keep(lesson) for lesson in belongings.lessons]
        begun, before = belongings.begun, belongings.before
        _Trainer(courier, run, games, threads=threads, begun=begun, before=before).run()


class _Courier:
    """A line on which a trainer that is away seems to be beside the supervisor."""

    def __init__(self, line: Line, run: RunDir) -> None:
        self._line = line
        self._run = run
        self._replay = run.replay()

    def keep(self, lesson: _Lesson) -> StoredGame:
        self._replay.append(lesson.record, lesson.iteration)
        return self._replay.games[-1]

    def poll(self, timeout: float | None = 0.0) -> bool:
        return self._line.poll(timeout)

    def recv(self) -> object:
        message = self._line.recv()
        if isinstance(message, _Lesson):
            return self.keep(message)
        if isinstance(message, Luggage):
            folder = self._run.path / "restored"
            write_folder(folder, message.unpack)
            return folder
        return message

    def send(self, message: object) -> None:
        if isinstance(message, Path):
            message = _Offer(Luggage.of(message), Luggage.of(self._run.candidate))
        elif isinstance(message, _Restored):
            message = _Restored(Luggage.of(self._run.candidate))
        self._line.send(message)


class _Trainer:
    def __init__(
        self,
        line: Line,
        run: RunDir,
        games: list[StoredGame],
        *,
        threads: int,
        begun: bool,
        before: int = 0,
    ) -> None:
        """`begun`: the run has a version; `before`: games of the run that are not among these."""
        import torch

        from boardzero.games import make
        from boardzero.training.learner import Learner

        torch.set_num_threads(threads)
        self._line = line
        self._run = run
        recipe = run.recipe()
        assert isinstance(recipe, Recipe)
        self._recipe = recipe
        self._replay = run.replay(read_only=True)
        self._replay.adopt(games)
        self._begun = begun
        self._before = before
        self._learner = Learner(make(self._recipe.game), self._recipe, run.path)
        self._fresh = 0  # games that came since the last round

    @property
    def _games(self) -> int:
        return self._before + len(self._replay)

    def run(self) -> None:
        finish_folder(self._run.candidate)
        if self._run.candidate.exists():
            self._learner.load(self._run.candidate)
        else:
            self._begin()
        if not self._begun:  # even with a candidate: whoever saved it may not have come to offer it
            self._offer()
        self._line.send(Learned(self._games))
        while True:
            while self._fresh < self._recipe.selfplay.games:
                self._take(self._line.recv())
            self._learn_once()
            self._offer()

    def _begin(self) -> None:
        from boardzero.training.start_from import begin

        for news in begin(self._learner, self._run.path / "start"):
            self._line.send(news)

    def _take(self, message: object) -> None:
        if isinstance(message, StoredGame):
            self._replay.adopt([message])
            self._fresh += 1
        elif isinstance(message, Path):
            self._learner.load(message)
            # Or else whoever is started next would go on with what was rejected.
            self._learner.save(self._run.candidate)
            self._line.send(_Restored())

    def _learn_once(self) -> None:
        games = self._learner.window(self._replay)
        self._line.send(Learned(self._games))
        # A trainer that cannot keep up uses each position less, rather than fall ever more behind.
        fresh = min(self._fresh, 2 * self._recipe.selfplay.games)
        self._fresh = 0
        seed = self._recipe.seed * 100_003 + self._learner.steps
        for news in self._learner.fit(self._replay, games, fresh=fresh, seed=seed):
            self._line.send(("loss", news))
            while self._line.poll():
                self._take(self._line.recv())

    def _offer(self) -> None:
        """Save the net, and hand it to the gate as a model."""
        from boardzero.training.versions import write_version

        self._learner.save(self._run.candidate)
        progress = self._run.progress()
        offered = self._run.path / "offered"
        write_version(
            offered,
            self._learner,
            run=self._run.name,
            version=progress.version + 1 if self._run.versions() else 0,
            games=self._games,
            minutes=progress.seconds / 60,
        )
        self._line.send(offered)
