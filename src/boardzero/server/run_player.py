"""How the versions of a run are played, as its recipe says."""

from __future__ import annotations

from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Spec, parse_spec
from boardzero.models.kinds import SEARCHED
from boardzero.players import player_family
from boardzero.runs.run_folder import RunFolder


def run_family(run: RunFolder) -> str:
    """The family of the players that a run trains; a guess where its recipe cannot be read."""
    try:
        return run.recipe().player
    except BoardZeroError:
        return SEARCHED.player


def version_player(run: RunFolder, version: int) -> str:
    """The spec of one version."""
    return f"{run_family(run)}:run={run.name},version={version}"


def measured_player(run: RunFolder, version: int) -> str:
    """The same at the recipe's budget, for games that are only counted."""
    options = {"run": run.name, "version": str(version)}
    return str(Spec(run_family(run), options | run.recipe().versions_as_players()))


def studied_player(run: RunFolder, version: int) -> str:
    """The same, for a look at what it thinks of all moves."""
    spec = parse_spec(measured_player(run, version))
    can_analyse = any(option.name == "analyse" for option in player_family(spec.name).options)
    return str(Spec(spec.name, {**spec.options, **({"analyse": "true"} if can_analyse else {})}))
