"""How much of the net's own speed is left during self-play.

The peer is the ceiling: the same sessions on ready batches of the same size, measured in turns with
self-play so that both see the same machine. Two workers are two processes. With two nets, the ready
batches come in the proportion in which self-play asks the nets.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection

import numpy as np

from boardzero.base.processes import spawn_context
from boardzero.bench import Measurement
from boardzero.models.onnx import Evaluator, Floats

_GAMES = ("international", "gomoku")
_NETS = ((6, 32), (10, 64))
_PAIRS = (((3, 32), (6, 32)), ((5, 64), (10, 64)))  # of multiple policy value: small and large
_ROUNDS = 6
_SECONDS = 1.0  # of each turn


def measure() -> Iterator[Measurement]:
    for game in _GAMES:
        for blocks, channels in _NETS:
            models = [model(game, blocks, channels)]
            yield from _measure(game, "baseline", models, f"{blocks}x{channels}")
    for small, large in _PAIRS:
        game = "international"
        models = [model(game, *small), model(game, *large)]
        sizes = " and ".join(f"{blocks}x{channels}" for blocks, channels in (small, large))
        yield from _measure(game, "mpv", models, f"mpv with {sizes}")


def _measure(game: str, method: str, models: list[bytes], what: str) -> Iterator[Measurement]:
    for workers in (1, 2):
        if workers <= len(os.sched_getaffinity(0)):
            playing, ready = _rates(game, method, models, workers)
            name = f"selfplay {game} {what}, {workers} worker(s)"
            yield Measurement(name, playing, "evaluations/s", "ready batches", ready)


def model(game: str, blocks: int, channels: int) -> bytes:
    """A net with random weights: its speed is that of a trained one."""
    from boardzero import _core
    from boardzero.games import make
    from boardzero.nets.config import NetConfig, PolicyHead
    from boardzero.nets.export import onnx_bytes
    from boardzero.nets.residual import NetShape, ResidualNet

    sampler = _core.make_sampler(make(game).start().native, _format(game))
    shape = NetShape(*input_shape(game), sampler.policy_size(), sampler.players())
    config = NetConfig(blocks=blocks, channels=channels, policy=PolicyHead(style="planes"))
    return onnx_bytes(ResidualNet(config, shape))


def input_shape(game: str) -> tuple[int, int, int]:
    """Planes, rows and columns of such a net."""
    from boardzero import _core
    from boardzero.games import make

    planes, rows, columns = _core.make_sampler(
        make(game).start().native, _format(game)
    ).input_shape()
    return planes, rows, columns


def _format(game: str) -> tuple[str, str, int]:
    from boardzero.games import make

    return ("mover", "flat" if make(game).traits.pdn is None else "planes", 0)


def _rates(game: str, method: str, models: list[bytes], workers: int) -> tuple[float, float]:
    """Evaluations per second of all workers together: in self-play, and on ready batches."""
    context = spawn_context()
    pipes, processes = [], []
    for seed in range(workers):
        ours, theirs = context.Pipe()
        arguments = (theirs, game, method, models, seed)
        process = context.Process(target=_serve, args=arguments, daemon=True)
        process.start()
        pipes.append(ours)
        processes.append(process)
    totals = {"play": 0.0, "ready": 0.0}
    for turn in range(_ROUNDS):
        for kind in ("play", "ready") if turn % 2 else ("ready", "play"):
            for pipe in pipes:
                pipe.send(kind)
            totals[kind] += sum(pipe.recv() for pipe in pipes)
    for pipe, process in zip(pipes, processes, strict=True):
        pipe.close()
        process.join()
    return totals["play"] / _ROUNDS, totals["ready"] / _ROUNDS


class _Counted:
    """A net that counts what it evaluates."""

    def __init__(self, net: Evaluator) -> None:
        self._net = net
        self.rows = 0

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        self.rows += len(planes)
        return self._net(planes)


def _serve(pipe: Connection, game: str, method: str, models: list[bytes], seed: int) -> None:
    from boardzero.models import OnnxNet, SearchConfig
    from boardzero.runs.recipe import LearnConfig, NetFormatConfig, Recipe
    from boardzero.training.selfplay_worker import evaluate_once, selfplay_pool

    encoding, policy, _ = _format(game)
    recipe = Recipe(
        name="bench",
        game=game,
        method=method,
        seed=seed,
        format=NetFormatConfig(encoding=encoding, policy=policy),
        learn=LearnConfig(uses=1),
        search=SearchConfig(simulations=50 if method == "baseline" else 10),
    )
    playing = [_Counted(OnnxNet(model)) for model in models]
    ready = [_Counted(OnnxNet(model)) for model in models]
    pool = selfplay_pool(recipe, [recipe.format.names] * len(models))
    pool.add(list(range(100_000)))
    while not all(net.rows for net in playing):
        evaluate_once(pool, playing)
    batch = np.random.default_rng(seed).random(pool.inputs(0).shape, np.float32)
    while True:
        try:
            kind = pipe.recv()
        except EOFError:
            return
        rows = 0
        begun = time.perf_counter()
        while (passed := time.perf_counter() - begun) < _SECONDS:
            if kind == "play":
                rows += evaluate_once(pool, playing)
                pool.take_finished()
            else:  # whichever is most behind its share
                behind = min(range(len(ready)), key=lambda i: ready[i].rows / playing[i].rows)
                ready[behind](batch)
                rows += len(batch)
        pipe.send(rows / passed)
