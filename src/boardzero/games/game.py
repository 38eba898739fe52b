"""Games and states, the way a Python program uses them.

A `Game` is a set of rules with its options; a `State` is a position with everything that the rules
need. A state is played forward by moves (what people call a move) or by actions (learning steps),
and remembers how it came about, so that it can be undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardzero._core import Move, NativeState, Outcome, Piece, Shape
from boardzero.base.errors import BoardZeroError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from boardzero.games.drawing.view import Marks
    from boardzero.games.geometry import Geometry
    from boardzero.games.traits import GameTraits

__all__ = ["Game", "Move", "Outcome", "Piece", "Shape", "State"]


class Game:
    """The rules of one game with its options.

    `spec` is the text from which `boardzero.make` gives an equal game.
    """

    def __init__(
        self,
        spec: str,
        *,
        title: str,
        traits: GameTraits,
        geometry: Geometry,
        start: NativeState,
    ) -> None:
        self.spec = spec
        self.title = title
        self.traits = traits
        self.geometry = geometry
        self._start = start

    @property
    def name(self) -> str:
        """The spec without options."""
        return self.spec.partition(":")[0]

    @property
    def seats(self) -> tuple[str, ...]:
        """What the players are called, in the order of play."""
        return self.traits.seats

    @property
    def players(self) -> int:
        """How many play it."""
        return self.shape.players

    @property
    def shape(self) -> Shape:
        """Number of players and actions, planes, rows and columns of the default encoding."""
        return self._start.shape

    def start(self, fen: str | None = None) -> State:
        """The state in which a game begins, or the one that a FEN describes, if there is one."""
        return self.parse_fen(fen) if fen else State(self, self._start.clone())

    def replay(self, moves: Iterable[Move | str], fen: str | None = None) -> State:
        """The state after these moves, which it remembers."""
        state = self.start(fen)
        for move in moves:
            state.play(move)
        return state

    def parse_fen(self, text: str) -> State:
        """The state that a FEN describes; raises `BoardZeroError` with the place of an error."""
        return State(self, self._start.with_fen(_encodable(text)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"boardzero.make({self.spec!r})"


class State:
    """A position of a game. Equal positions with equal movers are equal, however reached."""

    __slots__ = ("_native", "_past", "game")

    def __init__(self, game: Game, native: NativeState) -> None:
        self.game = game
        self._native = native
        self._past: list[tuple[NativeState, Move | int]] = []

    @property
    def to_move(self) -> int:
        """The seat that acts now; 0 moves first."""
        return self._native.to_move

    @property
    def native(self) -> NativeState:
        """The state as the compiled searches take it. Not to be changed."""
        return self._native

    @property
    def played_actions(self) -> list[int]:
        """The actions that led to this state from the one that its history begins with."""
        return [
            action
            for played in self.history
            for action in ([played] if isinstance(played, int) else played.actions)
        ]

    @property
    def history(self) -> tuple[Move | int, ...]:
        """What was played to reach this state, moves and actions as they were given."""
        return tuple(played for _, played in self._past)

    def moves(self) -> list[Move]:
        """The legal moves; empty only when the game is over."""
        return self._native.moves()

    def parse(self, text: str) -> Move:
        """The legal move that the text means; raises `BoardZeroError` if there is not just one."""
        return self._native.parse(_encodable(text))

    def play(self, move: Move | str) -> None:
        """Change the state by a legal move, given as text or as one of `moves()`."""
        if isinstance(move, str):
            move = self.parse(move)
        after = self._native.clone()
        after.play_all(move.actions)
        self._step_to(after, move)

    def after(self, move: Move | str) -> State:
        """A changed copy."""
        copy = self.copy()
        copy.play(move)
        return copy

    def actions(self) -> list[int]:
        """The legal learning steps; in draughts a capture of three is three of them."""
        return self._native.actions()

    def moves_of(self, actions: Iterable[int]) -> list[Move]:
        """The moves that actions make when played from here, without one left unfinished.

        A capture may go by another route than `Move.actions`: the result decides which move it is.
        """
        return self._native.moves_of(list(actions))

    def play_action(self, action: int) -> None:
        """Change the state by one learning step."""
        after = self._native.clone()
        after.play(action)
        self._step_to(after, action)

    def _step_to(self, after: NativeState, played: Move | int) -> None:
        # Native states are never changed once they are here, because copies share them.
        self._past.append((self._native, played))
        self._native = after

    def undo(self) -> Move | int:
        """Take back the last move or action, and return it."""
        if not self._past:
            raise BoardZeroError("there is nothing to undo")
        self._native, played = self._past.pop()
        return played

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self._native.outcome()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome() is not None

    def pieces(self) -> list[Piece]:
        """What stands on the board."""
        return self._native.pieces()

    def encode(self) -> NDArray[np.float32]:
        """Input planes [planes, rows, columns], seen by the seat to move."""
        return self._native.encode()

    def fen(self) -> str:
        """The position as text; `game.parse_fen` reads it."""
        return self._native.fen()

    def key(self) -> int:
        """A 64-bit key of position and mover, without the history."""
        return self._native.key()

    def came_before(self) -> frozenset[int]:
        """The keys of the earlier positions of this game."""
        return frozenset(native.key() for native, _ in self._past)

    def perft(self, depth: int) -> int:
        """The number of move sequences of exactly this length."""
        return self._native.perft(depth)

    def copy(self) -> State:
        """An independent state with the same history."""
        copy = State(self.game, self._native)
        copy._past = self._past.copy()
        return copy

    @property
    def last_move(self) -> Move | None:
        """The move that led here, unless it is unknown or was played by actions."""
        played = self._past[-1][1] if self._past else None
        return played if isinstance(played, Move) else None

    def svg(self, *, size: int | None = None, **marks: Unpack[Marks]) -> str:
        """The board as an SVG picture; None as `size`, its width, lets it fill its container.

        Marks are `last_move`, `highlights` and `heat` (from 0 to 1) of cells by their numbers, as
        in `Move.path`, and `flip`, which turns the board.
        """
        from boardzero.games.drawing import svg

        return svg.draw(self, size=size, **marks)

    def _repr_svg_(self) -> str:
        return self.svg(last_move=self.last_move, size=400)

    def __str__(self) -> str:
        from boardzero.games.drawing import text

        return text.draw(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._native.equals(other._native)

    def __hash__(self) -> int:
        return self._native.key()

    def __repr__(self) -> str:
        return f"<{self.game.spec} {self.fen()}>"


def _encodable(text: str) -> str:
    """The text with question marks for what is no character (JSON may hold halves of pairs)."""
    return text.encode("utf-8", "replace").decode()
