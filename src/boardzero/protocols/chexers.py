"""Our players inside the referee of the Chexers course.

The referee makes a `Player` with its colour, asks it for actions and tells it of everybody's. For a
whole game it allows 60 seconds of CPU time and 100 MB:

    python -m referee boardzero.protocols.chexers greedy greedy

For another of our players, subclass: `class Player(chexers.Player): SPEC = "maxn:depth=3"`.
"""

from __future__ import annotations

from ast import literal_eval
from time import process_time
from typing import TypeAlias

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.games import State, make
from boardzero.players import Clock, Limit, make_player

Hex: TypeAlias = tuple[int, int]
Action: TypeAlias = tuple[str, tuple[Hex, Hex] | Hex | None]

_RESERVE = 2.0  # seconds of the game's CPU time that we do not plan with
_LEAST = 0.002  # seconds for a move when all is spent


def as_action(text: str) -> Action:
    """A move as the referee's tuples."""
    action: Action = literal_eval(text)
    return action


class Player:
    """What the referee calls. `SPEC` says who thinks, within `SECONDS` of CPU time a game."""

    SPEC = "alphachexers:memory=16"
    SECONDS = 60.0

    def __init__(self, colour: str) -> None:
        start = process_time()
        game = make("chexers")
        if colour not in game.seats:
            raise nearest("colour", colour, game.seats)
        self._seat = game.seats.index(colour)
        self._player = make_player(self.SPEC, game)
        self._state: State = game.start()
        self._used = process_time() - start

    @property
    def used(self) -> float:
        """Seconds of CPU time so far."""
        return self._used

    def action(self) -> Action:
        """What we do now; a pass if there is nothing to do, as after the end."""
        start = process_time()
        try:
            if self._state.outcome() is not None:
                return ("PASS", None)
            if self._state.to_move != self._seat:
                raise BoardZeroError(f"it is the turn of {self._mover()}")
            left = max(_LEAST, self.SECONDS - min(_RESERVE, 0.1 * self.SECONDS) - self._used)
            choice = self._player.choose(self._state, Limit(clock=Clock(left)))
            return as_action(choice.move.text)
        finally:
            self._used += process_time() - start

    def update(self, colour: str, action: Action) -> None:
        """What somebody, perhaps we ourselves, did."""
        start = process_time()
        try:
            if self._state.outcome() is not None:
                return
            if colour != self._mover():
                raise BoardZeroError(f"{colour} cannot act: it is the turn of {self._mover()}")
            self._state.play(str(action))
        finally:
            self._used += process_time() - start

    def _mover(self) -> str:
        return self._state.game.seats[self._state.to_move]
