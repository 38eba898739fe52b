"""Draughts by the numbers of squares, as Hub and DXP write it.

A position is a letter for the side to move and one for each square: w and b men, W and B kings, e
nothing. A move is where it begins and ends and, as a set, what it captures.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, Move, State


@dataclass(frozen=True, slots=True)
class NumberedMove:
    """Squares are counted from 1. A capture that ends where it began is one, too."""

    origin: int
    target: int
    captured: frozenset[int] = frozenset()

    def __str__(self) -> str:
        between = "x" if self.captured else "-"
        return between.join(map(str, [self.origin, self.target, *sorted(self.captured)]))


def numbered(move: Move) -> NumberedMove:
    captured = frozenset(cell + 1 for cell in move.captured)
    return NumberedMove(move.path[0] + 1, move.path[-1] + 1, captured)


def find(state: State, wanted: NumberedMove) -> Move:
    """The legal move; of several that differ only on the way, the first."""
    for move in state.moves():
        if numbered(move) == wanted:
            return move
    legal = ", ".join(str(numbered(move)) for move in state.moves()) or "none"
    raise BoardZeroError(f"'{wanted}' is not legal here; the legal moves are {legal}")


def play_on(state: State, wanted: NumberedMove) -> State:
    """Plays a move, even where our rules call the game drawn already; others may count otherwise.

    The state is changed, or another one is returned that has forgotten its past.
    """
    state = still_open(state)
    state.play(find(state, wanted))
    return state


def still_open(state: State) -> State:
    """The state or, if it is drawn for what came before it, the same position without a past."""
    if state.outcome() is None:
        return state
    return state.game.parse_fen(state.fen())


def position(state: State, letters: str = "WBwbWBe") -> str:
    """The position; `letters` are those of the sides, then of men and kings, then of nothing."""
    white = state.game.seats.index("white")
    board = [letters[6]] * len(state.game.geometry.places)
    for piece in state.pieces():
        is_king = piece.kind == "king"
        board[piece.cell] = letters[2 + 2 * is_king + (piece.owner != white)]
    return letters[state.to_move != white] + "".join(board)


def parse_position(game: Game, text: str, letters: str = "WBwbWBe") -> State:
    """The state with this position; a man on its last row is refused as in a FEN."""
    squares = len(game.geometry.places)
    if len(text) != squares + 1:
        raise BoardZeroError(f"a position has {squares + 1} letters, not {len(text)}")
    if text[0] not in letters[:2]:
        raise BoardZeroError(f"the side to move is {letters[0]} or {letters[1]}, not '{text[0]}'")
    side = "WB"[letters.index(text[0])]
    men = letters[2:]
    for number, letter in enumerate(text[1:], start=1):
        if letter not in men:
            raise BoardZeroError(f"square {number} is one of {men}, not '{letter}'")

    def of(man: str, king: str) -> str:
        found = enumerate(text[1:], start=1)
        return ",".join(f"{'K' * (c == king)}{n}" for n, c in found if c in (man, king))

    return game.parse_fen(f"{side}:W{of(men[0], men[2])}:B{of(men[1], men[3])}")


def parse_squares(words: Collection[str]) -> list[int]:
    """Numbers of squares, each one written with one or two digits."""
    if not all(word.isascii() and word.isdigit() and len(word) <= 2 for word in words):
        raise BoardZeroError(f"'{'x'.join(words)}' has something that is not a square")
    return [int(word) for word in words]
