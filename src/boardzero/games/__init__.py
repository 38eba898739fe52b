"""Rules, notation and drawing of games. Knows nothing of players, nets or files."""

# The games that come with the package register themselves.
from boardzero.games import draughts, gomoku, chexers  # noqa: F401, I001
from boardzero.games.game import Game, Move, Outcome, Piece, Shape, State
from boardzero.games.geometry import Geometry
from boardzero.games.notation.pdn import PdnGame, read_games, write_game
from boardzero.games.python_game import Ending, PythonGame
from boardzero.games.registry import Family, families, make, plays_alike, register
from boardzero.games.traits import GameTraits

__all__ = [
    "Ending",
    "Family",
    "Game",
    "GameTraits",
    "Geometry",
    "Move",
    "Outcome",
    "PdnGame",
    "Piece",
    "PythonGame",
    "Shape",
    "State",
    "families",
    "make",
    "plays_alike",
    "read_games",
    "register",
    "write_game",
]
