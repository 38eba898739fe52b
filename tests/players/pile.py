"""A tiny game for any number of players, small enough to search to its end in Python."""

from typing import NamedTuple

from boardzero.games import PythonGame
from boardzero.games.python_game import Ending


class Position(NamedTuple):
    left: int
    mover: int


class Pile(PythonGame[Position]):
    """Take one to three; who takes exactly two moves again. The last to take wins.

    The loser who would have been next loses less, so that three players have reasons of their own.
    """

    rows = 1
    columns = 1
    action_count = 3

    def __init__(self, players: int = 2, size: int = 9) -> None:
        self.players = players
        self.size = size

    def initial(self) -> Position:
        return Position(self.size, 0)

    def to_move(self, s: Position) -> int:
        return s.mover

    def actions(self, s: Position) -> range:
        return range(min(3, s.left))

    def play(self, s: Position, action: int) -> Position:
        left = s.left - action - 1
        stays = action == 1 or left == 0  # the last to take stays the mover, and has won
        return Position(left, s.mover if stays else (s.mover + 1) % self.players)

    def cells(self, s: Position) -> list[int | None]:
        return [s.mover if s.left > 0 else None]

    def fen(self, s: Position) -> str:
        return f"{s.left} {s.mover}"

    def parse_fen(self, text: str) -> Position:
        left, mover = text.split()
        return Position(int(left), int(mover))

    def outcome(self, s: Position) -> Ending | None:
        if s.left > 0:
            return None
        values = [-1.0] * self.players
        values[s.mover] = 1.0
        if self.players > 2:
            values[(s.mover + 1) % self.players] = -0.5
        return Ending(tuple(values), "the pile is empty")
