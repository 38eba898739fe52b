"""What a move costs with each method of Meng 2020, by its own budgets.

The nets of the shipped recipes are timed on full batches; games are played with nets that know
nothing, and the states that each net would have evaluated are counted. The peer is the baseline.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from boardzero.bench import Measurement

if TYPE_CHECKING:
    from boardzero.training.trainer import Trainer

_RECIPES = ("baseline", "three-stage", "three-stage-large", "mpv", "hybrid")
_GAMES = 16
_BATCH = 64
_SECONDS = 2.0  # for the timing of one net


def measure() -> Iterator[Measurement]:
    for suffix in ("", "-modern"):
        baseline = None
        for name in _RECIPES:
            cost = _milliseconds_per_move(f"meng-{name}{suffix}")
            baseline = baseline or cost
            yield Measurement(f"move of meng-{name}{suffix}", cost, "ms", "baseline", baseline)


def _milliseconds_per_move(recipe_name: str) -> float:
    from boardzero import _core
    from boardzero.games import make
    from boardzero.models import UniformNet
    from boardzero.runs.recipe import Recipe, load_recipe
    from boardzero.training.selfplay_worker import selfplay_pool
    from boardzero.training.trainer_group import TrainerGroup

    recipe = load_recipe(recipe_name)
    assert isinstance(recipe, Recipe)
    trainers = TrainerGroup(make(recipe.game), recipe).trainers
    nets = [UniformNet(trainer.shape.policy, trainer.shape.players) for trainer in trainers]
    formats = [section.format.names for section in recipe.sections().values()]
    pool = selfplay_pool(recipe, formats)
    pool.add(list(range(_GAMES)))
    rows = [0] * len(nets)
    moves = 0
    while pool.left():
        for net, waiting in enumerate(pool.collect()):
            if waiting:
                pool.receive(net, *nets[net](pool.inputs(net)[:waiting]))
                rows[net] += waiting
        for record in pool.take_finished():
            moves += len(_core.parse_record(record).decisions)
    seconds = [_seconds_per_row(trainer) for trainer in trainers]
    return 1000 * float(np.dot(rows, seconds)) / moves


def _seconds_per_row(trainer: Trainer) -> float:
    from boardzero.models import OnnxNet
    from boardzero.nets.export import onnx_bytes

    net = OnnxNet(onnx_bytes(trainer.net))
    shape = trainer.shape
    batch = np.zeros((_BATCH, shape.planes, shape.rows, shape.columns), np.float32)
    net(batch)
    best = float("inf")  # of all batches: others use the machine too
    end = time.perf_counter() + _SECONDS
    while (begun := time.perf_counter()) < end:
        net(batch)
        best = min(best, time.perf_counter() - begun)
    return best / _BATCH
