"""Which samples are drawn how often: all alike, or more of those that surprised the net."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boardzero import _core
from boardzero.runs.replay import Replay, ReplayEntry


def draw_indices(
    count: int, total: int, rng: np.random.Generator, weights: NDArray[np.float64] | None = None
) -> NDArray[np.int64]:
    """`total` of the numbers below `count`, in passes over all of them.

    With weights, which are 1 on average, a number of weight 2.3 comes twice or three times in a
    pass; without, none comes again before all others have come.
    """
    passes = [np.empty(0, np.int64)]
    drawn = 0
    while drawn < total:
        if weights is None:
            passes.append(rng.permutation(count))
        else:
            times = np.floor(weights + rng.random(count)).astype(np.int64)
            passes.append(rng.permutation(np.repeat(np.arange(count), times)))
        drawn += len(passes[-1])
    return np.concatenate(passes)[:total]


class Surprises:
    """How far the search's policies were from the net's, game by game."""

    def __init__(self, share: float) -> None:
        """`share` of a game's weight goes to its positions by surprise, the rest evenly."""
        self.share = share
        self._known: dict[ReplayEntry, NDArray[np.float32] | None] = {}

    def weights(
        self, replay: Replay, games: list[ReplayEntry], examples: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Of examples, which are rows of (game, rank) in order; a game has as many as before."""
        known = self._known
        self._known = {
            game: known[game] if game in known else _read(replay, game) for game in games
        }
        weights = np.ones(len(examples))
        borders = np.searchsorted(examples[:, 0], np.arange(len(games) + 1))
        for game, start, end in zip(games, borders[:-1], borders[1:], strict=True):
            surprises = self._known[game]
            if surprises is None:
                continue  # a game of others, or from before the switch
            own = surprises[examples[start:end, 1]]
            if own.sum() > 0:
                weights[start:end] = 1 - self.share + self.share * own / own.mean()
        return weights


def _read(replay: Replay, game: ReplayEntry) -> NDArray[np.float32] | None:
    found = _core.surprises(replay.read(game))
    return None if found is None else np.asarray(found, np.float32)
