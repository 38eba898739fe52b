"""Games that a run played against itself, to watch: taken from its replay, which is only read."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from boardzero import _core
from boardzero.games import Game, State
from boardzero.runs.replay import newest_records
from boardzero.server.messages import Outgoing

__all__ = ["SelfPlayGame", "selfplay_game"]


class SelfPlayGame(Outgoing):
    """A line, and what the search thought on the way."""

    game: str
    fen: str | None
    moves: list[str]
    values: list[list[float] | None]  # before each move, one for each seat; None if not searched
    iteration: int
    version: int  # that played
    number: int
    winner: int | None


def selfplay_game(run: Path, game: Game, back: int) -> SelfPlayGame | None:
    """The newest game of a run, or one further back."""
    for record, iteration in islice(newest_records(run / "replay"), back, back + 1):
        found = _core.parse_record(record)
        state = game.parse_fen(found.fen) if found.fen else game.start()
        moves, starts = _moves(state, found.actions)
        thoughts = {decision.ply: list(decision.values) for decision in found.decisions}
        return SelfPlayGame(
            game=game.spec,
            fen=found.fen or None,
            moves=moves,
            values=[thoughts.get(start) for start in starts],
            iteration=iteration,
            version=found.version,
            number=found.number,
            winner=found.winner,
        )
    return None


def _moves(state: State, actions: list[int]) -> tuple[list[str], list[int]]:
    """Learning steps as whole moves, and the step with which each begins."""
    moves, starts = [], []
    begun = 0
    for end in range(1, len(actions) + 1):
        steps = actions[begun:end]
        move = next((move for move in state.moves() if list(move.actions) == steps), None)
        if move is not None:
            moves.append(move.text)
            starts.append(begun)
            state.play(move)
            begun = end
    return moves, starts
