"""From a line of play back to its state."""

from __future__ import annotations

from boardzero.base.errors import BoardZeroError
from boardzero.games import State
from boardzero.server.catalog import open_game
from boardzero.server.messages import Line


def start_of(line: Line) -> State:
    """The state before the first move of a line."""
    return open_game(line.game).start(line.fen)


def state_of(line: Line) -> State:
    """The state to which a line leads; says which move is wrong."""
    state = start_of(line)
    for number, text in enumerate(line.moves, start=1):
        try:
            state.play(text)
        except BoardZeroError as error:
            raise BoardZeroError(f"move {number}: {error}") from None
    return state
