"""A player that asks its nets for a piece, then for its move, and takes the best legal answer."""

from __future__ import annotations

import time
from pathlib import Path

from boardzero.games import Game, State
from boardzero.lodz.board_view import see
from boardzero.lodz.picker import OnnxPicker, pick
from boardzero.models import fingerprint
from boardzero.players.player import Choice, Limit, Player

__all__ = ["PickingPlayer"]


class PickingPlayer(Player):
    """Does not search; a capture goes on, jump by jump, with the piece that began it."""

    def __init__(self, spec: str, folder: Path, game: Game) -> None:
        self.spec = spec
        self.picker = OnnxPicker(folder, game)
        self.fingerprint = fingerprint(folder, self.picker.card)

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: ARG002, B008
        begun = time.perf_counter()
        position = state.native.clone()
        actions: list[int] = []
        while position.to_move == state.to_move and position.outcome() is None:
            sight = see(position, self.picker.view)
            picked = pick(self.picker, sight)
            actions.append(sight.steps[picked.piece, picked.target])
            position.play(actions[-1])
        (move,) = state.moves_of(actions)
        return Choice(move, nodes=len(actions), time=time.perf_counter() - begun)
