"""Which trained model a player's options name."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Option, Spec, Value, parse_spec

# Where models lie that came along from another machine, each in a folder named by `_name`.
CARRIED = "BOARDZERO_CARRIED"

MODEL_OPTIONS = (
    Option("model", "", "a model folder"),
    Option("run", "", "a training run, by name or path"),
    Option("version", -1, "of the run; -1 is the latest", low=-1),
)


def model_folder(family: str, options: Mapping[str, Value]) -> Path:
    """The model that the options of a player name."""
    from boardzero.models import find_run, find_version

    model, run, version = str(options["model"]), str(options["run"]), int(options["version"])
    if bool(model) == bool(run):
        raise BoardZeroError(
            f"{family} takes a model or a run: {family}:model=FOLDER or {family}:run=NAME"
        )
    if (carried := os.environ.get(CARRIED)) and (folder := Path(carried) / _name(options)).is_dir():
        return folder
    if model:
        return Path(model)
    return find_version(find_run(run), version if version >= 0 else None)


def with_version(spec: str, folder: Path, options: Mapping[str, Value]) -> str:
    """The spec with the version that the latest is now.

    A player is one version: games of the latest must not be counted for later ones.
    """
    if not options["run"] or int(options["version"]) >= 0:
        return spec
    parsed = parse_spec(spec)
    return str(Spec(parsed.name, {**parsed.options, "version": str(int(folder.name))}))


def models_of(players: Iterable[str]) -> dict[str, Path]:
    """The folders of all models that players name, by the name under which they travel."""
    found = {}
    for player in players:
        spec = parse_spec(player)
        options: dict[str, Value] = {
            option.name: spec.options.get(option.name, option.default) for option in MODEL_OPTIONS
        }
        if options["model"] or options["run"]:
            found[_name(options)] = model_folder(spec.name, options)
    return found


def _name(options: Mapping[str, Value]) -> str:
    import hashlib

    text = "|".join(str(options[option.name]) for option in MODEL_OPTIONS)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
