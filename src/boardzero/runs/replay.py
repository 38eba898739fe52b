"""Where finished games are kept for learning.

Games lie in append-only shards, each record framed by its length and a checksum, so that a record
is there whole or not at all. A shard whose end is torn, or was never written because the power
went, is cut back to its last whole record; one that is damaged inside is set aside. Only an index
is held in memory: the games are read from the memory-mapped files when samples are drawn.
"""

from __future__ import annotations

import itertools
import mmap
import os
import struct
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import writing

_MAGIC = b"BZR2"
_OLD_MAGIC = b"BZR1"  # whose checksum is of the record alone
_FRAME = struct.Struct("<4sIIHH")  # magic, length, checksum, iteration, samples
_MOST_ITERATIONS = 0xFFFF
_SHARD_BYTES = 16_000_000


@dataclass(frozen=True, slots=True)
class ReplayEntry:
    """Where a game lies, and what an index must know of it."""

    shard: Path
    offset: int  # of the record itself
    length: int
    iteration: int
    samples: int  # decisions that can be learned
    number: int


class Replay:
    """The games of one run. One owner writes; any number of processes may read."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._games: list[ReplayEntry] = []
        self._numbers: set[int] = set()
        self._maps: dict[Path, mmap.mmap] = {}
        self._writing: IO[bytes] | None = None
        self.set_aside: list[Path] = []
        if read_only:
            return
        for shard in sorted(folder.glob("shard-*.bin")):
            self._load(shard)

    def __len__(self) -> int:
        return len(self._games)

    @property
    def games(self) -> list[ReplayEntry]:
        """All games, oldest first."""
        return self._games

    @property
    def numbers(self) -> set[int]:
        """The numbers of all games that are stored."""
        return self._numbers

    def append(self, record: bytes, iteration: int) -> bool:
        """Store a finished game; False if a game of that number is there already."""
        if iteration > _MOST_ITERATIONS:
            raise BoardZeroError(
                f"a run has at most {_MOST_ITERATIONS:,} iterations; "
                "begin another with run.start_from, which takes its net over"
            )
        game = _core.parse_record(record)
        if game.number in self._numbers:
            return False
        samples = game.samples
        with writing(self.folder):
            file = self._open_shard()
        shard, offset = Path(file.name), file.tell() + _FRAME.size
        checksum = _checksum(_MAGIC, record, iteration, samples)
        frame = _FRAME.pack(_MAGIC, len(record), checksum, iteration, samples)
        try:
            with writing(shard):
                file.write(frame + record)
                file.flush()
        except BoardZeroError:
            self._drop_tail(shard, offset - _FRAME.size)
            raise
        self._remember(ReplayEntry(shard, offset, len(record), iteration, samples, game.number))
        return True

    def adopt(self, games: Iterable[ReplayEntry]) -> None:
        """Learn from the owner of the files which games there are."""
        for game in games:
            self._remember(game)

    def sync(self) -> None:
        """Make sure that what was appended survives a loss of power."""
        if self._writing is not None:
            with writing(self.folder):
                os.fsync(self._writing.fileno())

    def read(self, game: ReplayEntry) -> bytes:
        """The record of a game."""
        data = self._maps.get(game.shard)
        if data is None or len(data) < game.offset + game.length:
            with game.shard.open("rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._maps[game.shard] = data
        return data[game.offset : game.offset + game.length]

    def window(
        self,
        *,
        iterations: int | None = None,
        games: int | None = None,
        positions: int | None = None,
    ) -> list[ReplayEntry]:
        """The latest games within every bound that is given, oldest first."""
        chosen: deque[ReplayEntry] = deque()
        total = 0
        newest = self._games[-1].iteration if self._games else 0
        for game in reversed(self._games):
            too_old = iterations is not None and game.iteration <= newest - iterations
            if too_old or (games is not None and len(chosen) >= games):
                break
            if positions is not None and chosen and total + game.samples > positions:
                break
            chosen.appendleft(game)
            total += game.samples
        return list(chosen)

    def close(self) -> None:
        if self._writing is not None:
            self._writing.close()
            self._writing = None
        self._maps.clear()

    def _remember(self, game: ReplayEntry) -> None:
        self._games.append(game)
        self._numbers.add(game.number)

    def _open_shard(self) -> IO[bytes]:
        if self._writing is not None and self._writing.tell() >= _SHARD_BYTES:
            self.sync()
            self._writing.close()
            self._writing = None
        if self._writing is None:
            shards = sorted(self.folder.glob("shard-*.bin"))
            last = shards[-1] if shards else None
            if last is None or last.stat().st_size >= _SHARD_BYTES:
                number = int(last.stem.removeprefix("shard-")) + 1 if last else 1
                last = self.folder / f"shard-{number:06d}.bin"
            self._writing = last.open("ab")
        return self._writing

    def _load(self, shard: Path) -> None:
        good = 0
        found = []
        with shard.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            try:
                for game, end in _records(file, shard):
                    found.append(game)
                    good = end
            except _DamagedError:
                self.set_aside.append(_put_aside(shard))
                return
        if good < size:
            self._drop_tail(shard, good)
        for game in found:
            if game.number not in self._numbers:
                self._remember(game)

    def _drop_tail(self, shard: Path, length: int) -> None:
        if self._writing is not None:
            with suppress(OSError):  # what could not be written is dropped below anyway
                self._writing.close()
            self._writing = None
        os.truncate(shard, length)


def newest_records(folder: Path) -> Iterator[tuple[bytes, int]]:
    """Records with their iterations, the newest first, for those who only look.

    Nothing is mended: the owner may be writing the last record, which is left out then.
    """
    for shard in sorted(folder.glob("shard-*.bin"), reverse=True):
        with suppress(FileNotFoundError), shard.open("rb") as file:  # it may just be set aside
            for offset, frame in reversed(list(_frames(file))):
                magic, length, checksum, iteration, samples = _FRAME.unpack(frame)
                file.seek(offset)
                record = file.read(length)
                if _checksum(magic, record, iteration, samples) == checksum:
                    yield record, iteration


def _checksum(magic: bytes, record: bytes, iteration: int, samples: int) -> int:
    about = b"" if magic == _OLD_MAGIC else struct.pack("<HH", iteration, samples)
    return zlib.crc32(about + record)


def _frames(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Where each record lies, and its frame."""
    while len(frame := file.read(_FRAME.size)) == _FRAME.size:
        magic, length, *_ = _FRAME.unpack(frame)
        if magic not in (_MAGIC, _OLD_MAGIC):
            return
        yield file.tell(), frame
        file.seek(length, os.SEEK_CUR)


def _put_aside(shard: Path) -> Path:
    """Rename a shard so that it is not read again; an earlier one of its name stays."""
    names = (f"{shard.stem}.damaged{'' if i == 1 else i}" for i in itertools.count(1))
    aside = next(path for name in names if not (path := shard.with_name(name)).exists())
    return shard.rename(aside)


class _DamagedError(Exception):
    """A shard holds something else than records before its last one."""


def _records(file: IO[bytes], shard: Path) -> Iterator[tuple[ReplayEntry, int]]:
    """Each whole record with the offset of its end; stops at a torn one at the end of the file."""
    size = os.fstat(file.fileno()).st_size
    offset = 0
    while offset + _FRAME.size <= size:
        magic, length, checksum, iteration, samples = _FRAME.unpack(file.read(_FRAME.size))
        start = offset + _FRAME.size
        is_frame = magic in (_MAGIC, _OLD_MAGIC)
        record = file.read(length) if is_frame and start + length <= size else b""
        right = is_frame and _checksum(magic, record, iteration, samples) == checksum
        if not right or len(record) < length:
            # Either the end is torn, or other records follow; without its first it is no shard.
            file.seek(start)
            rest = file.read()
            if _MAGIC in rest or _OLD_MAGIC in rest or (not is_frame and offset == 0):
                raise _DamagedError
            return
        try:
            number = _core.parse_record(record).number
        except BoardZeroError:
            raise _DamagedError from None
        yield ReplayEntry(shard, start, length, iteration, samples, number), start + length
        offset = start + length
