"""BoardZero: board games learned from their rules alone, to play, compare and study."""

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardzero.base.errors import BoardZeroError
    from boardzero.games import Ending, Game, Move, Outcome, PythonGame, State, make, register
    from boardzero.players import Limit, levels, make_player
    from boardzero.training.train import train

__all__ = [
    "BoardZeroError",
    "Ending",
    "Game",
    "Limit",
    "Move",
    "Outcome",
    "PythonGame",
    "State",
    "__version__",
    "levels",
    "make",
    "make_player",
    "register",
    "train",
]

__version__ = "0.2.0"

# A portable package for x86-64 has the core twice; where it runs, the faster one is found first.
_FASTER_CORE = os.path.join(__path__[0], "_x86_64_v3")
if os.path.isdir(_FASTER_CORE):
    from boardzero.base.processor import runs_x86_64_v3

    if runs_x86_64_v3():
        __path__.insert(0, _FASTER_CORE)

# Where a name lives, if not in `games`.
_HOMES = {
    "BoardZeroError": "base.errors",
    "Limit": "players",
    "levels": "players",
    "make_player": "players",
    "train": "training.train",
}


def __getattr__(name: str) -> object:
    """Load the rest of the package when something of it is asked for.

    The command line starts faster so, and `boardzero doctor` works where the core does not load.
    """
    if name not in __all__:
        raise AttributeError(f"module 'boardzero' has no attribute '{name}'")
    value: object = getattr(import_module(f"boardzero.{_HOMES.get(name, 'games')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
