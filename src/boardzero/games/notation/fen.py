"""Positions put together piece by piece, written as the FEN that the rules read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from boardzero.base.errors import BoardZeroError

if TYPE_CHECKING:
    from boardzero.games.game import Game, State

Pieces = Mapping[int, tuple[int, str]]  # cell -> (owner, kind)


def compose(game: Game, to_move: int, pieces: Iterable[tuple[int, int, str]]) -> State:
    """The position with these pieces (cell, owner, kind); refuses what the board cannot hold."""
    composer = game.traits.composer
    if composer is None:
        raise BoardZeroError(f"positions of {game.name} cannot be put together, only played to")
    standing = {cell: (owner, kind) for cell, owner, kind in pieces}
    for cell in standing:
        if cell not in game.geometry.places:
            raise BoardZeroError(f"the board of {game.name} has no cell {cell}")
    for seat in (to_move, *(owner for owner, _ in standing.values())):
        if seat not in range(game.players):
            raise BoardZeroError(f"{game.name} has no seat {seat}")
    return game.parse_fen(composer(game, standing, to_move))


@dataclass(frozen=True, slots=True)
class DraughtsComposer:
    """`W:W31,K40:B1,2`."""

    def __call__(self, game: Game, pieces: Pieces, to_move: int, /) -> str:
        def side(color: str) -> str:
            seat = game.seats.index(color)
            squares = [
                ("K" if kind == "king" else "") + game.geometry.labels[cell]
                for cell, (owner, kind) in sorted(pieces.items())
                if owner == seat
            ]
            return f"{color[0].upper()}{','.join(squares)}"

        return f"{game.seats[to_move][0].upper()}:{side('white')}:{side('black')}"


@dataclass(frozen=True, slots=True)
class RowsComposer:
    """Rows from the top, letters for the seats' pieces, numbers for empty cells; then the mover."""

    letters: str
    more: str = ""  # fields behind the mover

    def __call__(self, game: Game, pieces: Pieces, to_move: int, /) -> str:
        places = game.geometry.places

        def row_of(cell: int) -> int:
            return places[cell][0]

        rows = []
        for _, cells in groupby(sorted(places), key=row_of):
            marks = (self.letters[pieces[c][0]] if c in pieces else "" for c in cells)
            runs = ((mark, len(list(run))) for mark, run in groupby(marks))
            rows.append("".join(mark * count or str(count) for mark, count in runs))
        return f"{'/'.join(rows)} {self.letters[to_move]}{self.more}"
