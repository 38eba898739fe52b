"""Rules, notation, drawing and endgame tables of games. Knows nothing of players or nets."""

# The games that come with the package register themselves.
from boardzero.games import draughts, gomoku, chexers  # noqa: F401, I001
from boardzero.games.game import Game, Move, Outcome, Piece, Shape, State
from boardzero.games.geometry import Geometry
from boardzero.games.notation.files import load_trees, read_trees, write_tree
from boardzero.games.notation.pdn import PdnGame, read_games, write_game
from boardzero.games.python_game import Ending, PythonGame
from boardzero.games.registry import Family, families, make, plays_alike, register, without_endings
from boardzero.games.traits import GameTraits
from boardzero.games.tree import Arrow, Evaluation, GameNode, GameTree

__all__ = [
    "Arrow",
    "Ending",
    "Evaluation",
    "Family",
    "Game",
    "GameNode",
    "GameTraits",
    "GameTree",
    "Geometry",
    "Move",
    "Outcome",
    "PdnGame",
    "Piece",
    "PythonGame",
    "Shape",
    "State",
    "families",
    "load_trees",
    "make",
    "plays_alike",
    "read_games",
    "read_trees",
    "register",
    "without_endings",
    "write_game",
    "write_tree",
]
