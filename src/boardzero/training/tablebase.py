"""Endings with few pieces whose results are known, as values to learn.

They are solved when a run begins, in seconds, and kept in its folder.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_file
from boardzero.games import Game
from boardzero.runs.recipe import Recipe


def solved_endings(game: Game, recipe: Recipe, folder: Path | None) -> _core.Tablebase | None:
    """The endings that the recipe asks for, from the folder if they are there."""
    pieces = recipe.replay.tablebase
    if pieces == 0:
        return None
    start = game.start().native
    if folder is None:
        return _core.make_tablebase(start, pieces)
    file = folder / "endings.bin"
    with suppress(FileNotFoundError, BoardZeroError):  # or of another recipe, or damaged
        return _core.make_tablebase(start, pieces, file.read_bytes())
    table = _core.make_tablebase(start, pieces)
    write_file(file, table.bytes())
    return table
