"""Files that appear complete or not at all: written beside their place, synced, and renamed."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from boardzero.base.errors import BoardZeroError

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_file(path: Path, data: bytes | str, *, parents: bool = True) -> None:
    """Replace a file in one step; `parents` makes the folders that it is to lie in."""
    with replacing(path, parents=parents) as draft:
        draft.write_bytes(data.encode() if isinstance(data, str) else data)


@contextmanager
def replacing(path: Path, *, parents: bool = True) -> Iterator[Path]:
    """A draft to write to, which takes the file's place in one step once it is complete."""
    draft = _beside(path, "draft")
    try:
        with writing(path):
            if parents:
                path.parent.mkdir(parents=True, exist_ok=True)
            yield draft
            _sync(draft)
            draft.replace(path)
    except Exception:
        with suppress(OSError):  # nothing may be there, not even a folder
            draft.unlink()
        raise


def write_folder(path: Path, fill: Callable[[Path], None]) -> None:
    """Create a folder in one step; `fill` writes its files. A folder that is there is replaced.

    A full folder cannot be renamed onto another. So the new one is first renamed to be known as
    whole, and `finish_folder` takes the last step for whoever was killed before it.
    """
    draft, whole = _beside(path, "draft"), _beside(path, "whole")
    made = [folder for folder in path.parents if not folder.exists()]  # the innermost first
    for left in (draft, whole):
        shutil.rmtree(left, ignore_errors=True)
    try:
        with writing(path):
            draft.mkdir(parents=True)
            fill(draft)
            for file in draft.rglob("*"):
                if file.is_file():
                    _sync(file)
            draft.rename(whole)
            finish_folder(path)
    except Exception:
        shutil.rmtree(draft, ignore_errors=True)
        with suppress(OSError):  # not empty, or never made
            for folder in made:
                folder.rmdir()
        raise


def finish_folder(path: Path) -> None:
    """Put a folder in its place that was written whole and not yet renamed."""
    whole = _beside(path, "whole")
    if whole.exists():
        if path.exists():
            shutil.rmtree(path)
        whole.rename(path)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns a failure to write into a sentence."""
    try:
        yield
    except OSError as error:
        full = error.errno in _NO_ROOM
        way_out = "; make room and run the same command again" if full else ""
        raise BoardZeroError(f"cannot write {path}: {error.strerror}{way_out}") from None


def _beside(path: Path, kind: str) -> Path:
    return path.with_name(f".{path.name}.{kind}")


def _sync(file: Path) -> None:
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
