"""A test that stops as soon as the answer is clear.

The generalised sequential probability ratio test: after each unit (one game, or better one pair of
games from the same opening with seats swapped) it compares how well the two hypotheses "elo0
stronger" and "elo1 stronger" explain the scores, each with the distribution of scores that
suits it best. Pairs need fewer games than single games, because the opening's luck cancels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from boardzero.arena.ratings import expected_score
from boardzero.base.errors import BoardZeroError

Verdict = Literal["H0", "H1"]

_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # mean points of a pair; a single game has three of them
_UNSEEN = 1e-3  # weight of a score that has not occurred yet, so that every mean is possible


class Sprt:
    """H0: the first player is `elo0` stronger; H1: it is `elo1` stronger.

    `alpha` bounds the chance to accept H1 if H0 is true, `beta` the chance to accept H0 if H1 is
    true. A verdict stays, whatever games still come in.
    """

    def __init__(self, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        if not elo0 < elo1:
            raise BoardZeroError(f"a test needs elo0 below elo1, not {elo0:g} and {elo1:g}")
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise BoardZeroError("the error rates alpha and beta must lie between 0 and 0.5")
        self.elo0, self.elo1, self.alpha, self.beta = elo0, elo1, alpha, beta
        self.lower = math.log(beta / (1 - alpha))
        self.upper = math.log((1 - beta) / alpha)
        self.llr = 0.0
        self.verdict: Verdict | None = None
        self._seen = dict.fromkeys(_SCORES, 0)

    @property
    def units(self) -> int:
        """What was counted so far: games, or pairs of them."""
        return sum(self._seen.values())

    def update(self, *points: float) -> Verdict | None:
        """Count one unit: the first player's points (0, 0.5 or 1) in a game, or in each of two."""
        if len(points) not in (1, 2) or any(p not in (0, 0.5, 1) for p in points):
            raise BoardZeroError(f"one or two games of 0, 0.5 or 1 point make a unit, not {points}")
        self._seen[sum(points) / len(points)] += 1
        self.llr = log_likelihood_ratio(
            self._seen, expected_score(self.elo0), expected_score(self.elo1)
        )
        if self.verdict is None:
            if self.llr >= self.upper:
                self.verdict = "H1"
            elif self.llr <= self.lower:
                self.verdict = "H0"
        return self.verdict


def log_likelihood_ratio(seen: Mapping[float, float], mean0: float, mean1: float) -> float:
    """Of the best distribution with `mean1` over the best one with `mean0`."""
    weights = {score: count or _UNSEEN for score, count in seen.items()}
    tilt0, tilt1 = _tilt(weights, mean0), _tilt(weights, mean1)
    return sum(
        weight * math.log((1 + tilt0 * (score - mean0)) / (1 + tilt1 * (score - mean1)))
        for score, weight in weights.items()
    )


def _tilt(weights: Mapping[float, float], mean: float) -> float:
    """The t for which p(score) ~ weight / (1 + t·(score - mean)) has this mean.

    That p is the most likely distribution with the mean (by Lagrange's method). The sum below
    falls from +inf to -inf between the two ends, so halving finds its only zero.
    """
    low, high = -1 / (max(weights) - mean), 1 / (mean - min(weights))
    for _ in range(40):
        middle = (low + high) / 2
        excess = sum(w * (s - mean) / (1 + middle * (s - mean)) for s, w in weights.items())
        low, high = (middle, high) if excess > 0 else (low, middle)
    return (low + high) / 2
