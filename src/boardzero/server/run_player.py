"""How the versions of a run are played, as the kind of its recipe says."""

from __future__ import annotations

from boardzero.base.errors import BoardZeroError
from boardzero.models.kinds import SEARCHED
from boardzero.runs.run_folder import RunFolder


def run_family(run: RunFolder) -> str:
    """The family of the players that a run trains; a guess where its recipe cannot be read."""
    try:
        return run.recipe().models.player
    except BoardZeroError:
        return SEARCHED.player


def version_player(run: RunFolder, version: int) -> str:
    """The spec of one version."""
    return f"{run_family(run)}:run={run.name},version={version}"
