"""Boards as Gomocup's managers tell them: stones in some order, and the states that they make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, State

_GAP = re.compile(" +")


@dataclass(frozen=True, slots=True)
class Stone:
    """A point and whose it is."""

    cell: int
    owner: int  # the seat


def board_state(game: Game, stones: Sequence[Stone], mover: int) -> State:
    """The state with these stones: played one by one if they alternate, else set up at once."""
    alternate = [stone.owner for stone in stones] == [n % 2 for n in range(len(stones))]
    if alternate and mover == len(stones) % 2:
        try:
            return game.replay(game.geometry.labels[stone.cell] for stone in stones)
        except BoardZeroError:
            pass  # it goes through the end of a game, or over a forbidden point
    size = game.geometry.rows
    letters = [" "] * (size * size)
    for stone in stones:
        letters[stone.cell] = "xo"[stone.owner]
    rows = "/".join("".join(letters[row * size : row * size + size]) for row in range(size))
    return game.parse_fen(f"{_GAP.sub(lambda gap: str(len(gap[0])), rows)} {'xo'[mover]}")


def check_distinct(stones: Sequence[Stone], lines: Sequence[str]) -> None:
    """Refuse two stones on one point; `lines` are the words that they came in."""
    seen: set[int] = set()
    for stone, text in zip(stones, lines, strict=True):
        if stone.cell in seen:
            raise BoardZeroError(f"'{text}' is the second stone on its point")
        seen.add(stone.cell)
