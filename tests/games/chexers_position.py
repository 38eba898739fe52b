"""Chexers positions by their pieces."""

import boardzero
from boardzero import State
from tests.reference import chexers as reference
from tests.reference.chexers import Hex, board_of

GAME = boardzero.make("chexers")


def position(
    red: list[Hex] | None = None,
    green: list[Hex] | None = None,
    blue: list[Hex] | None = None,
    *,
    mover: str = "red",
    exits: tuple[int, int, int] = (0, 0, 0),
    turns: int = 0,
) -> State:
    board = board_of(red=red or [], green=green or [], blue=blue or [])
    return GAME.parse_fen(reference.fen(board, mover=mover, exits=exits, turns=turns))
