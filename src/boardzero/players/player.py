"""What every player is: something that picks a move within a limit.

The shape follows python-chess's engines: `choose(state, limit)` gives a `Choice` with the move and
what the player thought of it. Players are written as spec strings (`alphabeta:depth=6`); the same
string works on the command line, in the arena, in recipes and on the web.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from boardzero.base.errors import BoardZeroError
from boardzero.games import Move, State


class NotReadyError(BoardZeroError):
    """A player that cannot begin a game, which is no game lost: its program does not start."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time left for the mover, in seconds; `moves` to the next time control, if there is one."""

    left: float
    increment: float = 0.0
    moves: int | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a player may think; the first bound that is reached ends the search.

    What is None is not bounded, except that a player whose spec has its own budget uses it where
    the limit says nothing.
    """

    time: float | None = None  # seconds for this move
    clock: Clock | None = None
    depth: int | None = None
    nodes: int | None = None
    simulations: int | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the moves that a player looked at."""

    move: Move
    visits: int = 0
    value: float | None = None  # for the mover, in [-1, 1]
    prior: float | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The move that a player picked, and why."""

    move: Move
    value: float | None = None  # for the mover, in [-1, 1]; None if the player has no opinion
    pv: tuple[str, ...] = ()  # the line that the player expects, first its own move
    candidates: Sequence[Candidate] = ()  # best first
    nodes: int = 0  # states visited, or simulations
    depth: int = 0
    time: float = 0.0  # seconds used
    values: tuple[float, ...] = ()  # one per seat, from players that know them

    @property
    def nodes_per_second(self) -> float:
        """How fast it searched; 0 if it took no time."""
        return self.nodes / self.time if self.time > 0 else 0.0

    def value_for(self, seat: int, mover: int, players: int) -> float | None:
        """What the position is worth to a seat, as far as the player knows."""
        if self.values:
            return self.values[seat]
        if self.value is None or (players > 2 and seat != mover):
            return None
        return self.value if seat == mover else -self.value

    def __repr__(self) -> str:
        value = "" if self.value is None else f", value {self.value:+.2f}"
        line = f", expects {' '.join(self.pv[1:])}" if len(self.pv) > 1 else ""
        return f"<Choice {self.move.text}{value}{line}>"

    def _repr_html_(self) -> str:
        from boardzero.players.drawing import candidates_table

        return candidates_table(self)


class Player(ABC):
    """Picks moves for any seat of one game. Only `stop` may be called from another thread."""

    spec: str
    fingerprint: str = ""  # of what it has learned, which a spec does not show
    on_progress: Callable[[Choice], None] | None = None  # told what is known while thinking

    @abstractmethod
    def choose(self, state: State, limit: Limit = Limit()) -> Choice:
        """Pick a legal move of a state that is not over."""

    def new_game(self) -> None:  # noqa: B027  # most players have nothing to do
        """Forget what belongs to the game before."""

    def prepare(self, state: State, seat: int) -> None:  # noqa: B027
        """Get ready to play a seat from this state on, before any clock runs: programs start."""

    def stop(self) -> None:  # noqa: B027
        """Make a running `choose` return its best move so far, from another thread."""

    def close(self) -> None:  # noqa: B027
        """Give back what the player holds: processes, sessions."""
