"""Games that lie in a Python file: `boardzero play ./othello.py`."""

import sys
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isabstract
from pathlib import Path
from types import ModuleType
from typing import Any

from boardzero.base.errors import BoardZeroError
from boardzero.games.python_game import PythonGame


def is_file(name: str) -> bool:
    """Whether the name of a game is the path of a file. Loading such a game runs its code."""
    return name.endswith(".py") or "/" in name or "\\" in name


def load(name: str) -> type[PythonGame[Any]]:
    """The game that a file defines: its `GAME`, or its only subclass of `PythonGame`."""
    path = Path(name).expanduser()
    if not path.is_file():
        raise BoardZeroError(f"there is no file '{name}' to load a game from")
    return _load(path.resolve(), path.stat().st_mtime_ns)


@lru_cache
def _load(path: Path, _changed: int) -> type[PythonGame[Any]]:
    module = run_file(path)
    if "GAME" in vars(module):
        if isinstance(module.GAME, type) and issubclass(module.GAME, PythonGame):
            return module.GAME
        raise BoardZeroError(f"GAME in '{path}' is not a subclass of PythonGame")
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, PythonGame)
        and value.__module__ == module.__name__
    ]
    games = [game for game in found if not isabstract(game)]
    if len(games) == 1:
        return games[0]
    if games:
        names = ", ".join(game.__name__ for game in games)
        raise BoardZeroError(f"'{path}' defines {names}; say which with GAME = ...")
    if found:
        missing = ", ".join(sorted(found[0].__abstractmethods__))
        raise BoardZeroError(f"{found[0].__name__} in '{path}' does not define {missing}")
    raise BoardZeroError(f"'{path}' defines no subclass of boardzero.PythonGame")


def run_file(path: Path) -> ModuleType:
    """The module that a file holds; says in a sentence why it cannot be loaded."""
    name = f"boardzero_file_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BoardZeroError(f"'{path}' is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up here
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BoardZeroError(
            f"'{path}' cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    return module
