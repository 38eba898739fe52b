"""Games and pages written to files, complete or not at all."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from boardzero.errors import BoardZeroError
from boardzero.games import PdnGame, State, has_pdn, write_game

__all__ = ["write_record", "write_text"]


def write_record(path: Path, state: State, names: Sequence[str], result: str) -> None:
    """Write a game with the names of its players, seat by seat."""
    write_text(path, _record(state, names, result))


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


def _record(state: State, names: Sequence[str], result: str) -> str:
    """Tags, the numbered moves, the result: PDN for draughts, and like it for other games."""
    tags = {"Event": "boardzero play", "Game": state.game.spec}
    tags |= {seat.capitalize(): name for seat, name in zip(state.game.seats, names, strict=True)}
    if has_pdn(state.game):
        return write_game(PdnGame.of(state, tags=tags, result=result))
    start = state.copy()
    moves = [str(start.undo()) for _ in state.history][::-1]
    tags["Result"] = result
    if start != state.game.start():
        tags["FEN"] = start.fen()
    players = state.game.players
    text = [
        f"{ply // players + 1}. {move}" if ply % players == 0 else move
        for ply, move in enumerate(moves)
    ]
    lines = [f'[{tag} "{value}"]' for tag, value in tags.items()]
    return "\n".join([*lines, "", textwrap.fill(" ".join([*text, result]), 80), ""])
