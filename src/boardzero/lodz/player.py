"""The family `net`: players that ask a net and do not search.

`net:run=NAME` plays the latest version of a run, `net:model=FOLDER` a model folder. For nets that
pick a piece, then its move; what needs numpy and onnxruntime is loaded when one is made.
"""

from collections.abc import Mapping

from boardzero.base.specs import Value
from boardzero.games import Game
from boardzero.players.model_options import MODEL_OPTIONS, model_folder, with_version
from boardzero.players.player import Player
from boardzero.players.registry import PlayerFamily

__all__ = ["FAMILY"]


def _make(spec: str, game: Game, options: Mapping[str, Value]) -> Player:
    from boardzero.lodz.picking_player import PickingPlayer

    folder = model_folder("net", options)
    return PickingPlayer(with_version(spec, folder, options), folder, game)


FAMILY = PlayerFamily(
    "net",
    "a trained net alone: it picks a piece, then its move",
    MODEL_OPTIONS,
    _make,
    seats=(2, 2),
)
