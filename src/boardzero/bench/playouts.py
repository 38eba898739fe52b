"""Random games per second of one thread, from the start to the end of a game.

The peer is OpenSpiel's own C++: its `MCTSBot` with a single simulation, whose leaf is evaluated by
so many roll-outs that nothing else takes time. Both are measured in seconds of the processor and in
turns, because the machine may have other work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from time import process_time

from boardzero.bench import Measurement
from boardzero.bench.search import openspiel_search
from boardzero.games import make

_TASKS = {  # our game -> the same in OpenSpiel, if it has it
    "english:endings=openspiel": "checkers",
    "gomoku": "gomoku(size=8)",
    "gomoku:size=15": "gomoku(size=15)",
    "chexers": None,
    "international": None,
}
_SECONDS = 0.15  # at least, for each turn
_TURNS = 3

Playouts = Callable[[int], object]  # plays as many random games


def measure() -> Iterator[Measurement]:
    for spec, peer in _TASKS.items():
        ours, theirs = _ours(spec), _theirs(peer) if peer else None
        our_rate = their_rate = 0.0
        for _ in range(_TURNS):
            our_rate = max(our_rate, _rate(ours))
            if theirs is not None:
                their_rate = max(their_rate, _rate(theirs))
        yield Measurement(
            f"playouts {spec}",
            our_rate,
            "games/s",
            f"OpenSpiel {peer}" if theirs else None,
            their_rate or None,
        )


def _ours(spec: str) -> Playouts:
    start = make(spec).start().native
    return lambda games: start.playouts(games, seed=1)


def _theirs(name: str) -> Playouts | None:
    if find_spec("pyspiel") is None:
        return None

    def play(games: int) -> None:
        search = openspiel_search(name, simulations=1, rollouts=games)
        assert search is not None
        search()

    return play


def _rate(playouts: Playouts) -> float:
    """Games per second, of the first number of games that takes long enough to be measured."""
    games = 16
    while True:
        start = process_time()
        playouts(games)
        seconds = process_time() - start
        if seconds >= _SECONDS:
            return games / seconds
        games *= 2
