"""BoardZero: board games learned from their rules alone, to play, compare and study."""

from boardzero.errors import BoardZeroError
from boardzero.games import Game, Move, Outcome, State, make

__all__ = ["BoardZeroError", "Game", "Move", "Outcome", "State", "__version__", "make"]

__version__ = "0.1.0"
