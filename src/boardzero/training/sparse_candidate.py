"""The sparse net in training: the core fits it to recorded games, and keeps its Adam moments."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_folder
from boardzero.games import make
from boardzero.models.card import ModelCard, model_folder, write_card
from boardzero.models.sparse import NET_FILE, net_card
from boardzero.runs.events import Event, LossMeasured, StartedFromModel
from boardzero.runs.replay import Replay, ReplayEntry
from boardzero.runs.run_folder import RunFolder
from boardzero.runs.sparse_recipe import SparseRecipe

_STATE_FILE = "trainer.bin"
_STEPS_FILE = "trainer.json"
_CHUNK = 25  # batches that are learned at once, and then told of


class SparseCandidate:
    """Fits a run's net to its games; see `in_turns.Candidate`."""

    def __init__(
        self, run: RunFolder, recipe: SparseRecipe, replay: Replay, *, threads: int
    ) -> None:
        self._run = run
        self._recipe = recipe
        self._replay = replay
        self._threads = threads
        start = make(recipe.game).start().native
        self._trainer = _core.make_sparse_trainer(start, recipe.net.hidden, recipe.seed)
        self.steps = 0

    def begin(self) -> Iterator[Event]:
        folder = self._run.candidate
        if folder.exists():
            self._load(folder)
        elif versions := self._run.versions():
            self._load(self._run.version_folder(versions[-1]))
        elif (source := self._recipe.run.start_from) is not None:
            yield self._start_from(source)

    def learn(self, *, fresh: int, number: int) -> Iterator[Event]:
        rng = Random(self._recipe.seed * 100_003 + number)
        first = 1 if number <= self._recipe.replay.first_until else 2
        drawn = self._drawn(first, fresh, rng)
        for games in _chunks(drawn, _CHUNK * self._recipe.learn.batch_size):
            yield self._fit(games, seed=rng.getrandbits(63))
        self.save()

    def save(self) -> None:
        write_folder(self._run.candidate, self._write_state)

    def restore(self, model: Path) -> None:
        """Go back to a model, with the momentum that it had; the rate goes on falling."""
        steps = self.steps
        self._load(model)
        self.steps = steps
        self.save()  # or else whoever is started next would go on with what was rejected

    def write_model(self, folder: Path, *, games: int) -> None:
        recipe, versions, net = self._recipe, self._run.versions(), self._trainer.net()
        card = ModelCard(
            game=recipe.game,
            method=recipe.method,
            player=recipe.player,
            nets=(net_card(net),),
            recipe=recipe.name,
            run=self._run.name,
            version=versions[-1] + 1 if versions else 0,
            games=games,
            minutes=round(self._run.progress().seconds / 60, 2),
            reproduce=f"boardzero train {recipe.name}",
        )

        def fill(draft: Path) -> None:
            (draft / NET_FILE).write_bytes(net.bytes())
            self._write_state(draft)
            write_card(draft, card)

        write_folder(folder, fill)

    def _write_state(self, folder: Path) -> None:
        (folder / _STATE_FILE).write_bytes(self._trainer.state())
        (folder / _STEPS_FILE).write_text(json.dumps({"steps": self.steps}))

    def _start_from(self, source: str) -> StartedFromModel:
        folder = model_folder(source)
        if folder is None:
            raise BoardZeroError(f"run.start_from is '{source}', which is no model and no run")
        self._load(folder)
        self.steps = 0
        return StartedFromModel(str(folder))

    def _load(self, folder: Path) -> None:
        try:
            self._trainer.restore((folder / _STATE_FILE).read_bytes())
            self.steps = int(json.loads((folder / _STEPS_FILE).read_text())["steps"])
        except (OSError, ValueError, KeyError, BoardZeroError) as error:
            raise BoardZeroError(f"{folder} cannot be gone on with: {error}") from None

    def _drawn(self, first: int, fresh: int, rng: Random) -> Iterator[ReplayEntry]:
        """Games of the window in random order, until enough positions are learned.

        None is from before the iteration `first`, and none comes again before all others have come.
        """
        latest = self._replay.window(positions=self._recipe.replay.positions)
        window = [game for game in latest if game.iteration >= first]
        new = sum(game.samples for game in window[max(0, len(window) - fresh) :])
        left = round(self._recipe.learn.uses * new)
        while left > 0:
            rng.shuffle(window)
            for game in window:
                if left <= 0:
                    return
                left -= game.samples
                yield game

    def _fit(self, games: list[ReplayEntry], *, seed: int) -> LossMeasured:
        learn = self._recipe.learn
        options = _core.SparseTrainerOptions()
        options.batch = learn.batch_size
        options.rate = self._rate()
        options.result_share = learn.result_share
        options.decay = learn.weight_decay
        options.threads = self._threads
        found = self._trainer.train([self._replay.read(game) for game in games], options, seed)
        self.steps += math.ceil(found.samples / learn.batch_size)
        losses = {"result": round(found.result_loss, 5), "value": round(found.value_loss, 5)}
        return LossMeasured(losses, self.steps)

    def _rate(self) -> float:
        learn = self._recipe.learn
        passed = min(1.0, self.steps / learn.decay)
        share = (1 + math.cos(math.pi * passed)) / 2
        return learn.final_lr + (learn.lr - learn.final_lr) * share


def _chunks(games: Iterator[ReplayEntry], positions: int) -> Iterator[list[ReplayEntry]]:
    """The games in lists of about so many positions each."""
    chunk: list[ReplayEntry] = []
    total = 0
    for game in games:
        chunk.append(game)
        total += game.samples
        if total >= positions:
            yield chunk
            chunk, total = [], 0
    if chunk:
        yield chunk
