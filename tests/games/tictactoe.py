"""A game in Python that everybody knows."""

from boardzero import Ending, PythonGame


class TicTacToe(PythonGame[str]):
    """Three in a row on 3x3"""

    rows = columns = 3

    def initial(self) -> str:
        return "." * 9

    def to_move(self, s: str) -> int:
        return (s.count("x") + s.count("o")) % 2

    def actions(self, s: str) -> list[int]:
        return [cell for cell in range(9) if s[cell] == "."]

    def play(self, s: str, action: int) -> str:
        return s[:action] + "xo"[self.to_move(s)] + s[action + 1 :]

    def outcome(self, s: str) -> Ending | tuple[float, ...] | None:
        lines = [s[0:3], s[3:6], s[6:9], s[0::3], s[1::3], s[2::3], s[0::4], s[2:7:2]]
        for seat, stone in enumerate("xo"):
            if stone * 3 in lines:
                return self.win(seat, "three in a row")
        return None if "." in s else self.draw("the board is full")

    def cells(self, s: str) -> list[int | None] | None:
        return [{"x": 0, "o": 1, ".": None}[stone] for stone in s]
