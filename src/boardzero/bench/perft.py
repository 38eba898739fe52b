"""Speed of the move generators: positions per second of one thread, bulk counted at the last ply.

The peer is pydraughts, a package in Python, which counts in the same way for about two seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING

from boardzero.bench import Measurement
from boardzero.games import make

if TYPE_CHECKING:
    from draughts import Board

_TASKS = (("international", 8, "standard"), ("english", 9, "english"))
_PEER_SECONDS = 2.0


def measure() -> Iterator[Measurement]:
    for game, depth, variant in _TASKS:
        ours = _our_speed(game, depth)
        theirs = _their_speed(variant)
        peer = None if theirs is None else "pydraughts"
        yield Measurement(f"perft {game} {depth}", ours, "nodes/s", peer, theirs)


def _our_speed(game: str, depth: int, *, seconds: float = 1.0) -> float:
    """The best of the runs that fit into the time."""
    state = make(game).start()
    best, end = 0.0, perf_counter() + seconds
    while perf_counter() < end:
        start = perf_counter()
        nodes = state.perft(depth)
        best = max(best, nodes / (perf_counter() - start))
    return best


def _their_speed(variant: str) -> float | None:
    try:
        import draughts
    except ImportError:
        return None
    board = draughts.Board(variant=variant)
    nodes, start = 0, perf_counter()
    for depth in range(1, 20):
        nodes += _count(board, depth, start + _PEER_SECONDS)
        if perf_counter() - start > _PEER_SECONDS:
            break
    return nodes / (perf_counter() - start)


def _count(board: Board, depth: int, end: float) -> int:
    moves = board.legal_moves()
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        board.push(move)
        nodes += _count(board, depth - 1, end)
        board.pop()
        if perf_counter() > end:
            break
    return nodes
