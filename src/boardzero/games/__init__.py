"""Rules, notation and drawing of games. Knows nothing of players, nets or files."""

from boardzero.games.game import Game, Move, Outcome, Piece, Shape, State
from boardzero.games.geometry import Geometry
from boardzero.games.notation.pdn import PdnGame, has_pdn, read_games, write_game
from boardzero.games.python_game import Ending, PythonGame
from boardzero.games.registry import Family, families, make, plays_alike, register

__all__ = [
    "Ending",
    "Family",
    "Game",
    "Geometry",
    "Move",
    "Outcome",
    "PdnGame",
    "Piece",
    "PythonGame",
    "Shape",
    "State",
    "families",
    "has_pdn",
    "make",
    "plays_alike",
    "read_games",
    "register",
    "write_game",
]
