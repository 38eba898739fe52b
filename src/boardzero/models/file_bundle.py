"""A run or a model as one zip file or as bytes, to be moved between machines."""

from __future__ import annotations

import shutil
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from boardzero.base.errors import BoardZeroError

__all__ = ["FileBundle", "pack", "unpack"]

# What a run or a model consists of; nothing else is packed or unpacked.
_SUFFIXES = {".toml", ".json", ".jsonl", ".onnx", ".safetensors", ".bin"}
_LARGEST = 20_000_000_000

# What reading a zip file may raise that is broken, encrypted or packed in another way.
_BAD_ARCHIVE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError)


@dataclass(frozen=True, slots=True)
class FileBundle:
    """The files of a folder, on their way to a machine with another disk."""

    files: Mapping[str, bytes]

    @classmethod
    def of(cls, folder: Path, *, suffixes: Sequence[str] = tuple(_SUFFIXES)) -> FileBundle:
        paths = (path for path in sorted(folder.iterdir()) if path.suffix in suffixes)
        return cls({path.name: path.read_bytes() for path in paths})

    def check(self) -> None:
        """Refuse what `of` would not have packed."""
        for name in self.files:
            if "/" in name or name.startswith(".") or Path(name).suffix not in _SUFFIXES:
                raise BoardZeroError(f"'{name}' is no file of a run or a model")

    def unpack(self, folder: Path) -> None:
        """Write the files into a folder that is there."""
        self.check()
        for name, data in self.files.items():
            (folder / name).write_bytes(data)


def pack(folder: Path, file: Path) -> int:
    """Write the folder into a zip file, in one step; the number of files."""
    if not any((folder / name).is_file() for name in ("recipe.toml", "card.json")):
        raise BoardZeroError(f"{folder} is neither a run nor a model")
    members = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in _SUFFIXES and not _is_hidden(path.relative_to(folder))
    ]
    draft = file.with_name(f".{file.name}.draft")
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in members:
                archive.write(path, path.relative_to(folder).as_posix())
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise BoardZeroError(f"{file} could not be written: {error.strerror}") from None
    return len(members)


def unpack(file: Path, folder: Path, *, check: Callable[[Path], None] | None = None) -> int:
    """Fill a new folder from a zip file, in one step; refuses what `pack` would not write.

    `check` may look at the folder before it appears, and refuse it as well.
    """
    if folder.exists():
        raise BoardZeroError(f"{folder} is there already")
    draft = folder.with_name(f".{folder.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        with zipfile.ZipFile(file) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            for entry in entries:
                _check(entry)
            if sum(entry.file_size for entry in entries) > _LARGEST:
                raise BoardZeroError("it is too large to be a run")
            for entry in entries:
                archive.extract(entry, draft)
        if check is not None:
            check(draft)
        draft.rename(folder)
    except BoardZeroError as error:
        shutil.rmtree(draft, ignore_errors=True)
        reason = str(error).replace(f"{draft}/", "").replace(str(draft), "it")
        raise BoardZeroError(f"{file} was not unpacked: {reason}") from None
    except (OSError, *_BAD_ARCHIVE) as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise BoardZeroError(f"{file} could not be unpacked: {error}") from None
    return len(entries)


def _check(entry: zipfile.ZipInfo) -> None:
    path = PurePosixPath(entry.filename)
    if path.is_absolute() or ".." in path.parts or path.suffix not in _SUFFIXES:
        raise BoardZeroError(f"it is not a packed run, because it holds '{entry.filename}'")


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
