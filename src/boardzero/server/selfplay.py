"""Games that a run played against itself, to watch: taken from its replay, which is only read."""

from __future__ import annotations

from itertools import accumulate, islice

from boardzero import _core
from boardzero.games import Game
from boardzero.runs.run_folder import RunFolder
from boardzero.server.messages import Outgoing


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


def selfplay_game(run: RunFolder, game: Game, back: int) -> SelfPlayGame | None:
    """The newest game of a run, or one further back."""
    for record, iteration in islice(run.newest_games(), back, back + 1):
        found = _core.parse_record(record)
        state = game.start(found.fen)
        moves = state.moves_of(found.actions)
        starts = accumulate((len(move.actions) for move in moves), initial=0)
        thoughts = {decision.ply: list(decision.values) for decision in found.decisions}
        return SelfPlayGame(
            game=game.spec,
            fen=found.fen or None,
            moves=[move.text for move in moves],
            values=[thoughts.get(start) for _, start in zip(moves, starts, strict=False)],
            iteration=iteration,
            version=found.version,
            number=found.number,
            winner=found.winner,
        )
    return None
