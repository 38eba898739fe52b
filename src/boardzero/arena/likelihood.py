"""How likely two-player games are, given ratings; and the ratings that make them most likely.

Let the first player be D Elo points stronger, the advantage of the first move included. Draws
follow Davidson (1970): P(draw) = t·√(P(win)·P(loss)). His strengths, though, lose Elo's meaning
as soon as there are draws: if equals draw every other game, his 200 points are worth 100. So we
keep his draws and fix the scale by what Elo means, the expected score:

    P(win) + P(draw) / 2 = 1 / (1 + 10^(-D/400))

Both hold exactly if win, draw and loss have the logits y/2, ln t and -y/2 with

    y/2 = x/2 + asinh(t/2 · sinh(x/2)),   x = D·ln(10)/400.

A fit of one pairing thus gives the Elo of its score, whatever the number of draws.

Each unknown also has a weak normal prior (below). It is worth about an eighth of a game per player;
it matters only where games alone give no finite answer: a player who won everything, groups
that never met, a pair that always sat in the same seats, games without a draw.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardzero.arena.score import Score

Floats = NDArray[np.float64]

ELO = 400 / math.log(10)  # Elo points of one unit of log odds, the unit of this module

# Standard deviations of the priors, each around 0.
_RATING_PRIOR = 1000 / ELO
_ADVANTAGE_PRIOR = 400 / ELO
_DRAW_PRIOR = 2.0  # of ln t; 0 means that equals draw a third of their games

_STEPS = 200  # a fit takes about five


def outcome_logits(x: Floats, log_draw: float) -> Floats:
    """Log probabilities of win, draw and loss, shape (pairings, 3), for advantages x."""
    half = (x / 2 + np.arcsinh(np.exp(log_draw) / 2 * np.sinh(x / 2)))[:, None]
    logits = np.hstack([half, np.full_like(half, log_draw), -half])
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))


@dataclass(frozen=True)
class Fit:
    """A maximum: the parameters (a rating per player, the first move, ln t), all in log odds."""

    parameters: Floats
    value: float  # log of likelihood times prior
    information: Floats  # Fisher's, prior included


class Likelihood:
    """Of all games as a function of the parameters; parameters are in the order of `Fit`."""

    def __init__(self, scores: Mapping[tuple[str, str], Score], players: Sequence[str]) -> None:
        index = {player: i for i, player in enumerate(players)}
        self._first = np.array([index[first] for first, _ in scores])
        self._second = np.array([index[second] for _, second in scores])
        self._counts = np.array([(s.wins, s.draws, s.losses) for s in scores.values()], float)
        self._games = self._counts.sum(axis=1)
        self._precision = np.array(
            [_RATING_PRIOR**-2] * len(players) + [_ADVANTAGE_PRIOR**-2, _DRAW_PRIOR**-2]
        )
        self.size = len(self._precision)

    def maximise(self, constraints: Floats, targets: Floats, start: Floats | None = None) -> Fit:
        """The best parameters with `constraints @ parameters == targets`, by Fisher scoring."""
        at = np.zeros(self.size) if start is None else start
        value, gradient, information = self._evaluate(at)
        zeros = np.zeros((len(targets), len(targets)))
        for _ in range(_STEPS):
            system = np.block([[information, constraints.T], [constraints, zeros]])
            missing = targets - constraints @ at
            step = np.linalg.solve(system, np.concatenate([gradient, missing]))[: self.size]
            on_target = bool(np.abs(missing).max() < 1e-9)
            if on_target and gradient @ step < 1e-8:
                break
            ahead = self._evaluate(at + step)
            while on_target and ahead[0] < value and np.abs(step).max() > 1e-12:
                step = step / 2
                ahead = self._evaluate(at + step)
            at = at + step
            value, gradient, information = ahead
        return Fit(at, value, information)

    def _evaluate(self, at: Floats) -> tuple[float, Floats, Floats]:
        """Log posterior, its gradient, and the Fisher information."""
        log_draw = float(at[-1])
        x = np.clip(at[self._first] - at[self._second] + at[-2], -100, 100)
        log_p = outcome_logits(x, log_draw)
        win, draw, loss = np.exp(log_p).T
        # Derivatives of y by x and by ln t.
        bend = np.exp(log_draw) / np.sqrt(1 + (np.exp(log_draw) / 2 * np.sinh(x / 2)) ** 2)
        y_x, y_d = 1 + bend / 2 * np.cosh(x / 2), bend * np.sinh(x / 2)
        # The statistics (win - loss) / 2 and draw of an exponential family: seen minus expected,
        # and their covariance.
        lead = (self._counts[:, 0] - self._counts[:, 2] - self._games * (win - loss)) / 2
        drawn = self._counts[:, 1] - self._games * draw
        var_y = self._games * (win + loss - (win - loss) ** 2) / 4
        cov = -self._games * (win - loss) * draw / 2
        var_d = self._games * draw * (1 - draw)

        gradient = self._spread(lead * y_x) - self._precision * at
        gradient[-1] += (lead * y_d + drawn).sum()
        information = self._spread_square(var_y * y_x**2) + np.diag(self._precision)
        mixed = self._spread(y_x * (var_y * y_d + cov))
        information[-1, :] += mixed
        information[:, -1] += mixed
        information[-1, -1] += (var_y * y_d**2 + 2 * cov * y_d + var_d).sum()
        value = float((self._counts * log_p).sum() - (self._precision * at**2).sum() / 2)
        return value, gradient, information

    def _spread(self, per_pairing: Floats) -> Floats:
        """Xᵀ·v, where row i of X makes pairing i's x from the parameters."""
        result = np.zeros(self.size)
        np.add.at(result, self._first, per_pairing)
        np.subtract.at(result, self._second, per_pairing)
        result[-2] += per_pairing.sum()
        return result

    def _spread_square(self, per_pairing: Floats) -> Floats:
        """Xᵀ·diag(v)·X, without making X: it is large and has three entries in a row."""
        size = self.size
        advantage = np.full_like(self._first, size - 2)
        columns = ((self._first, 1.0), (self._second, -1.0), (advantage, 1.0))
        flat = np.zeros(size * size)
        for i, sign_i in columns:
            for j, sign_j in columns:
                flat += np.bincount(i * size + j, sign_i * sign_j * per_pairing, size * size)
        return flat.reshape(size, size)
