"""Positions per second of the alpha-beta engine in one thread, and how deep it looks in that time.

The positions come from random games, so that openings and endings both count. Rates are per second
of the processor, because the machine may have other work; they are set against the aim of ten
million.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from time import process_time

from boardzero.bench import Measurement
from boardzero.games import State, make
from boardzero.players import Limit, make_player

_GAMES = ("international", "english")
_POSITIONS = 6
_NODES = 1_000_000  # for each position
_AIM = 10e6


def measure() -> Iterator[Measurement]:
    for game in _GAMES:
        player = make_player("alphabeta:hash=64", make(game))
        nodes, depth, seconds = 0, 0, 0.0
        for state in _positions(game):
            player.new_game()
            begin = process_time()
            choice = player.choose(state, Limit(nodes=_NODES))
            seconds += process_time() - begin
            nodes += choice.nodes
            depth += choice.depth
        yield Measurement(f"alphabeta {game}", nodes / seconds, "nodes/s", "the aim", _AIM)
        yield Measurement(f"alphabeta {game} after {_NODES} nodes", depth / _POSITIONS, "depth")


def _positions(game: str) -> Iterator[State]:
    """With a choice of moves, each some random moves further from the start."""
    rules, rng = make(game), random.Random(1)
    state, given = rules.start(), 0
    while given < _POSITIONS:
        if state.outcome() is not None:
            state = rules.start()
        if len(state.moves()) > 1:
            given += 1
            yield state
        for _ in range(6):
            if state.outcome() is None:
                state.play(rng.choice(state.moves()))
