"""Files that appear complete or not at all: written beside their place, synced, and renamed."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from boardzero.errors import BoardZeroError

__all__ = ["write_file", "write_folder"]


def write_file(path: Path, data: bytes | str) -> None:
    """Replace a file in one step."""
    content = data.encode() if isinstance(data, str) else data
    draft = path.with_name(f".{path.name}.draft")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise _no_room(path, error) from None


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Create a folder in one step; `fill` writes its files. A folder that is there is replaced."""
    draft = path.with_name(f".{path.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        draft.mkdir(parents=True)
        fill(draft)
        for file in draft.iterdir():
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
        if path.exists():
            shutil.rmtree(path)
        draft.rename(path)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise _no_room(path, error) from None


def _no_room(path: Path, error: OSError) -> BoardZeroError:
    return BoardZeroError(
        f"{path} could not be written: {error.strerror}; make room and run the same command again"
    )
