"""Positions put together piece by piece, written as the FEN that the rules read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, State, has_pdn

__all__ = ["can_compose", "compose"]


def can_compose(game: Game) -> bool:
    """Whether it is known here how the game writes its positions."""
    return has_pdn(game) or game.name in ("gomoku", "chexers")


def compose(game: Game, to_move: int, pieces: Iterable[tuple[int, int, str]]) -> State:
    """The position with these pieces (cell, owner, kind); refuses what the board cannot hold."""
    if not can_compose(game):
        raise BoardZeroError(f"positions of {game.name} cannot be put together, only played to")
    if to_move >= game.players:
        raise BoardZeroError(f"{game.name} has no seat {to_move}")
    standing = {cell: (owner, kind) for cell, owner, kind in pieces}
    for cell, (owner, _) in standing.items():
        if cell not in game.geometry.places:
            raise BoardZeroError(f"the board of {game.name} has no cell {cell}")
        if owner not in range(game.players):
            raise BoardZeroError(f"{game.name} has no seat {owner}")
    if has_pdn(game):
        fen = _draughts(game, to_move, standing)
    elif game.name == "gomoku":
        fen = f"{_rows(game, standing, 'xo')} {'xo'[to_move]}"
    else:
        fen = f"{_rows(game, standing, 'rgb')} {'rgb'[to_move]} 0,0,0 0"
    return game.parse_fen(fen)


def _draughts(game: Game, to_move: int, standing: Mapping[int, tuple[int, str]]) -> str:
    def side(color: str) -> str:
        seat = game.seats.index(color)
        squares = [
            ("K" if kind == "king" else "") + game.geometry.labels[cell]
            for cell, (owner, kind) in sorted(standing.items())
            if owner == seat
        ]
        return f"{color[0].upper()}{','.join(squares)}"

    return f"{game.seats[to_move][0].upper()}:{side('white')}:{side('black')}"


def _rows(game: Game, standing: Mapping[int, tuple[int, str]], letters: str) -> str:
    """Row by row from the top, letters for pieces and numbers for empty cells."""
    places = game.geometry.places
    rows: list[str] = []
    for row in range(game.geometry.rows):
        text, empty = "", 0
        for cell in sorted((c for c, (r, _) in places.items() if r == row)):
            if cell not in standing:
                empty += 1
                continue
            text += (str(empty) if empty else "") + letters[standing[cell][0]]
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    return "/".join(rows)
