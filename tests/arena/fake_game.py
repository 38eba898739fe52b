"""A game that only this module knows; importing it registers it."""

from typing import NamedTuple

from boardzero import PythonGame, register
from boardzero.games.python_game import Ending


class Count(NamedTuple):
    total: int
    mover: int


class Race(PythonGame[Count]):
    """Each adds 1 or 2; who reaches 10 wins."""

    action_count = 3
    rows = columns = 1

    def initial(self) -> Count:
        return Count(0, 0)

    def to_move(self, s: Count) -> int:
        return s.mover

    def actions(self, s: Count) -> list[int]:  # noqa: ARG002
        return [1, 2]

    def play(self, s: Count, action: int) -> Count:
        return Count(s.total + action, 1 - s.mover)

    def outcome(self, s: Count) -> Ending | None:
        return self.win(1 - s.mover, "ten") if s.total >= 10 else None

    def cells(self, s: Count) -> list[None]:  # noqa: ARG002
        return [None]


register(Race)
