"""Othello: enclose the opponent's discs and they become yours.

    boardzero play examples/othello.py:size=6

A game with an option, with passes, and with all the symmetries of a square.
"""

from typing import NamedTuple

from boardzero import Ending, PythonGame
from boardzero.games.geometry import Geometry, grid, grid_symmetries

DISCS = {"x": 0, "o": 1, ".": None}


class Position(NamedTuple):
    board: str  # row by row from the top, x for the first player and o for the second
    mover: int


class Othello(PythonGame[Position]):
    """8x8 or another even size, enclosed discs change sides, most discs win"""

    seats = ("black", "white")
    symmetries = 8

    def __init__(self, size: int = 8) -> None:
        if size not in range(4, 17, 2):
            raise ValueError(f"the size must be even, from 4 to 16, not {size}")
        self.rows = self.columns = size
        self.cell_count = size * size
        self.action_count = self.cell_count + 1  # the last one is to pass
        self.turns = grid_symmetries(size, size)
        self.rays = [self.rays_from(cell) for cell in range(self.cell_count)]

    def rays_from(self, cell: int) -> list[list[int]]:
        """The cells met on the way from one to the edge, in each of the eight directions."""
        row, column = divmod(cell, self.columns)
        directions = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
        return [
            [
                (row + i * r) * self.columns + column + i * c
                for i in range(1, self.rows)
                if row + i * r in range(self.rows) and column + i * c in range(self.columns)
            ]
            for r, c in directions
        ]

    def initial(self) -> Position:
        size, half = self.rows, self.rows // 2
        board = ["."] * self.cell_count
        for row, pair in ((half - 1, "ox"), (half, "xo")):
            board[row * size + half - 1 : row * size + half + 1] = pair
        return Position("".join(board), 0)

    def to_move(self, s: Position) -> int:
        return s.mover

    def flips(self, s: Position, cell: int) -> list[int]:
        """The discs that change sides when the mover puts one on an empty cell."""
        own, other = "xo"[s.mover], "ox"[s.mover]
        found = []
        for ray in self.rays[cell]:
            run = 0
            while run < len(ray) and s.board[ray[run]] == other:
                run += 1
            if 0 < run < len(ray) and s.board[ray[run]] == own:
                found += ray[:run]
        return found

    def placements(self, s: Position) -> list[int]:
        return [c for c, disc in enumerate(s.board) if disc == "." and self.flips(s, c)]

    def actions(self, s: Position) -> list[int]:
        return self.placements(s) or [self.cell_count]

    def play(self, s: Position, action: int) -> Position:
        board = list(s.board)
        if action < self.cell_count:
            for cell in [action, *self.flips(s, action)]:
                board[cell] = "xo"[s.mover]
        return Position("".join(board), 1 - s.mover)

    def outcome(self, s: Position) -> Ending | None:
        if self.placements(s) or self.placements(Position(s.board, 1 - s.mover)):
            return None
        lead = s.board.count("x") - s.board.count("o")
        if lead == 0:
            return self.draw("as many discs")
        return self.win(0 if lead > 0 else 1, "more discs")

    # For people.

    def geometry(self) -> Geometry:
        return grid("squares", self.rows, self.columns, first_row="top")

    def cells(self, s: Position) -> list[int | None]:
        return [DISCS[disc] for disc in s.board]

    def text(self, s: Position, action: int) -> str:
        return "pass" if action == self.cell_count else super().text(s, action)

    # For nets.

    def transform(self, s: Position, symmetry: int) -> Position:
        return Position("".join(s.board[c] for c in self.turns[symmetry]), s.mover)

    def transform_action(self, action: int, symmetry: int) -> int:
        return self.turns[symmetry].index(action) if action < self.cell_count else action
