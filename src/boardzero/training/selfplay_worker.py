"""The worker that plays games: its part of the search and its own single-threaded net session.

A worker is told which games to play with which models, and answers with finished games and, about
once a second, a heartbeat. It keeps no state that matters: whatever it had not finished when it
died is simply played again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from boardzero import _core
from boardzero.games import make
from boardzero.models import OnnxNet, SearchPlan, read_model
from boardzero.models.file_bundle import FileBundle
from boardzero.models.native_options import fill
from boardzero.models.onnx import Evaluator
from boardzero.runs.recipe import Recipe
from boardzero.workers.launcher import Channel, as_worker


@dataclass(frozen=True, slots=True)
class NewVersion:
    """Play with these models from now on; several play against each other.

    They are folders where there is a disk in common, and travel where there is none.
    """

    models: tuple[Path | FileBundle, ...]
    version: int = 0

    def packed(self) -> NewVersion:
        """The same for workers elsewhere, who need no more than what plays."""
        models = (
            FileBundle.of(model, suffixes=(".json", ".onnx")) if isinstance(model, Path) else model
            for model in self.models
        )
        return NewVersion(tuple(models), self.version)

    @contextmanager
    def folders(self) -> Iterator[list[Path]]:
        """All models as folders, for as long as the context lasts."""
        with ExitStack() as stack:
            found = []
            for model in self.models:
                if isinstance(model, FileBundle):
                    folder = Path(stack.enter_context(TemporaryDirectory(prefix="boardzero-")))
                    model.unpack(folder)
                    found.append(folder)
                else:
                    found.append(model)
            yield found


@dataclass(frozen=True, slots=True)
class Assignment:
    """Games to be played, by number; `stream` separates the random numbers of different uses."""

    numbers: tuple[int, ...]
    stream: int = 0


@dataclass(frozen=True, slots=True)
class FinishedGame:
    record: bytes
    stream: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Evaluations since the last one; games that were taken on in all, and those left of them."""

    rows: int
    seconds: float
    taken: int
    left: int


def selfplay_pool(
    recipe: Recipe,
    formats: Sequence[tuple[str, str, int]],
    *,
    plan: SearchPlan | None = None,
    stream: int = 0,
) -> _core.Pool:
    """The pool of games that a recipe asks for: self-play with the nets of one model, or a contest.

    `formats` are those of all nets, one model's after another's; `plan` is the method's unless
    given.
    """
    start = make(recipe.game).start().native
    seed = (recipe.seed * 1_000_003 + stream) % 2**63
    options = selfplay_options(recipe, len(formats), plan or recipe.plan)
    return _core.make_pool(start, options, list(formats), recipe.selfplay.parallel, seed)


def selfplay_options(recipe: Recipe, nets: int, plan: SearchPlan) -> _core.SelfPlayOptions:
    """How such a pool plays with so many nets in all; in a contest the gate decides some of it."""
    play, gate, search = recipe.selfplay, recipe.gate, recipe.search
    nets_of_a_model = 1 + max(net for tree in plan.trees for net in tree.nets)
    simulations, noise, record_surprise = None, True, recipe.replay.surprise > 0
    if nets > nets_of_a_model:
        # Nothing is learned from a contest, so that nothing is left to chance but its openings.
        fair = {"opening_steps": gate.opening_steps, "full_share": 1.0, "early_games": 0}
        play = play.model_copy(update=fair)
        search = search.model_copy(update={"forced_playouts": 0.0})
        simulations, noise, record_surprise = gate.simulations, gate.noise, False
    contestants = [
        fill(
            _core.Contestant(),
            search=search.native(noise=noise, simulations=simulations, plan=plan),
            first_net=first,
        )
        for first in range(0, nets, nets_of_a_model)
    ]
    return fill(
        _core.SelfPlayOptions(),
        play,
        apart={"games", "parallel", "int8"},
        contestants=contestants,
        fast_simulations=play.fast_simulations * len(plan.turns),
        early_simulations=play.early_simulations * len(plan.turns),
        record_surprise=record_surprise,
    )


def evaluate_once(pool: _core.Pool, nets: Sequence[Evaluator]) -> int:
    """Evaluate all states that wait for one net, the one most wait for; their number.

    The others wait: so games whose searches have drifted apart come together at each net again,
    and its batches stay full.
    """
    counts = pool.collect()
    rows = max(counts)
    if rows:
        net = counts.index(rows)
        pool.receive(net, *nets[net](pool.inputs(net)[:rows]))
    return rows


class _Worker:
    def __init__(self, channel: Channel, recipe: Recipe) -> None:
        self._channel = channel
        self._recipe = recipe
        self._nets: list[Evaluator] = []
        self._formats: list[tuple[str, str, int]] = []
        self._plan = SearchPlan()
        self._version = 0
        self._taken = 0
        self._stream: int | None = None
        self._pool: _core.Pool | None = None

    def run(self) -> None:
        rows = 0
        since = time.monotonic()
        while True:
            busy = self._pool is not None and self._pool.left() > 0
            while self._channel.poll(0 if busy else None):
                self._take(self._channel.recv())
                if not busy:
                    since = time.monotonic()  # waiting is not working
                busy = self._pool is not None and self._pool.left() > 0
            assert self._pool is not None
            rows += evaluate_once(self._pool, self._nets)
            for record in self._pool.take_finished():
                self._channel.send(FinishedGame(record, self._stream or 0))
            now = time.monotonic()
            if now - since >= 1 or self._pool.left() == 0:
                self._channel.send(Heartbeat(rows, now - since, self._taken, self._pool.left()))
                rows, since = 0, now

    def _take(self, message: object) -> None:
        if isinstance(message, NewVersion):
            with message.folders() as folders:
                self._load(folders)
            self._version = message.version
            if self._pool is not None:
                self._pool.set_version(message.version)
        elif isinstance(message, Assignment):
            if self._pool is None or self._stream != message.stream:
                self._pool = selfplay_pool(
                    self._recipe, self._formats, plan=self._plan, stream=message.stream
                )
                self._pool.set_version(self._version)
                self._stream = message.stream
            self._pool.add(list(message.numbers))
            self._taken += len(message.numbers)

    def _load(self, folders: Sequence[Path]) -> None:
        cards = [read_model(folder) for folder in folders]
        fast = self._recipe.selfplay.int8 and len(cards) == 1  # a gate weighs the nets proper
        self._nets = [
            OnnxNet(folder / ((fast and net.int8) or net.file))
            for folder, card in zip(folders, cards, strict=True)
            for net in card.nets
        ]
        formats = [net.format for card in cards for net in card.nets]
        self._plan = cards[0].plan
        if formats != self._formats:
            self._pool = None
        self._formats = formats


def selfplay_main(channel: Channel, recipe: Recipe) -> None:
    """The main function of a worker; ends when its owner goes."""
    with as_worker(channel):
        _Worker(channel, recipe).run()
