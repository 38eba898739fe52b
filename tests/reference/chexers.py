"""The rules of Chexers as plainly as they can be written: a dictionary from hexagon to colour.

Shares nothing with the fast rules but the text form of actions and positions.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

Hex = tuple[int, int]
Action = tuple[str, object]

COLOURS = ("red", "green", "blue")
HEXES = {(q, r): None for r in range(-3, 4) for q in range(-3, 4) if abs(q + r) <= 3}  # in order
NEIGHBOURS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
START = {
    "red": [(-3, 0), (-3, 1), (-3, 2), (-3, 3)],
    "green": [(0, -3), (1, -3), (2, -3), (3, -3)],
    "blue": [(3, 0), (2, 1), (1, 2), (0, 3)],
}
LEAVING = {
    "red": [(3, -3), (3, -2), (3, -1), (3, 0)],
    "green": [(-3, 3), (-2, 3), (-1, 3), (0, 3)],
    "blue": [(-3, 0), (-2, -1), (-1, -2), (0, -3)],
}


def board_of(**pieces: Iterable[Hex]) -> dict[Hex, str]:
    """A board from the hexagons of each colour."""
    return {place: colour for colour, places in pieces.items() for place in places}


@dataclass
class Chexers:
    board: dict[Hex, str] = field(default_factory=lambda: board_of(**START))
    turns: int = 0
    exits: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLOURS, 0))
    seen: Counter[object] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._see()

    @property
    def colour(self) -> str:
        return COLOURS[self.turns % 3]

    def actions(self) -> list[Action]:
        if self.result() is not None:
            return []
        found: list[Action] = []
        for (q, r), colour in self.board.items():
            if colour != self.colour:
                continue
            for dq, dr in NEIGHBOURS:
                near, far = (q + dq, r + dr), (q + 2 * dq, r + 2 * dr)
                if near in HEXES and near not in self.board:
                    found.append(("MOVE", ((q, r), near)))
                if near in self.board and far in HEXES and far not in self.board:
                    found.append(("JUMP", ((q, r), far)))
            if (q, r) in LEAVING[colour]:
                found.append(("EXIT", (q, r)))
        return found or [("PASS", None)]

    def play(self, action: Action) -> None:
        kind, places = action
        if kind in ("MOVE", "JUMP"):
            (q1, r1), (q2, r2) = places
            self.board[q2, r2] = self.board.pop((q1, r1))
            if kind == "JUMP":
                self.board[(q1 + q2) // 2, (r1 + r2) // 2] = self.colour
        elif kind == "EXIT":
            del self.board[places]
            self.exits[self.colour] += 1
        self.turns += 1
        self._see()

    def result(self) -> str | None:
        """The winner's colour, the reason of a draw, or nothing while the game goes on."""
        for colour in COLOURS:
            if self.exits[colour] == 4:
                return colour
        if self.turns == 3 * 256:
            return "turn limit"
        return "repetition" if self.seen[self._position()] >= 4 else None

    def _position(self) -> object:
        return frozenset(self.board.items()), self.colour

    def _see(self) -> None:
        self.seen[self._position()] += 1


def text(action: Action) -> str:
    kind, places = action
    return f'("{kind}", {str(places).replace(", ", ",")})'


def fen(
    board: dict[Hex, str], *, mover: str = "red", exits: Iterable[int] = (0, 0, 0), turns: int = 0
) -> str:
    """The text of a position."""
    rows = []
    for r in range(-3, 4):
        letters = "".join(board.get(h, "1")[0] for h in HEXES if h[1] == r)
        rows.append("".join(_shortened(letters)))
    return f"{'/'.join(rows)} {mover[0]} {','.join(map(str, exits))} {turns}"


def _shortened(letters: str) -> Iterable[str]:
    empty = 0
    for letter in letters:
        if letter == "1":
            empty += 1
            continue
        if empty:
            yield str(empty)
        empty = 0
        yield letter
    if empty:
        yield str(empty)
