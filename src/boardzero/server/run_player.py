"""How the versions of a run are played: by a search with the net, or by the net alone.

What a run is comes from the recipe in its folder.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

__all__ = ["RunFamily", "read_recipe", "run_family", "version_player"]

RunFamily = Literal["zero", "net"]

_WITHOUT_SEARCH = frozenset({"supervised", "dqn"})  # methods whose nets pick a piece, then its move


def read_recipe(run: Path) -> dict[str, object]:
    """The recipe of a run; empty if it cannot be read."""
    try:
        return tomllib.loads((run / "recipe.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def run_family(run: Path) -> RunFamily:
    """The family of the players that a run trains."""
    return "net" if read_recipe(run).get("method") in _WITHOUT_SEARCH else "zero"


def version_player(run: Path, version: int) -> str:
    """The spec of one version."""
    return f"{run_family(run)}:run={run.name},version={version}"
