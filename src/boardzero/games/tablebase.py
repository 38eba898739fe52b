"""Endgame tables: who wins a position with few pieces.

The smallest come with the package; larger ones are made once, by `boardzero tablebase make`, and
lie in the user's data folder, one file for each number of pieces. A table gives the result of
perfect play on an endless clock; `_core.Tablebase.certain` minds the rules on draws by counting,
too.
"""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from boardzero import _core
from boardzero.base.data_home import data_home
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import writing
from boardzero.games.game import Game, Move, State

Result = Literal["win", "draw", "loss"]

MOST_PIECES = 6
_SECONDS_PIECES = 3  # tables that are made in seconds
_SHIPPED = Path(__file__).parent.parent / "tablebases"
_RESULTS: dict[int, Result] = {1: "win", 0: "draw", -1: "loss"}

# Measured on one core of a 2.7 GHz server; see docs/tablebase.md.
_POSITIONS_PER_SECOND = 1.5e6
_BITS_PER_POSITION = 1.0


class TablebaseWarning(UserWarning):
    """A table that cannot be used, and that the program goes on without."""


@dataclass(frozen=True, slots=True)
class MoveResult:
    """What a move leads to with best play, for the one who makes it; None if no table knows."""

    move: Move
    result: Result | None


@dataclass(frozen=True, slots=True)
class MakingCost:
    """What it takes to make tables that are not there yet."""

    positions: int
    seconds: float  # on one core
    disk: int  # bytes
    memory: int  # bytes


def tables(game: Game) -> _core.Tablebase | None:
    """All tables of a game that are on this machine; None if there are none."""
    found = _open(game.name, _folder())
    return found if found is not None and found.pieces() else None


def tables_up_to(game: Game, pieces: int) -> _core.Tablebase | None:
    """The tables with up to so many pieces and no more; None for 0.

    What takes seconds is made now, if it is not there.
    """
    if pieces == 0:
        return None
    if max(files(game), default=0) < pieces <= _SECONDS_PIECES:
        make(game, pieces)
    there = files(game)
    missing = [n for n in range(2, pieces + 1) if n not in there]
    if missing:
        raise BoardZeroError(
            f"there is no endgame table of {game.name} with {missing[0]} pieces; "
            f"'boardzero tablebase make {game.name} --pieces {pieces}' makes it"
        )
    found = _core.empty_tablebase(game.start().native)
    for n in range(2, pieces + 1):
        found.add(str(there[n]))
    return found


def probe(state: State) -> Result | None:
    """The result for the mover with best play, whatever the counters of draws say.

    None where no table knows it and in the middle of a capture.
    """
    found = tables(state.game)
    value = None if found is None else found.probe(state.native)
    return None if value is None else _RESULTS[value]


def moves(state: State) -> list[MoveResult]:
    """Every legal move with what it leads to, for the mover."""
    found = tables(state.game)
    results = []
    for move in state.moves():
        value = None if found is None else found.probe(state.after(move).native)
        results.append(MoveResult(move, None if value is None else _RESULTS[-value]))
    return results


def usual_pieces(game: Game) -> int:
    """As many as take minutes: 5 on 32 squares, 4 on 50."""
    return 5 if game.shape.rows * game.shape.columns <= 32 else 4


def files(game: Game) -> dict[int, Path]:
    """The files of a game's tables by number of pieces."""
    return _files(game.name, _folder())


def estimate(game: Game, pieces: int) -> MakingCost:
    """What `make` would take, without what is there already."""
    there = files(game)
    missing = [n for n in range(2, pieces + 1) if n not in there]
    totals = {n: _maker(game, n).total() for n in range(2, pieces + 1)}
    positions = sum(totals[n] for n in missing)
    return MakingCost(
        positions,
        positions / _POSITIONS_PER_SECOND,
        int(positions * _BITS_PER_POSITION / 8),
        # Two bits for each position, and while a slice is solved a few bytes more for some of them.
        sum(totals.values()) // 4 + positions // 2,
    )


def make(
    game: Game,
    pieces: int,
    *,
    threads: int = 1,
    progress: Callable[[int, int, int], None] | None = None,
) -> list[Path]:
    """Solve all positions with up to so many pieces; what is there stays, what was begun goes on.

    `progress` is told the number of pieces, the positions solved and their total. Ctrl-C loses
    nothing but the slice that is being solved.
    """
    wanted = estimate(game, pieces)
    _check_room(wanted.disk)
    made = []
    for n in range(2, pieces + 1):
        if n not in files(game):
            made.append(_make_one(game, n, threads, progress))
            _open.cache_clear()
    return made


def verify(game: Game, *, samples: int, seed: int = 1) -> dict[int, int]:
    """Check every file's checksums, and random positions against what their moves lead to.

    The positions that are wrong, by number of pieces; a damaged file raises `BoardZeroError`.
    """
    found = _core.empty_tablebase(game.start().native)
    there = files(game)
    for path in there.values():
        found.add(str(path))
    return {n: found.inconsistent(n, samples, seed) for n in there}


def _make_one(
    game: Game, pieces: int, threads: int, progress: Callable[[int, int, int], None] | None
) -> Path:
    path = _folder() / _name(game.name, pieces)
    draft = path.with_name(f".{path.name}.partial")
    maker = _maker(game, pieces)
    for lower, file in files(game).items():
        if lower < pieces:
            maker.add(file.read_bytes())
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = maker.add(draft.read_bytes()) if draft.is_file() else 0
        with draft.open("r+b" if whole else "wb") as out:
            out.truncate(whole)
            out.seek(whole)
            out.write(b"" if whole else maker.header())
            while True:
                if progress is not None:
                    progress(pieces, maker.done(), maker.total())
                frames = maker.solve(threads)
                if not frames:
                    break
                out.write(frames)
                out.flush()
            os.fsync(out.fileno())
        draft.replace(path)
    return path


def _check_room(needed: int) -> None:
    folder = _folder()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise BoardZeroError(
            f"the tables need about {needed / 1e6:,.1f} MB in {_folder()}, and only "
            f"{free / 1e6:,.1f} MB are free; make room, or set BOARDZERO_HOME to a folder on "
            "another disk"
        )


def _maker(game: Game, pieces: int) -> _core.TablebaseMaker:
    return _core.make_tablebase(game.start().native, pieces)


@cache
def _open(name: str, folder: Path) -> _core.Tablebase | None:
    from boardzero.games.registry import make as make_game

    game = make_game(name)
    try:
        found = _core.empty_tablebase(game.start().native)
    except BoardZeroError:  # a game whose endings nobody solves
        return None
    for path in _files(name, folder).values():
        try:
            found.add(str(path))
        except BoardZeroError as error:
            warnings.warn(f"{error}; it is set aside", TablebaseWarning, stacklevel=2)
    return found


def _files(name: str, folder: Path) -> dict[int, Path]:
    """The user's own come before the package's."""
    found: dict[int, Path] = {}
    for pieces in range(2, MOST_PIECES + 1):
        for path in (folder / _name(name, pieces), _SHIPPED / _name(name, pieces)):
            if path.is_file():
                found.setdefault(pieces, path)
    return found


def _folder() -> Path:
    return data_home() / "tablebases"


def _name(game: str, pieces: int) -> str:
    return f"{game}-{pieces}.bzt"
