"""How fast sparse nets evaluate, search, play and learn, in each native game for two.

Each game's net learns for some seconds from random games and then from games of its own, so that
alpha-beta cuts as it does with a net that knows something. Rates of one thread are per second of
the processor, because the machine may have other work; where two of them are compared, their turns
alternate. Positions are from the middle of the net's games, and none that a search solves.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from boardzero import _core
from boardzero.base.processes import spawn_context
from boardzero.bench import Measurement, selfplay
from boardzero.games import State, make
from boardzero.models.onnx import OnnxNet
from boardzero.runs.recipe import load_recipe, shipped_recipes
from boardzero.runs.replay import Replay
from boardzero.runs.sparse_recipe import SparseRecipe
from boardzero.training.sparse_candidate import fit
from boardzero.training.sparse_worker import scored_pool

_BATCH = 16  # states that the residual net evaluates at once
_BLOCKS, _CHANNELS = 6, 32
_GAME_NODES = 1000  # for each move of self-play
_MEGABYTES = 64  # of alpha-beta's table
_GENERIC = "generic-nnue"  # whose game may be any, by its planes
_ANY_DEPTH = 2**31 - 1
_AIM = 50_000  # samples a second on one core


@dataclass(frozen=True, slots=True)
class _Effort:
    """How much is done for a figure."""

    positions: int = 50
    nodes: int = 1_000_000  # for each of them
    random_games: int = 4000
    games: int = 600
    rounds: int = 4  # of self-play by threads and by processes, in turns
    seconds: float = 8.0  # of each
    samples: int = 400_000  # learned at least


_QUICK = _Effort(
    positions=3, nodes=20_000, random_games=100, games=10, rounds=1, seconds=0.5, samples=1
)


def measure(*, quick: bool = False) -> Iterator[Measurement]:
    effort = _QUICK if quick else _Effort()
    for recipe in _recipes():
        with TemporaryDirectory() as folder:
            yield from _measure(recipe, Path(folder), effort)


def _recipes() -> Iterator[SparseRecipe]:
    """One for each native game of two players."""
    native = (name for name in shipped_recipes() if name.endswith("-nnue") and name != _GENERIC)
    for recipe in map(load_recipe, native):
        if isinstance(recipe, SparseRecipe) and make(recipe.game).players == 2:
            yield recipe


def _measure(recipe: SparseRecipe, folder: Path, effort: _Effort) -> Iterator[Measurement]:
    game = recipe.game
    start = make(game).start().native
    trainer = _core.make_sparse_trainer(start, recipe.net.hidden, recipe.seed)
    first = Replay(folder / "first")
    _play(recipe, trainer, first, games=effort.random_games, nodes=0)
    _learn(recipe, trainer, first, samples=1)
    second = Replay(folder / "second")
    _play(recipe, trainer, second, games=effort.games, nodes=_GAME_NODES)
    rate = _learn(recipe, trainer, second, samples=effort.samples)
    net = trainer.net()

    rates = _search_rates(game, net, _middle_games(game, second), effort)
    evaluations, of_residual, with_net, by_hand = rates
    residual = f"{_BLOCKS}x{_CHANNELS} net, batch {_BATCH}"
    yield Measurement(
        f"nnue {game} in alpha-beta", evaluations, "evaluations/s", residual, of_residual
    )
    yield Measurement(f"nnue {game} alpha-beta", with_net, "nodes/s", "eval=hand", by_hand)
    threads, processes = _play_rates(recipe, net, effort)
    yield Measurement(
        f"nnue {game} self-play, two threads", threads, "positions/s", "two processes", processes
    )
    yield Measurement(f"nnue {game} training, one core", rate, "samples/s", "the aim", _AIM)


def _play(
    recipe: SparseRecipe, trainer: _core.SparseTrainer, replay: Replay, *, games: int, nodes: int
) -> None:
    pool = scored_pool(recipe, nodes=nodes, threads=2)
    pool.set_nets([trainer.net()], 0)
    pool.add(list(range(games)))
    while pool.left():
        for record in pool.take_finished(1.0):
            replay.append(record, 1)


def _learn(
    recipe: SparseRecipe, trainer: _core.SparseTrainer, replay: Replay, *, samples: int
) -> float:
    """Learn all games, over and over until that many samples; samples a second of one core."""
    learned, begun = 0, time.process_time()
    rng = Random(1)
    while learned < samples:
        records = [replay.read(game) for game in replay.games]
        found = fit(
            trainer,
            records,
            recipe.learn,
            rate=recipe.learn.lr,
            threads=1,
            seed=rng.getrandbits(32),
        )
        trainer.net()  # the weights as play uses them
        learned += found.samples
    return learned / (time.process_time() - begun)


def _search_rates(
    game: str, net: _core.SparseNet, states: Iterator[State], effort: _Effort
) -> tuple[float, float, float, float]:
    """Evaluations of a second in alpha-beta and of the residual net; nodes with net and by hand."""
    start = make(game).start().native
    searchers = [
        _core.make_alphabeta(start, by, _core.Features.engine(), _MEGABYTES, 1)
        for by in (net, "hand")
    ]
    residual = OnnxNet(selfplay.model(game, _BLOCKS, _CHANNELS))
    batch = np.zeros((_BATCH, *selfplay.input_shape(game)), np.float32)
    residual(batch)
    in_search, by_hand, in_batches = _Rate(), _Rate(), _Rate()
    computed = searched = 0
    for state in states:
        (found, seconds), (other, others) = (_search(by, state, effort) for by in searchers)
        if min(found.nodes, other.nodes) < effort.nodes / 2:
            continue  # one of them had seen everything
        in_search.add(found.nodes, seconds)
        by_hand.add(other.nodes, others)
        computed += found.evaluations
        begun = time.process_time()
        while (passed := time.process_time() - begun) < seconds / 2:
            residual(batch)
            in_batches.count += _BATCH
        in_batches.seconds += passed
        searched += 1
        if searched == effort.positions:
            break
    evaluations = computed / in_search.seconds
    return evaluations, in_batches.per_second, in_search.per_second, by_hand.per_second


@dataclass(slots=True)
class _Rate:
    count: int = 0
    seconds: float = 0.0

    def add(self, count: int, seconds: float) -> None:
        self.count += count
        self.seconds += seconds

    @property
    def per_second(self) -> float:
        return self.count / self.seconds


def _search(searcher: _core.Searcher, state: State, effort: _Effort) -> tuple[_core.Report, float]:
    """What a search found that knows of no other, and how long it took."""
    searcher.clear()
    begun = time.process_time()
    found = searcher.search(state.native, seconds=math.inf, depth=_ANY_DEPTH, nodes=effort.nodes)
    return found, time.process_time() - begun


def _middle_games(game: str, replay: Replay) -> Iterator[State]:
    """From the middle third of each game, over and over."""
    rules, rng = make(game), Random(1)
    for entry in itertools.chain.from_iterable(itertools.repeat(replay.games, 100)):
        record = _core.parse_record(replay.read(entry))
        third = len(record.decisions) // 3
        if third == 0:
            continue
        ply = record.decisions[rng.randrange(third, 2 * third)].ply
        state = rules.start()
        for action in record.actions[:ply]:
            state.play_action(action)
        yield state


def _play_rates(recipe: SparseRecipe, net: _core.SparseNet, effort: _Effort) -> tuple[float, float]:
    """Positions a second of the clock: of one process with two threads, and of two with one."""
    context = spawn_context()
    pipes, processes = [], []
    for threads in (2, 1, 1):
        ours, theirs = context.Pipe()
        arguments = (theirs, recipe, net.bytes(), threads, effort.seconds)
        process = context.Process(target=_serve, args=arguments, daemon=True)
        process.start()
        pipes.append(ours)
        processes.append(process)
    for pipe in pipes:
        pipe.recv()  # all are ready
    totals = [0.0, 0.0]
    for turn in range(effort.rounds):
        for kind in (0, 1) if turn % 2 else (1, 0):
            totals[kind] += sum(_rates(pipes[:1] if kind == 0 else pipes[1:], turn))
    for pipe, process in zip(pipes, processes, strict=True):
        pipe.close()
        process.join()
    return totals[0] / effort.rounds, totals[1] / effort.rounds


def _rates(pipes: Sequence[Connection], turn: int) -> list[float]:
    for pipe in pipes:
        pipe.send(turn)
    return [pipe.recv() for pipe in pipes]


def _serve(
    pipe: Connection, recipe: SparseRecipe, weights: bytes, threads: int, seconds: float
) -> None:
    net = _core.SparseNet.parse(weights)
    pipe.send(None)
    while True:
        try:
            turn = pipe.recv()
        except EOFError:
            return
        pool = scored_pool(recipe, nodes=_GAME_NODES, threads=threads, stream=turn)
        pool.set_nets([net], 0)
        pool.add(list(range(1_000_000)))
        positions = 0
        begun = time.perf_counter()
        while (passed := time.perf_counter() - begun) < seconds:
            for record in pool.take_finished(0.05):
                positions += len(_core.parse_record(record).decisions)
        del pool
        pipe.send(positions / passed)
