"""The family `net`: players that ask a net for a piece, then for its move, and do not search.

`net:run=NAME` plays the latest version of a run, `net:model=FOLDER` a model folder. What needs
numpy and onnxruntime is loaded when such a player is made.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from boardzero.base.specs import Value
from boardzero.games import Game, State
from boardzero.players.model_options import MODEL_OPTIONS, model_folder, with_version
from boardzero.players.player import Choice, Limit, Player
from boardzero.players.registry import PlayerFamily


class PickingPlayer(Player):
    """Takes the best legal answer; a capture goes on, jump by jump, with its piece."""

    def __init__(self, spec: str, folder: Path, game: Game) -> None:
        from boardzero.lodz.picker import OnnxPicker
        from boardzero.models import fingerprint

        self.spec = spec
        self.picker = OnnxPicker(folder, game)
        self.fingerprint = fingerprint(folder, self.picker.card)

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: ARG002, B008
        from boardzero.lodz.picker import pick_turn

        begun = time.perf_counter()
        actions = pick_turn(self.picker, state.native)
        (move,) = state.moves_of(actions)
        return Choice(move, nodes=len(actions), time=time.perf_counter() - begun)


def _make(spec: str, game: Game, options: Mapping[str, Value]) -> Player:
    folder = model_folder("net", options)
    return PickingPlayer(with_version(spec, folder, options), folder, game)


FAMILY = PlayerFamily(
    "net",
    "a trained net alone: it picks a piece, then its move",
    MODEL_OPTIONS,
    _make,
    seats=(2, 2),
    needs_model=True,
)
