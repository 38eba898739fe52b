"""The family `zero`: players with a trained net.

`zero:model=FOLDER` plays a model folder, `zero:run=NAME,version=3` a version of a run, the latest
if none is named; `zero` alone is the champion that came with the program, if the game has one. What
needs numpy and onnxruntime is loaded only when such a player is made.
"""

from collections.abc import Mapping
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Option, Value
from boardzero.games import Game
from boardzero.players.model_options import MODEL_OPTIONS, model_folder, with_version
from boardzero.players.player import Player
from boardzero.players.registry import SEED, PlayerFamily, register_player


def _make(spec: str, game: Game, options: Mapping[str, Value]) -> Player:
    from boardzero.players.zero_player import ZeroPlayer

    folder = _folder(options, game)
    return ZeroPlayer(with_version(spec, folder, options), folder, game, options)


def _folder(options: Mapping[str, Value], game: Game) -> Path:
    from boardzero.models import champion

    if options["model"] or options["run"]:
        return model_folder("zero", options)
    shipped = champion(game)
    if shipped is None:
        raise BoardZeroError(
            f"{game.spec} has no champion; give zero:model=FOLDER or zero:run=NAME"
        )
    return shipped


register_player(
    PlayerFamily(
        "zero",
        "a search with a trained net",
        (
            *MODEL_OPTIONS,
            Option(
                "sims",
                0,
                "simulations a move, in all trees; 0 takes the recipe's",
                low=0,
                high=10**7,
            ),
            Option("time", 0.0, "seconds a move; with sims too, the first that is reached", low=0),
            Option("temperature", 0.0, "0 plays the best, more samples moves", low=0, high=10),
            Option("noise", False, "noise in the root's priors, as in self-play"),
            SEED,
            Option(
                "memory",
                512,
                "megabytes for its tree; when they are full, it moves",
                low=1,
                high=65_536,
            ),
            Option("tablebase", True, "ask the endgame tables on this machine, if there are any"),
            Option("c_puct", 0.0, "exploration; 0 takes the recipe's", low=0),
        ),
        _make,
        needs_model=True,
    )
)
