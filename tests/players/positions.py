"""Positions for the tests of players."""

import random
from collections.abc import Iterator

import boardzero
from boardzero import State


def random_positions(
    game: str, count: int, *, seed: int = 1, keep: float = 0.4, widest: int = 1000
) -> Iterator[State]:
    """States that are not over, from random games, without the history that led to them.

    A part `keep` is taken of those with at most `widest` moves.
    """
    rules = boardzero.make(game)
    rng = random.Random(seed)
    state = rules.start()
    while count > 0:
        state.play(rng.choice(state.moves()))
        if state.outcome() is not None:
            state = rules.start()
        elif rng.random() < keep and len(state.moves()) <= widest:
            count -= 1
            yield rules.parse_fen(state.fen())
