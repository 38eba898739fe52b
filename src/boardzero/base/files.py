"""Files that appear complete or not at all: written beside their place, synced, and renamed."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from boardzero.base.errors import BoardZeroError

__all__ = ["finish_folder", "needs_room", "write_file", "write_folder"]


def write_file(path: Path, data: bytes | str) -> None:
    """Replace a file in one step."""
    content = data.encode() if isinstance(data, str) else data
    draft = path.with_name(f".{path.name}.draft")
    try:
        with needs_room(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
    except BoardZeroError:
        draft.unlink(missing_ok=True)
        raise


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Create a folder in one step; `fill` writes its files. A folder that is there is replaced.

    A full folder cannot be renamed onto another. So the new one is first renamed to be known as
    whole, and `finish_folder` takes the last step for whoever was killed before it.
    """
    draft, whole = path.with_name(f".{path.name}.draft"), _whole(path)
    for left in (draft, whole):
        shutil.rmtree(left, ignore_errors=True)
    try:
        with needs_room(path):
            draft.mkdir(parents=True)
            fill(draft)
            for file in draft.iterdir():
                with file.open("rb") as opened:
                    os.fsync(opened.fileno())
            draft.rename(whole)
            finish_folder(path)
    except BoardZeroError:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def finish_folder(path: Path) -> None:
    """Put a folder in its place that was written whole and not yet renamed."""
    if _whole(path).exists():
        if path.exists():
            shutil.rmtree(path)
        _whole(path).rename(path)


@contextmanager
def needs_room(path: Path) -> Iterator[None]:
    """Turns a failure to write into a sentence."""
    try:
        yield
    except OSError as error:
        raise BoardZeroError(
            f"{path} could not be written: {error.strerror}; "
            "make room and run the same command again"
        ) from None


def _whole(path: Path) -> Path:
    return path.with_name(f".{path.name}.whole")
