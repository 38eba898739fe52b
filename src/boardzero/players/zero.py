"""The family `zero`: players with a trained net.

`zero:model=FOLDER` plays a model folder, `zero:run=NAME,version=3` a version of a run, the latest
if none is named; `zero` alone is the champion that came with the program, if the game has one. What
needs numpy and onnxruntime is loaded only when such a player is made.
"""

from collections.abc import Mapping
from pathlib import Path

from boardzero.errors import BoardZeroError
from boardzero.games import Game
from boardzero.players.player import Player
from boardzero.players.registry import PlayerFamily, register_player
from boardzero.specs import Option, Spec, Value, parse_spec

__all__ = ["model_folder"]


def _make(spec: str, game: Game, options: Mapping[str, Value]) -> Player:
    from boardzero.players.net_player import ZeroPlayer

    folder = _folder(options, game)
    if options["run"] and int(options["version"]) < 0:
        # A player is one version: games of the latest must not be counted for later ones.
        parsed = parse_spec(spec)
        spec = str(Spec(parsed.name, {**parsed.options, "version": str(int(folder.name))}))
    return ZeroPlayer(spec, folder, game, options)


def _folder(options: Mapping[str, Value], game: Game) -> Path:
    from boardzero.infer import champion

    if options["model"] or options["run"]:
        return model_folder("zero", options)
    shipped = champion(game)
    if shipped is None:
        raise BoardZeroError(
            f"{game.spec} has no champion; give zero:model=FOLDER or zero:run=NAME"
        )
    return shipped


def model_folder(family: str, options: Mapping[str, Value]) -> Path:
    """The model that the options of a player name."""
    from boardzero.infer import runs_home, version_folders

    model, run, version = str(options["model"]), str(options["run"]), int(options["version"])
    if bool(model) == bool(run):
        raise BoardZeroError(
            f"{family} takes a model or a run: {family}:model=FOLDER or {family}:run=NAME"
        )
    if model:
        return Path(model)
    path = Path(run) if "/" in run else runs_home() / run
    versions = version_folders(path)
    if not versions:
        raise BoardZeroError(f"{path} is not a run with versions")
    chosen = version if version >= 0 else max(versions)
    if chosen not in versions:
        raise BoardZeroError(f"{path} has the versions 0 to {max(versions)}, not {chosen}")
    return versions[chosen]


register_player(
    PlayerFamily(
        "zero",
        "a search with a trained net",
        (
            Option("model", "", "a model folder"),
            Option("run", "", "a training run, by name or path"),
            Option("version", -1, "of the run; -1 is the latest", low=-1),
            Option("sims", 0, "simulations a move, in all trees; 0 takes the recipe's", low=0),
            Option("time", 0.0, "seconds a move instead of simulations", low=0),
            Option("temperature", 0.0, "0 plays the best, more plays by lot", low=0, high=10),
            Option("seed", -1, "start of the random numbers; -1 is a new one each time", low=-1),
            Option("c_puct", 0.0, "exploration; 0 takes the recipe's", low=0),
        ),
        _make,
    )
)
