"""How the versions of a run are played: by a search with the net, or by the net alone.

What a run is comes from the recipe in its folder.
"""

from __future__ import annotations

from typing import Literal

from boardzero.base.errors import BoardZeroError
from boardzero.runs.run_folder import RunFolder

__all__ = ["RunFamily", "run_family", "version_player"]

RunFamily = Literal["zero", "net"]

_WITHOUT_SEARCH = frozenset({"supervised", "dqn"})  # methods whose nets pick a piece, then its move


def run_family(run: RunFolder) -> RunFamily:
    """The family of the players that a run trains."""
    try:
        return "net" if run.recipe().method in _WITHOUT_SEARCH else "zero"
    except BoardZeroError:
        return "zero"


def version_player(run: RunFolder, version: int) -> str:
    """The spec of one version."""
    return f"{run_family(run)}:run={run.name},version={version}"
