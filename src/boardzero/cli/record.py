"""Games and pages written to files, complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from boardzero.games import State
from boardzero.games.notation import movetext

__all__ = ["write_record", "write_text"]


def write_record(path: Path, state: State, names: Sequence[str], result: str) -> None:
    """Write a game with the names of its players, seat by seat."""
    tags = {"Event": "boardzero play", "Game": state.game.spec}
    tags |= {seat.capitalize(): name for seat, name in zip(state.game.seats, names, strict=True)}
    write_text(path, movetext.write_text(state, tags=tags, result=result))


def write_text(path: Path, text: str) -> None:
    """Write a file that is never there in part."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise BoardZeroError(f"cannot write {path}: {error.strerror}") from None
