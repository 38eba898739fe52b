"""The family `net`: players that ask a net and do not search.

`net:run=NAME` plays the latest version of a run, `net:model=FOLDER` a model folder. For nets that
pick a piece, then its move; what needs numpy and onnxruntime is loaded when one is made.
"""

from collections.abc import Mapping

from boardzero.games import Game
from boardzero.players.player import Player
from boardzero.players.registry import PlayerFamily, register_player
from boardzero.players.zero import model_folder
from boardzero.specs import Option, Value

__all__: list[str] = []


def _make(spec: str, game: Game, options: Mapping[str, Value]) -> Player:
    from boardzero.players.picking_player import PickingPlayer

    return PickingPlayer(spec, model_folder("net", options), game)


register_player(
    PlayerFamily(
        "net",
        "a trained net alone: it picks a piece, then its move",
        (
            Option("model", "", "a model folder"),
            Option("run", "", "a training run, by name or path"),
            Option("version", -1, "of the run; -1 is the latest", low=-1),
        ),
        _make,
        seats=(2, 2),
    )
)
