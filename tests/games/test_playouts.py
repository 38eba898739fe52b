"""Random games of the core are the random games of the rules."""

import random
from math import sqrt
from statistics import mean, stdev

import pytest

from boardzero import make
from tests.games import variants

GAMES = 300


@pytest.mark.parametrize(
    "spec",
    [
        "international",
        "english:endings=openspiel",
        "russian",
        "brazilian",
        "gomoku",
        "gomoku:size=10,rule=renju",
        "chexers",
        str(variants.EXAMPLES / "connect_four.py"),
    ],
    ids=variants.name,
)
def test_playouts_are_as_long_as_games_of_actions_drawn_from_a_list(spec: str) -> None:
    """A draw that is not uniform shows in the length of games, which it makes longer or shorter."""
    start = make(spec).start().native
    rng = random.Random(5)
    lengths = []
    for _ in range(GAMES):
        state, length = start.clone(), 0
        while legal := state.actions():
            state.play(rng.choice(legal))
            length += 1
        lengths.append(length)
    drawn = start.playouts(games=10 * GAMES, seed=5) / (10 * GAMES)
    assert abs(drawn - mean(lengths)) < 3 * stdev(lengths) / sqrt(GAMES)


def test_playouts_depend_on_nothing_but_the_seed() -> None:
    start = make("english").start().native
    assert start.playouts(games=50, seed=3) == start.playouts(games=50, seed=3)
    assert start.playouts(games=50, seed=3) != start.playouts(games=50, seed=4)
    assert start.playouts(games=0, seed=3) == 0
