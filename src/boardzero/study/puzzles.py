"""Puzzles: positions with one clear best move, as they come with the program.

A puzzle file lies beside the package, one line of JSON each. `mining` makes them.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from pathlib import Path
from zlib import crc32

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, make, plays_alike

PUZZLES = Path(__file__).parent / "puzzle_files"

GAP = 0.20  # of winning chances between the best move and any other: those would be blunders
PLAYED = -1  # in place of a number, for puzzles of games that were not self-play


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, the line that solves it, and how hard it is to find."""

    id: str
    game: str
    fen: str
    solution: tuple[str, ...]  # the solver's first move, then the expected line
    rating: int  # difficulty in the scale of solvers
    theme: str  # what the line does: `win`, `shot`, `men` or `king`
    value: float  # of the best move for the solver
    gap: float  # of winning chances to the next best move
    mined: int  # number of the self-play game that it comes from
    verified: float = 0.0  # seconds of a search that it has withstood
    verifier: str = ""  # the player that searched


def puzzles(game: Game) -> tuple[Puzzle, ...]:
    """Those that came with the program, the easiest first."""
    return _load(game.spec)


def daily(game: Game, day: date) -> Puzzle:
    """The same for everybody on one day."""
    known = puzzles(game)
    if not known:
        raise BoardZeroError(f"there are no puzzles of {game.spec}")
    return known[crc32(f"{game.spec} {day:%Y-%m-%d}".encode()) % len(known)]


def games_with_puzzles() -> list[str]:
    return [_spec_of(path) for path in sorted(PUZZLES.glob("*.jsonl"))]


@cache
def _load(spec: str) -> tuple[Puzzle, ...]:
    for path in PUZZLES.glob("*.jsonl"):
        if plays_alike(_spec_of(path), spec):
            return tuple(sorted(read_puzzles(path), key=lambda puzzle: puzzle.rating))
    return ()


def read_puzzles(path: Path) -> list[Puzzle]:
    """Those of a file, in its order."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Puzzle(**{**line, "solution": tuple(line["solution"])}) for line in lines]


def written(puzzle: Puzzle) -> str:
    """A puzzle's line in its file."""
    return json.dumps(asdict(puzzle), ensure_ascii=False) + "\n"


def file_of(spec: str, folder: Path = PUZZLES) -> Path:
    game = make(spec)
    size = game.spec.partition("size=")[2].partition(",")[0]
    return folder / (f"{game.name}-size{size}.jsonl" if size else f"{game.name}.jsonl")


def _spec_of(path: Path) -> str:
    """`gomoku-size15.jsonl` holds puzzles of gomoku:size=15."""
    name, dash, size = path.stem.partition("-size")
    return f"{name}:size={size}" if dash else name
