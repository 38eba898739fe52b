"""What is wrong with a run of a sparse net (NNUE): its losses, its window, its games."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator

from boardzero.runs.evidence import (
    FEWEST_LOSSES,
    MOST_GAMES,
    Evidence,
    Finding,
    look_at_draws,
    look_at_refusals,
    look_at_repetition,
    look_at_the_gate,
)
from boardzero.runs.sparse_recipe import SparseRecipe

SparseEvidence = Evidence[SparseRecipe]

_RANDOM = "selfplay.least_random and most_random: larger"


def _learning_rate(run: SparseEvidence) -> Iterator[Finding]:
    """Of what games end with; the first loss is that of a net that knows nothing."""
    if not run.losses:
        return
    learn = run.recipe.learn
    late = run.late_loss("result")
    blind = run.losses[0].losses["result"]
    lower = f"learn.lr: {learn.lr / 10:g} instead of {learn.lr:g}"
    if not math.isfinite(late):
        yield Finding("learning rate too high", "the loss is no number any more", lower)
    elif late > 1.1 * blind:
        told = f"result loss {late:.2f}, and blind guessing has {blind:.2f}"
        yield Finding("learning rate too high", told, lower)
    elif len(run.losses) >= 4 * FEWEST_LOSSES and late > 0.98 * blind:
        told = f"result loss stays at {late:.2f}, which is blind guessing"
        higher = f"learn.lr: {min(1.0, learn.lr * 10):g}, or a smaller learn.batch_size"
        yield Finding("loss flat", told, higher)


def _window(run: SparseEvidence) -> Iterator[Finding]:
    window, batch = run.recipe.replay.positions, run.recipe.learn.batch_size
    if window < 10 * batch:
        yield Finding(
            "window too small",
            f"{window:,} positions are ten batches of {batch:,} or less",
            f"replay.positions: {100 * batch:,} or more",
        )


def _exploration(run: SparseEvidence) -> Iterator[Finding]:
    yield from look_at_repetition(run, _RANDOM)


def _draws(run: SparseEvidence) -> Iterator[Finding]:
    yield from look_at_draws(run, _RANDOM)


def _one_side(run: SparseEvidence) -> Iterator[Finding]:
    seat, wins = Counter(game.winner for game in run.games).most_common(1)[0]
    if seat is not None and wins > 0.97 * len(run.games) and len(run.games) == MOST_GAMES:
        yield Finding(
            "games too short",
            f"seat {seat} wins {wins} of {len(run.games)} games",
            f"{_RANDOM}, and selfplay.lopsided: smaller, so that the other side has a chance",
        )


SPARSE_LOOKS: tuple[Callable[[SparseEvidence], Iterator[Finding]], ...] = (
    _learning_rate,
    _exploration,
    _window,
    look_at_the_gate,
    _draws,
    _one_side,
    look_at_refusals,
)
