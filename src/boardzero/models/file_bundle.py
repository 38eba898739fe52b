"""A run or a model as one zip file or as bytes, to be moved between machines."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import replacing, write_folder
from boardzero.models.archive import is_version
from boardzero.models.card import is_model

# What a run or a model consists of; nothing else is packed or unpacked.
_SUFFIXES = {".toml", ".json", ".jsonl", ".onnx", ".safetensors", ".nnue", ".bin"}
_LARGEST = 20_000_000_000
_RATIO, _ROOM = 50, 16_000_000  # bytes that may come of each byte of a file, and in any case

# What reading a zip file may raise that is broken, encrypted or packed in another way.
_BAD_ARCHIVE = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError)


@dataclass(frozen=True, slots=True)
class FileBundle:
    """The files of a folder, on their way to a machine with another disk."""

    files: Mapping[str, bytes]

    @classmethod
    def of(cls, folder: Path, *, names: Sequence[str] | None = None) -> FileBundle:
        """All files of a run or a model, or only those that are named."""
        if names is None:
            names = [path.name for path in sorted(folder.iterdir()) if path.suffix in _SUFFIXES]
        return cls({name: (folder / name).read_bytes() for name in names})

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
    if not is_model(folder) and not (folder / "recipe.toml").is_file():
        raise BoardZeroError(f"{folder} is neither a run nor a model")
    members = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in _SUFFIXES and not _is_hidden(path.relative_to(folder))
    ]
    with (
        replacing(file, parents=False) as draft,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for path in members:
            archive.write(path, path.relative_to(folder).as_posix())
    return len(members)


def unpack(
    file: Path,
    folder: Path,
    *,
    check: Callable[[Path], None] | None = None,
    replace: bool = False,
) -> int:
    """Fill a folder from a zip file, in one step; refuses what `pack` would not write.

    `check` may look at the folder before it appears, and refuse it as well. A folder that is there
    already is left alone unless it is to be replaced.
    """
    if folder.exists() and not replace:
        raise BoardZeroError(f"{folder} is there already")
    try:
        with zipfile.ZipFile(file) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check(entries, size=file.stat().st_size)
            write_folder(folder, lambda draft: _extract(archive, entries, draft, check))
    except BoardZeroError as error:
        raise BoardZeroError(f"{file} was not unpacked: {error}") from None
    except (OSError, *_BAD_ARCHIVE) as error:
        raise BoardZeroError(f"{file} could not be unpacked: {error}") from None
    return len(entries)


def _check(entries: Sequence[zipfile.ZipInfo], *, size: int) -> None:
    for entry in entries:
        if not _is_ours(PurePosixPath(entry.filename)):
            raise BoardZeroError(f"it is not a packed run, because it holds '{entry.filename}'")
    if len({entry.filename for entry in entries}) < len(entries):
        raise BoardZeroError("it is not a packed run, because it holds a file twice")
    total = sum(entry.file_size for entry in entries)
    if total > min(_LARGEST, _RATIO * size + _ROOM):
        raise BoardZeroError(f"it is not a packed run: {size:,} bytes would become {total:,}")


def _is_ours(path: PurePosixPath) -> bool:
    if path.is_absolute() or ".." in path.parts or path.suffix not in _SUFFIXES:
        return False
    if path.parts[0] != "versions":
        return len(path.parts) <= 2
    return len(path.parts) == 3 and is_version(path.parts[1])


def _extract(
    archive: zipfile.ZipFile,
    entries: Sequence[zipfile.ZipInfo],
    draft: Path,
    check: Callable[[Path], None] | None,
) -> None:
    for entry in entries:
        archive.extract(entry, draft)
    if check is not None:
        try:
            check(draft)
        except BoardZeroError as error:
            reason = str(error).replace(f"{draft}/", "").replace(str(draft), "it")
            raise BoardZeroError(reason) from None


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
