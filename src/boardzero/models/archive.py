"""Where training runs are kept, and the versions of each: one model folder per accepted net."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from boardzero.base.errors import BoardZeroError

T = TypeVar("T")


def runs_home() -> Path:
    """Where training runs are kept unless told otherwise."""
    return Path(os.environ.get("BOARDZERO_RUNS", "runs"))


def find_run(name: str) -> Path:
    """The folder of a run that is given by its path, or by its name among those that are kept."""
    path, kept = Path(name).expanduser(), runs_home() / name
    return path if "/" in name or (path.is_dir() and not kept.is_dir()) else kept


def run_name(run: Path) -> str:
    """What `find_run` finds the run by, wherever it is asked from."""
    return run.name if run.parent == runs_home() else str(run.absolute())


def version_folders(run: Path) -> dict[int, Path]:
    """The model folders of a run by version, oldest first."""
    folder = run / "versions"
    names = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
    return {int(name): folder / name for name in names if is_version(name)}


def is_version(name: str) -> bool:
    """Whether a folder of this name is a version: four digits, or more without a leading zero."""
    return name.isascii() and name.isdigit() and len(name) < 10 and f"{int(name):04d}" == name


def find_version(run: Path, version: int | None = None) -> Path:
    """The model folder of a version; of the latest if none is named."""
    versions = version_folders(run)
    if not versions:
        raise BoardZeroError(f"{run} is not a run with versions")
    latest = max(versions)
    if version is not None and version not in versions:
        raise BoardZeroError(f"{run} has the versions 0 to {latest}, not {version}")
    return versions[latest if version is None else version]


def spread(versions: Sequence[T], most: int) -> list[T]:
    """At most so many, the first and the last among them, evenly apart; of one only the last."""
    if len(versions) <= most:
        return list(versions)
    if most == 1:
        return [versions[-1]]
    last = len(versions) - 1
    return [versions[round(place * last / (most - 1))] for place in range(most)]
