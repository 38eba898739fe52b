"""Connect Four: stones fall down a column, four in a row win.

    boardzero play examples/connect_four.py

A state is the board as text, rows from the top, x for the first player and o for the second; the
slashes between the rows keep a line from running over the edge.
"""

import re

from boardzero import Ending, PythonGame

STONES = {"x": 0, "o": 1, ".": None}
# Four equal stones: next to each other, or 6, 7 or 8 characters between them.
FOUR = re.compile(r"([xo])(?:\1{3}|(?:.{6}\1){3}|(?:.{7}\1){3}|(?:.{8}\1){3})")


class ConnectFour(PythonGame[str]):
    """7x6, stones fall down the columns, four in a row win"""

    rows = 6
    columns = 7
    action_count = 7  # one for each column
    seats = ("red", "yellow")
    symmetries = 2

    def initial(self) -> str:
        return "/".join(["." * 7] * 6)

    def to_move(self, s: str) -> int:
        return (s.count("x") + s.count("o")) % 2

    def actions(self, s: str) -> list[int]:
        return [column for column in range(7) if s[column] == "."]

    def play(self, s: str, action: int) -> str:
        place = 8 * self.landing_row(s, action) + action
        return s[:place] + "xo"[self.to_move(s)] + s[place + 1 :]

    def outcome(self, s: str) -> Ending | None:
        if line := FOUR.search(s):
            return self.win("xo".index(line[1]), "four in a row")
        return None if "." in s[:7] else self.draw("the board is full")

    def landing_row(self, s: str, column: int) -> int:
        return s[column::8].rindex(".")

    # For people.

    def cells(self, s: str) -> list[int | None]:
        return [STONES[stone] for stone in s.replace("/", "")]

    def text(self, s: str, action: int) -> str:
        return "abcdefg"[action]

    def path(self, s: str, action: int) -> list[int]:
        return [7 * self.landing_row(s, action) + action]

    # For nets, which learn twice as much from a game and its mirror image.

    def transform(self, s: str, symmetry: int) -> str:
        return "/".join(row[::-1] for row in s.split("/"))

    def transform_action(self, action: int, symmetry: int) -> int:
        return 6 - action
