"""pydraughts as an oracle for all four kinds of draughts, and positions to ask it about.

It counts squares as we do and lets White move up; only the names of the games and the algebraic
squares of Russian draughts differ.
"""

import random
from collections.abc import Iterator

from draughts.core.game import Game as Peer

from boardzero import Game, State

VARIANTS = {
    "international": "standard",
    "english": "english",
    "russian": "russian",
    "brazilian": "brazilian",
}

Squares = tuple[int, int, frozenset[int]]  # from, to, and the squares of what is taken, from 1


def random_game(game: Game, rng: random.Random, *, plies: int = 400) -> list[State]:
    """The states of a game of random moves, the last of which is over unless it got too long."""
    state = game.start()
    states = [state.copy()]
    while len(states) <= plies and (moves := state.moves()):
        state.play(rng.choice(moves))
        states.append(state.copy())
    return states


def numeric_fen(state: State) -> str:
    """The position between two moves, with squares as numbers in every game."""
    seats = state.game.seats
    lists: dict[str, list[str]] = {"white": [], "black": []}
    for piece in state.pieces():
        prefix = "K" if piece.kind == "king" else ""
        lists[seats[piece.owner]].append(f"{prefix}{piece.cell + 1}")
    mover = seats[state.to_move][0].upper()
    return f"{mover}:W{','.join(lists['white'])}:B{','.join(lists['black'])}"


def our_moves(state: State) -> set[Squares]:
    return {
        (move.path[0] + 1, move.path[-1] + 1, frozenset(cell + 1 for cell in move.captured))
        for move in state.moves()
    }


def peer_moves(name: str, fen: str) -> set[Squares]:
    return set(_peer_routes(name, fen))


def peer_perft(name: str, fen: str, depth: int) -> int:
    """The number of move sequences, routes that take the same pieces being one move."""
    routes = _peer_routes(name, fen)
    if depth == 1:
        return len(routes)
    return sum(peer_perft(name, after, depth - 1) for after in _after_each(name, fen, routes))


def _peer_routes(name: str, fen: str) -> dict[Squares, list[list[int]]]:
    routes, captures = Peer(VARIANTS[name], fen).legal_moves()
    return {
        (route[0][0], route[-1][1], frozenset(square for square in taken if square)): route
        for route, taken in zip(routes, captures, strict=True)
    }


def _after_each(name: str, fen: str, routes: dict[Squares, list[list[int]]]) -> Iterator[str]:
    for route in routes.values():
        game = Peer(VARIANTS[name], fen)
        game.push(route)
        yield game.get_li_fen()
