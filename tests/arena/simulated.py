"""Games between players of known strength."""

from collections.abc import Mapping
from itertools import permutations

import numpy as np

from boardzero.arena.ratings import expected_score
from boardzero.store import GameResult

OUTCOMES = (((1.0, -1.0), 0), ((0.0, 0.0), None), ((-1.0, 1.0), 1))


def games(first: str, second: str, wins: int, draws: int, losses: int) -> list[GameResult]:
    """As many games of each outcome for the player who moves first."""
    counts = (wins, draws, losses)
    return [
        GameResult((first, second), values, winner)
        for (values, winner), count in zip(OUTCOMES, counts, strict=True)
        for _ in range(count)
    ]


def davidson(advantage: float, draw: float) -> tuple[float, float, float]:
    """Win, draw and loss with Davidson's draws and Elo's expected score, found by halving."""
    low, high = 0.0, 1.0
    mean = expected_score(advantage)
    for _ in range(100):
        middle = (low + high) / 2
        win, loss = mean - middle / 2, 1 - mean - middle / 2
        enough = win > 0 and loss > 0 and middle < draw * (win * loss) ** 0.5
        low, high = (middle, high) if enough else (low, middle)
    return mean - low / 2, low, 1 - mean - low / 2


def constant_draws(advantage: float, draw: float) -> tuple[float, float, float]:
    """The same share of draws at any strength, as far as the expected score allows."""
    mean = expected_score(advantage)
    share = min(draw, 1.9 * min(mean, 1 - mean))
    return mean - share / 2, share, 1 - mean - share / 2


def tournament(
    strengths: Mapping[str, float],
    rng: np.random.Generator,
    *,
    each: int,
    first_move: float = 30.0,
    draw: float = 1.0,
    law: object = davidson,
) -> list[GameResult]:
    """`each` games of every player as first against every other as second."""
    assert callable(law)
    played: list[GameResult] = []
    for a, b in permutations(strengths, 2):
        chances = law(strengths[a] - strengths[b] + first_move, draw)
        played += games(a, b, *rng.multinomial(each, chances))
    return played
