"""How much of the net's own speed is left during self-play.

The peer is the ceiling: the same sessions on ready batches of the same size, measured in turns with
self-play so that both see the same machine. Two workers are two processes.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection

import numpy as np

from boardzero.bench import Measurement

__all__ = ["measure"]

_GAMES = ("international", "gomoku")
_NETS = ((6, 32), (10, 64))
_ROUNDS = 6
_SECONDS = 1.0  # of each turn


def measure() -> Iterator[Measurement]:
    for game in _GAMES:
        for blocks, channels in _NETS:
            model = _model(game, blocks, channels)
            for workers in (1, 2):
                if workers > len(os.sched_getaffinity(0)):
                    continue
                playing, ready = _rates(game, model, workers)
                name = f"selfplay {game} {blocks}x{channels}, {workers} worker(s)"
                yield Measurement(name, playing, "evaluations/s", "ready batches", ready)


def _model(game: str, blocks: int, channels: int) -> bytes:
    """A net with random weights: its speed is that of a trained one."""
    from boardzero import _core
    from boardzero.games import make
    from boardzero.nets.config import NetConfig, PolicyHead
    from boardzero.nets.export import onnx_bytes
    from boardzero.nets.residual import NetShape, ResidualNet

    sampler = _core.make_sampler(make(game).start().native, _format(game))
    planes, rows, columns = sampler.input_shape()
    shape = NetShape(planes, rows, columns, sampler.policy_size(), sampler.players())
    config = NetConfig(blocks=blocks, channels=channels, policy=PolicyHead(style="planes"))
    return onnx_bytes(ResidualNet(config, shape))


def _format(game: str) -> tuple[str, str, int]:
    return ("mover", "planes" if game == "international" else "flat", 0)


def _rates(game: str, model: bytes, workers: int) -> tuple[float, float]:
    """Evaluations per second of all workers together: in self-play, and on ready batches."""
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for seed in range(workers):
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, game, model, seed), daemon=True)
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


def _serve(pipe: Connection, game: str, model: bytes, seed: int) -> None:
    from boardzero.infer import OnnxNet
    from boardzero.learn.recipe import LearnConfig, NetFormatConfig, Recipe
    from boardzero.learn.worker import evaluate_once, selfplay_pool

    encoding, policy, _ = _format(game)
    recipe = Recipe(
        name="bench",
        game=game,
        seed=seed,
        format=NetFormatConfig(encoding=encoding, policy=policy),
        learn=LearnConfig(uses=1),
    )
    net = OnnxNet(model)
    pool = selfplay_pool(recipe, [recipe.format.names])
    pool.add(list(range(100_000)))
    evaluate_once(pool, [net])
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
                rows += evaluate_once(pool, [net])
                pool.take_finished()
            else:
                net(batch)
                rows += len(batch)
        pipe.send(rows / passed)
