"""Games written in Python.

Subclass `PythonGame`, and every search, the self-play pool, the trainer, the arena and the drawing
work with your game. Five methods are needed, the rest has defaults; `docs/adding-a-game.md` walks
through an example.

A state is any immutable, hashable value that says everything the rules need: a string, a tuple, a
`NamedTuple`, a frozen dataclass. Methods never change one, they return another. Cells are numbered
row by row from the top left, seats from 0, actions from 0 to `action_count - 1`.
"""

# ruff: noqa: ARG002 (the defaults need not look at everything that they are given)

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Option
from boardzero.games.game import Game
from boardzero.games.geometry import Geometry, grid
from boardzero.games.traits import GameTraits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

S = TypeVar("S", bound=Hashable)

Piece = int | tuple[int, str]  # the owner's seat, with the kind where there are several


@dataclasses.dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: one value per seat, each in [-1, 1], and why in a few words."""

    values: tuple[float, ...]
    reason: str = ""


class PythonGame(ABC, Generic[S]):
    """The rules of a game; `S` is the type of its states.

    The attributes below describe the game. A game with options takes them as arguments of
    `__init__`, each with a default, and may set any attribute there:

        def __init__(self, size: int = 8) -> None:
            self.rows = self.columns = size
    """

    name: str = ""  # as in `boardzero.make(name)`; the class's own name if empty
    title: str = ""  # for people
    players: int = 2  # 2 to 4
    seats: Sequence[str] = ()  # what the players are called
    rows: int = 8
    columns: int = 8
    board: Literal["squares", "points"] = "squares"  # do pieces stand in squares or on crossings
    kinds: Sequence[str] = ("stone",)  # of pieces, where `cells` tells them apart
    action_count: int | None = None  # one action per cell if None
    planes: int | None = None  # of `encode`; must be given if you write your own
    symmetries: int = 1  # how many, counting the identity
    stages: int = 1  # into which the course of a game divides, for methods with a net for each
    max_length: int = 1000  # a game that has not ended after as many actions is a draw

    # The rules.

    @abstractmethod
    def initial(self) -> S:
        """The state in which a game begins."""

    @abstractmethod
    def to_move(self, s: S) -> int:
        """The seat that acts now. The same seat may act twice in a row."""

    @abstractmethod
    def actions(self, s: S) -> Iterable[int]:
        """The legal actions of a state that is not over: at least one, always in the same order."""

    @abstractmethod
    def play(self, s: S, action: int) -> S:
        """The state after a legal action."""

    @abstractmethod
    def outcome(self, s: S) -> Ending | Sequence[float] | None:
        """None while the game goes on, else one value in [-1, 1] per seat; equal ones are a draw.

        `self.win(seat, reason)` and `self.draw(reason)` make the usual ones.
        """

    # What people see.

    def cells(self, s: S) -> Sequence[Piece | None] | None:
        """What stands on each cell: None, the owner's seat, or (seat, kind)."""
        return None

    def picture(self, s: S) -> str | None:
        """The board as lines of text, if it cannot be drawn from `cells`."""
        return None

    def text(self, s: S, action: int) -> str:
        """What people call an action; different for all that are legal in one state."""
        if self._acts_on_cells and action < self.rows * self.columns:
            return self.geometry().labels[action]
        return str(action)

    def path(self, s: S, action: int) -> Sequence[int]:
        """The cells that an action touches, to be highlighted."""
        return [action] if self._acts_on_cells and action < self.rows * self.columns else []

    def geometry(self) -> Geometry:
        """Where the cells lie; a rectangle of `rows` and `columns` unless you say otherwise."""
        return grid(self.board, self.rows, self.columns)

    def fen(self, s: S) -> str:
        """The state as one line of text; equal states have equal texts."""
        if isinstance(s, str):
            return s
        return repr(_fields(s) if _is_record(s) else s)

    def parse_fen(self, text: str) -> S:
        """The state that `fen` wrote; may raise any exception if the text is none."""
        start = self.initial()
        if isinstance(start, str):
            return type(start)(text)
        value = ast.literal_eval(text)
        return type(start)(*value) if _is_record(start) else value

    def traits(self, usual: GameTraits) -> GameTraits:
        """What the game is like beside its rules; change points with `dataclasses.replace`."""
        return usual

    # What nets see.

    def encode(self, s: S) -> NDArray[np.float32]:
        """Input planes [planes, rows, columns], seen by the seat to move.

        By default one plane for each kind of piece of the mover, then of the next seat, and so on,
        and a last one of ones, by which a net sees the edge of the board.
        """
        import numpy as np

        mover = self.to_move(s)
        count = self.players * len(self.kinds) + 1
        planes = np.zeros((count, self.rows * self.columns), np.float32)
        planes[-1] = 1.0
        for cell, piece in enumerate(self.cells(s) or ()):
            if piece is not None:
                owner, kind = piece if isinstance(piece, tuple) else (piece, self.kinds[0])
                seat = (owner - mover) % self.players
                planes[seat * len(self.kinds) + self.kinds.index(kind), cell] = 1.0
        return planes.reshape(-1, self.rows, self.columns)

    def stage(self, s: S) -> int:
        """Which of the `stages` a state is in, from 0; the same for all its images."""
        return 0

    def relative(self, s: S, action: int) -> int:
        """The action in the mover's view, for an `encode` that turns the board to the mover."""
        return action

    def transform(self, s: S, symmetry: int) -> S:
        """The state turned or mirrored; `boardzero.games.geometry.grid_symmetries` may help."""
        raise NotImplementedError("a game with symmetries must define transform")

    def transform_action(self, action: int, symmetry: int) -> int:
        """The action turned or mirrored in the same way."""
        raise NotImplementedError("a game with symmetries must define transform_action")

    def identity(self, s: S) -> str:
        """A text that is the same for equal states; only needed if `fen` tells more than that."""
        return self.fen(s)

    # For the methods above.

    def win(self, seat: int, reason: str = "") -> Ending:
        """One seat has won, all others have lost."""
        return Ending(tuple(1.0 if s == seat else -1.0 for s in range(self.players)), reason)

    def draw(self, reason: str = "") -> Ending:
        """Nobody has won: each gets an equal share, 0 for two players, -1/3 for three."""
        return Ending((2 / self.players - 1,) * self.players, reason)

    # For everybody else.

    def game(self, spec: str = "") -> Game:
        """The game as `boardzero.make` gives it; `spec` is how it shall be called."""
        # Imported here, because it needs numpy, and `import boardzero` must stay quick.
        from boardzero.games.checked import Checked

        checked = Checked(self)
        return Game(
            spec or game_name(self),
            title=self.title or game_name(self).replace("_", " ").capitalize(),
            traits=checked.traits,
            geometry=checked.geometry,
            start=_core.python_start(checked),
        )

    @property
    def _acts_on_cells(self) -> bool:
        return self.action_count is None or self.action_count >= self.rows * self.columns


def game_name(rules: PythonGame[S] | type[PythonGame[S]]) -> str:
    """The name that a game gives itself, or that of its class: `ConnectFour` is `connect_four`."""
    kind = rules if isinstance(rules, type) else type(rules)
    return rules.name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()


def options_of(rules: type[PythonGame[S]]) -> tuple[Option, ...]:
    """The arguments of the class as options of the game."""
    if rules.__init__ is object.__init__:
        return ()
    options = []
    for parameter in inspect.signature(rules).parameters.values():
        if not isinstance(parameter.default, int | float | str):
            raise BoardZeroError(
                f"the argument '{parameter.name}' of {rules.__name__} needs a default that is a"
                " number, a truth value or a string, so that it can be an option of the game"
            )
        options.append(Option(parameter.name, parameter.default, f"{parameter.name} of the game"))
    return tuple(options)


def _is_record(value: object) -> bool:
    return dataclasses.is_dataclass(value) or hasattr(value, "_fields")


def _fields(value: object) -> tuple[object, ...]:
    if isinstance(value, tuple):
        return tuple(value)
    assert dataclasses.is_dataclass(value)
    return tuple(getattr(value, field.name) for field in dataclasses.fields(value))
