"""The sparse net in training: the core fits it to recorded games, and keeps its Adam moments."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_folder
from boardzero.games import make
from boardzero.models.card import ModelCard, model_folder, write_card
from boardzero.models.sparse import NET_FILE, net_card
from boardzero.runs.events import Event, LossMeasured, StartedFromModel
from boardzero.runs.replay import Replay, ReplayEntry
from boardzero.runs.run_folder import RunFolder
from boardzero.runs.sparse_recipe import SparseLearnConfig, SparseRecipe
from boardzero.training.diverged import DivergedError

_STATE_FILE = "trainer.bin"
_STEPS_FILE = "trainer.json"
_SHAPE_BYTES = 28  # of a trainer's state, behind two lines of text; then come its numbers
_STEPS_BYTES = 8  # at its end
_CHUNK = 25  # batches that are learned at once, and then told of
_CHUNK_WITH_POLICIES = 5  # whose moves take much more memory


class SparseCandidate:
    """Fits a run's net to its games; see `in_turns.CandidateNet`."""

    def __init__(
        self, run: RunFolder, recipe: SparseRecipe, replay: Replay, *, threads: int
    ) -> None:
        self._run = run
        self._recipe = recipe
        self._replay = replay
        self._threads = threads
        start = make(recipe.game).start().native
        self._trainer = _core.make_sparse_trainer(
            start, recipe.net.hidden, recipe.seed, policy=recipe.net.policy
        )
        self.steps = 0

    def begin(self) -> Iterator[Event]:
        folder, versions = self._run.candidate, self._run.versions()
        if folder.exists():
            self._load(folder)
            if self._is_finite or not versions:
                return
        if versions:  # also if an earlier program has saved what had diverged
            self._load(self._run.version_folder(versions[-1]))
        elif (source := self._recipe.run.start_from) is not None:
            yield self._start_from(source)

    def learn(self, *, fresh: int, number: int) -> Iterator[Event]:
        rng = Random(self._recipe.seed * 100_003 + number)
        first = 1 if number <= self._recipe.replay.first_until else 2
        drawn = self._drawn(first, fresh, rng)
        batches = _CHUNK_WITH_POLICIES if self._recipe.net.policy else _CHUNK
        for games in _chunks(drawn, batches * self._recipe.learn.batch_size):
            yield self._fit(games, seed=rng.getrandbits(63))
        if not self._is_finite:
            raise self._diverged()
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
            search=recipe.search.full(simulations=recipe.gate.nodes),
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

    @property
    def _is_finite(self) -> bool:
        """Whether all weights and moments are numbers."""
        state = self._trainer.state()
        text = state.index(b"\n", state.index(b"\n") + 1) + 1
        numbers = np.frombuffer(state[text + _SHAPE_BYTES : -_STEPS_BYTES], np.float32)
        return bool(np.isfinite(numbers).all())

    def _diverged(self) -> DivergedError:
        return DivergedError(self.steps, self._recipe.learn.lr)

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
        records = [self._replay.read(game) for game in games]
        found = fit(
            self._trainer, records, learn, rate=self._rate(), threads=self._threads, seed=seed
        )
        self.steps += math.ceil(found.samples / learn.batch_size)
        if not (math.isfinite(found.result_loss) and math.isfinite(found.value_loss)):
            raise self._diverged()
        losses = {"result": round(found.result_loss, 5), "value": round(found.value_loss, 5)}
        if self._recipe.net.policy:
            losses["policy"] = round(found.policy_loss, 5)
        return LossMeasured(losses, self.steps)

    def _rate(self) -> float:
        learn = self._recipe.learn
        passed = min(1.0, self.steps / learn.decay)
        share = (1 + math.cos(math.pi * passed)) / 2
        return learn.final_lr + (learn.lr - learn.final_lr) * share


def fit(
    trainer: _core.SparseTrainer,
    records: list[bytes],
    learn: SparseLearnConfig,
    *,
    rate: float,
    threads: int,
    seed: int,
) -> _core.SparseTrainingResult:
    """One pass over the positions of games that can be learned from."""
    options = _core.SparseTrainerOptions()
    options.batch = learn.batch_size
    options.rate = rate
    options.result_share = learn.result_share
    options.decay = learn.weight_decay
    options.policy_weight = learn.policy_weight
    options.threads = threads
    return trainer.train(records, options, seed)


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
