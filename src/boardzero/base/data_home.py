"""Where BoardZero keeps its data when nobody says otherwise."""

from __future__ import annotations

import os
from pathlib import Path


def data_home() -> Path:
    """`BOARDZERO_HOME`, or `boardzero` in the user's data directory (XDG rules)."""
    if home := os.environ.get("BOARDZERO_HOME"):
        return Path(home).expanduser()
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    if not data.is_absolute():  # unset, or one that the XDG standard says to ignore
        data = Path.home() / ".local" / "share"
    return data / "boardzero"


def default_store() -> Path:
    return data_home() / "games.sqlite"
