"""A probe, and the files of them that come with the program.

There is one file for each game, one line of JSON for each probe. `scripts/probes.py` makes them.
The lines are in such an order that the first so many hold something of everything.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, make, plays_alike
from boardzero.models.champions import folder_name

FILES = Path(__file__).parent / "files"
_LISTS = ("labels", "good", "bad")


@dataclass(frozen=True, slots=True)
class Probe:
    """A position with its good and its bad answers."""

    game: str
    fen: str
    theme: str  # what it asks for: `stop three`, `shot`
    labels: tuple[str, ...]  # where in its theme a player may be blind: `row`, `corner`, `white`
    good: tuple[str, ...]  # moves
    bad: tuple[str, ...] = ()  # empty: all others

    def is_right(self, move: str) -> bool:
        """Whether a move is a good answer. One that is neither good nor bad is not right."""
        return move in self.good


def probes_of(game: Game) -> tuple[Probe, ...]:
    """Those that came with the program, in their order; how the game ends does not matter."""
    return _load(game.spec)


def games_with_probes() -> list[str]:
    """The specs of the games whose probes came with the program."""
    return [read_probes(path)[0].game for path in sorted(FILES.glob("*.jsonl"))]


def read_probes(path: Path) -> tuple[Probe, ...]:
    """Those of a file; says what is wrong with one that cannot be used."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BoardZeroError(f"{path} cannot be read: {error}") from None
    found = tuple(_read(path, number, line) for number, line in enumerate(lines, start=1))
    if not found:
        raise BoardZeroError(f"{path} holds no probes")
    return found


def written(probe: Probe) -> str:
    """A probe's line in its file."""
    return json.dumps(asdict(probe), ensure_ascii=False) + "\n"


def file_of(spec: str, folder: Path = FILES) -> Path:
    """Where the probes of a game lie."""
    return folder / f"{folder_name(make(spec).spec)}.jsonl"


@cache
def _load(spec: str) -> tuple[Probe, ...]:
    for path in sorted(FILES.glob("*.jsonl")):
        found = read_probes(path)
        if plays_alike(found[0].game, spec):
            return found
    return ()


def _read(path: Path, number: int, line: str) -> Probe:
    try:
        told = json.loads(line)
        game, fen, theme = (str(told[name]) for name in ("game", "fen", "theme"))
        labels, good, bad = (tuple(map(str, told.get(name, ()))) for name in _LISTS)
        probe = Probe(game, fen, theme, labels, good, bad)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BoardZeroError(f"line {number} of {path} is no probe: {error!r}") from None
    if not probe.good:
        raise BoardZeroError(f"line {number} of {path} is no probe: it has no good answer")
    return probe
