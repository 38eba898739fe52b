"""Where games begin.

Programs repeat themselves: from one position, a match of a hundred games may be one game a
hundred times over. So each group of games starts from a position of its own, reached by random
moves or taken from a file, and within the group every player has every seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, State, read_games

_MAX_ATTEMPTS = 200  # in a row without a new position; then there are hardly any


@dataclass(frozen=True, slots=True)
class Opening:
    """A position, and moves that are made for the players."""

    start: str = ""  # FEN; empty for the usual start
    moves: tuple[str, ...] = ()

    def state(self, game: Game) -> State:
        return game.replay(self.moves, self.start)


@dataclass(frozen=True, slots=True)
class RandomOpenings:
    """Random legal moves; no position comes twice until no new one is found."""

    plies: int = 4

    def __post_init__(self) -> None:
        if self.plies < 0:
            raise BoardZeroError(f"an opening has at least 0 plies, not {self.plies}")

    def of(self, game: Game, *, seed: int = 0) -> Iterator[Opening]:
        """Without end; the same ones for the same seed."""
        rng = Random(f"openings {seed}")
        found: dict[State, Opening] = {}
        failures = 0
        while failures < _MAX_ATTEMPTS:
            opening = self._random(game, rng)
            if opening is None or (state := opening.state(game)) in found:
                failures += 1
                continue
            failures = 0
            found[state] = opening
            yield opening
        if not found:
            raise BoardZeroError(f"{game.spec} ends within {self.plies} random plies")
        yield from _repeated(list(found.values()))

    def settings(self) -> dict[str, object]:
        """As JSON can keep it."""
        return {"plies": self.plies}

    def _random(self, game: Game, rng: Random) -> Opening | None:
        """One opening, or None if the game was over before its end."""
        state = game.start()
        for _ in range(self.plies):
            moves = state.moves()
            if not moves:
                return None
            state.play(rng.choice(moves))
        if state.outcome() is not None:
            return None
        return Opening(moves=tuple(str(move) for move in state.history))


@dataclass(frozen=True, slots=True)
class WrittenOpenings:
    """Those of a file, in its order, and then again from the first."""

    openings: tuple[Opening, ...]

    def of(self, game: Game, *, seed: int = 0) -> Iterator[Opening]:  # noqa: ARG002
        for number, opening in enumerate(self.openings, start=1):
            if opening.state(game).outcome() is not None:
                raise BoardZeroError(f"in opening {number} the game is over")
        yield from _repeated(self.openings)

    def settings(self) -> dict[str, object]:
        """What tells them from others, as JSON can keep it."""
        text = repr([(opening.start, opening.moves) for opening in self.openings])
        return {"openings": sha256(text.encode()).hexdigest()[:16]}


Openings = RandomOpenings | WrittenOpenings


def read_openings(path: Path, game: Game, *, pdn_plies: int = 4) -> WrittenOpenings:
    """One opening on each line, a FEN or a list of moves; or the games of a PDN file.

    Moves stand apart by spaces, or by semicolons where they contain spaces themselves. Empty
    lines and what follows a # are skipped. Of a game in PDN, only the first plies are an opening.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise BoardZeroError(f"cannot read the openings of {path}: {why}") from None
    if text.lstrip().startswith("["):
        found = _read_pdn(text, game, pdn_plies)
    else:
        lines = [line.partition("#")[0].strip() for line in text.splitlines()]
        found = [
            _read_line(line, game, f"line {number} of {path}")
            for number, line in enumerate(lines, start=1)
            if line
        ]
    if not found:
        raise BoardZeroError(f"there are no openings in {path}")
    return WrittenOpenings(tuple(found))


def _read_line(line: str, game: Game, where: str) -> Opening:
    words = line.split(";" if ";" in line else None)
    moves = [move for word in words if (move := re.sub(r"^\d+\.+", "", word.strip()))]
    try:
        return Opening(moves=tuple(map(str, game.replay(moves).history)))
    except BoardZeroError as not_moves:
        try:
            return Opening(start=game.parse_fen(line).fen())
        except BoardZeroError as not_fen:
            error = not_fen if re.search("[:/]", words[0]) else not_moves  # what it looks like
            raise BoardZeroError(f"{where} is no opening: {error}") from None


def _read_pdn(text: str, game: Game, plies: int) -> list[Opening]:
    return [
        Opening(played.tags.get("FEN", ""), tuple(str(move) for move in played.moves[:plies]))
        for played in read_games(text, game)
    ]


def _repeated(openings: Sequence[Opening]) -> Iterator[Opening]:
    while True:
        yield from openings
