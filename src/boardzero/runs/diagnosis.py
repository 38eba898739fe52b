"""What is wrong with a run, in words: each cause with the value to change.

Looks only at what a run leaves behind: its log, its newest games, and the net that stood last at
the gate. A bound here is wide, so that a healthy run hears nothing; one that is too young hears so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from statistics import fmean, median

import numpy as np

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.models import read_model
from boardzero.models.onnx import Floats, OnnxNet
from boardzero.runs.evidence import (
    FEWEST_GAMES,
    FEWEST_LOSSES,
    MOST_GAMES,
    Evidence,
    Finding,
    R,
    correlation,
    look_at_draws,
    look_at_probes,
    look_at_refusals,
    look_at_repetition,
    look_at_the_gate,
    look_at_values,
)
from boardzero.runs.recipe import Recipe
from boardzero.runs.run_folder import RunFolder
from boardzero.runs.sparse_diagnosis import SPARSE_LOOKS, SparseEvidence
from boardzero.runs.sparse_recipe import SparseRecipe

_POSITIONS = 1000  # shown to the net


class NetEvidence(Evidence[Recipe]):
    """What a run of residual nets left behind, read when it is asked for."""

    @property
    def blind_value_loss(self) -> float:
        """What a net has that always says "even"."""
        if self.recipe.net.value.output == "win-draw-loss":
            return math.log(3)
        return fmean(value**2 for game in self.games for value in game.outcome) or 1.0

    @cached_property
    def sampler(self) -> _core.Sampler:
        return _core.make_sampler(self.game.start().native, self.recipe.format.names)

    @cached_property
    def correlation(self) -> float | None:
        """Of the newest net's values with the results; None if there is nothing to compare."""
        folder = self.newest_model
        net = read_model(folder).nets[0]
        if not net.file.endswith(".onnx") or len(read_model(folder).nets) > 1:
            return None
        samples = [
            (record, rank, 0)
            for record, game in zip(self.records, self.games, strict=True)
            for rank in range(sum(decision.full for decision in game.decisions))
        ]
        samples = samples[:: max(1, len(samples) // _POSITIONS)]
        results, found = self._compare(OnnxNet(folder / net.file), samples)
        return correlation(results.tolist(), found.tolist())

    def _compare(
        self, net: OnnxNet, samples: Sequence[tuple[bytes, int, int]]
    ) -> tuple[Floats, Floats]:
        """Results and the net's values, for the mover."""
        rows, players = len(samples), self.sampler.players()
        planes = np.empty((rows, *self.sampler.input_shape()), np.float32)
        policy = np.empty((rows, self.sampler.policy_size()), np.float32)
        outcome, search = (np.empty((rows, players), np.float32) for _ in range(2))
        self.sampler.draw(samples, planes, policy, outcome, search)
        # A net answers in an array that it uses again.
        values = np.concatenate([net(planes[i : i + 64])[1].copy() for i in range(0, rows, 64)])
        return outcome[:, 0], values[:, 0]


def diagnose(run: RunFolder) -> list[Finding]:
    """Everything that is wrong, the likeliest cause first; empty if nothing is."""
    recipe = run.recipe()
    if isinstance(recipe, SparseRecipe):
        sparse = SparseEvidence(run, recipe)
        return _too_early(sparse) or [f for look in SPARSE_LOOKS for f in look(sparse)]
    if not isinstance(recipe, Recipe):
        raise BoardZeroError(f"{run.name} learns in another way, which diagnose knows nothing of")
    evidence = NetEvidence(run, recipe)
    return _too_early(evidence) or [finding for look in _LOOKS for finding in look(evidence)]


def _too_early(run: Evidence[R]) -> list[Finding]:
    if len(run.games) >= FEWEST_GAMES:
        return []
    told = f"{len(run.games)} games so far"
    return [Finding("too early to say", told, f"train on: {FEWEST_GAMES} games are the least")]


def _learning_rate(run: NetEvidence) -> Iterator[Finding]:
    if not run.losses:
        return
    late, guess = run.late_loss("policy"), math.log(run.sampler.policy_size())
    value, value_guess = run.late_loss("value"), run.blind_value_loss
    lower = f"learn.lr: {run.recipe.learn.lr / 10:g} instead of {run.recipe.learn.lr:g}"
    if not (math.isfinite(late) and math.isfinite(value)):
        yield Finding("learning rate too high", "the loss is no number any more", lower)
    elif late > guess + 0.2:
        told = f"policy loss {late:.2f}, and blind guessing has {guess:.2f}"
        yield Finding("learning rate too high", told, lower)
    elif value > 1.3 * value_guess:
        told = f"value loss {value:.2f}, and blind guessing has {value_guess:.2f}"
        yield Finding("learning rate too high", told, lower)
    elif len(run.losses) >= FEWEST_LOSSES and late > run.early_loss("policy") * 1.1:
        told = f"policy loss rose from {run.early_loss('policy'):.2f} to {late:.2f}"
        yield Finding("learning rate too high", told, lower)
    elif len(run.losses) >= 4 * FEWEST_LOSSES and late > guess * 0.97:
        told = f"policy loss stays at {late:.2f}, which is blind guessing"
        change = f"learn.lr: {run.recipe.learn.lr * 10:g}, or a larger net"
        yield Finding("loss flat", told, change)


def _exploration(run: NetEvidence) -> Iterator[Finding]:
    change = "search.noise_weight: 0.25, and selfplay.temperature_steps: 10 or more"
    yield from look_at_repetition(run, change)


def _policy(run: NetEvidence) -> Iterator[Finding]:
    shares = [
        max(share for _, share in decision.policy)
        for game in run.games
        for decision in game.decisions[: run.recipe.selfplay.temperature_steps or 4]
        if decision.full and decision.policy
    ]
    if shares and run.recipe.search.simulations > run.choices and fmean(shares) > 0.95:
        yield Finding(
            "policy collapsed",
            f"early in a game the search puts {fmean(shares):.0%} on one move",
            "search.noise_weight: 0.25, and selfplay.temperature: 1",
        )


def _value(run: NetEvidence) -> Iterator[Finding]:
    change = "learn.value_weight: larger, and a longer window (replay)"
    yield from look_at_values(run, run.correlation, change)


def _window(run: NetEvidence) -> Iterator[Finding]:
    bounds = run.recipe.replay
    games = positions = 0
    for record, iteration in zip(run.games, run.iterations, strict=True):
        samples = sum(decision.full for decision in record.decisions)
        too_old = bounds.iterations and iteration <= run.iterations[0] - bounds.iterations
        if too_old or (bounds.games and games >= bounds.games):
            break
        if bounds.positions and games and positions + samples > bounds.positions:
            break
        games, positions = games + 1, positions + samples
    if games < len(run.games) and (games < 10 or positions < run.recipe.learn.batch_size):
        yield Finding(
            "window too small",
            f"only {positions} positions of {games} games are learned",
            "replay.games or replay.positions: larger; 20,000 positions are a good start",
        )


def _simulations(run: NetEvidence) -> Iterator[Finding]:
    search = run.recipe.search
    if search.root == "puct" and search.simulations < run.choices / 2:
        yield Finding(
            "too few simulations",
            f"{search.simulations} a move, where there are {run.choices:.0f} moves to choose from",
            f"search.simulations: {math.ceil(2 * run.choices)}, or search.root: gumbel",
        )


def _draws(run: NetEvidence) -> Iterator[Finding]:
    yield from look_at_draws(run, "selfplay.opening_steps: larger")


def _probes(run: NetEvidence) -> Iterator[Finding]:
    change = "selfplay.opening_steps: larger, so that games come to such positions"
    yield from look_at_probes(run, f"{change}, and selfplay.fast_simulations: more")


def _length(run: NetEvidence) -> Iterator[Finding]:
    lengths = [len(game.actions) for game in run.games]
    cut = fmean(length >= run.recipe.selfplay.max_steps for length in lengths)
    seat, wins = Counter(game.winner for game in run.games).most_common(1)[0]
    if cut > 0.2:
        yield Finding("games cut off", f"{cut:.0%} reach the end", "selfplay.max_steps: larger")
    elif seat is not None and wins > 0.97 * len(run.games) and len(run.games) == MOST_GAMES:
        yield Finding(
            "games too short",
            f"seat {seat} wins {wins} of {len(run.games)} games, in {median(lengths):.0f} steps",
            "selfplay.opening_steps: larger, so that the other side has a chance",
        )


def _trainer(run: NetEvidence) -> Iterator[Finding]:
    """Where players and trainer work side by side, one may wait for the other."""
    if run.recipe.run.mode != "async" or len(run.losses) < FEWEST_LOSSES:
        return
    pairs = zip(run.losses, run.losses[1:], strict=False)
    rates = [(b.step - a.step) / (b.minutes - a.minutes) for a, b in pairs if b.minutes > a.minutes]
    if rates and fmean(rates) < 0.2 * max(rates):
        yield Finding(
            "trainer starving",
            f"it learns {fmean(rates):.0f} batches a minute, and could {max(rates):.0f}",
            "run.workers: more, search.simulations: fewer, or learn.uses: more",
        )


_LOOKS: tuple[Callable[[NetEvidence], Iterator[Finding]], ...] = (
    _learning_rate,
    _value,
    _exploration,
    _policy,
    _window,
    _simulations,
    look_at_the_gate,
    _draws,
    _probes,
    _length,
    _trainer,
    look_at_refusals,
)
