"""Lines of play, looked at: what they win, and how people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from boardzero.base.errors import BoardZeroError
from boardzero.games import Move, State

_SHOWN = 7  # moves of a line in a sentence
_HEX_MOVE = re.compile(r'\("(?:MOVE|JUMP)", \(\(([-\d,]+)\),\(([-\d,]+)\)\)\)')
_HEX_EXIT = re.compile(r'\("EXIT", \(([-\d,]+)\)\)')


def short(move: str) -> str:
    """A move as people write it: those of the Chexers referee are long."""
    text = _HEX_MOVE.sub(r"\1>\2", move)
    text = _HEX_EXIT.sub(r"\1 exit", text)
    return "pass" if text == '("PASS", None)' else text


def written(line: Iterable[str], *, most: int = _SHOWN) -> str:
    """The first moves of a line for a sentence."""
    moves = [short(move) for move in line]
    separator = ", " if any(" " in move or ">" in move for move in moves) else " "
    return separator.join(moves[:most]) + (" …" if len(moves) > most else "")


def played_out(state: State, line: Iterable[str]) -> list[Move]:
    """The moves of a line as far as they are legal."""
    end, moves = state.copy(), []
    for text in line:
        if end.outcome() is not None:
            break
        try:
            move = end.parse(text)
        except BoardZeroError:
            break
        end.play(move)
        moves.append(move)
    return moves


def until_quiet(state: State, line: Iterable[str], *, at_least: int = 0) -> list[Move]:
    """A line up to where captures end; if it breaks off in one, the captures that follow."""
    moves = played_out(state, line)
    end = state.copy()
    last = at_least
    for count, move in enumerate(moves, start=1):
        if move.captured:
            last = count
    for move in moves:
        end.play(move)
    while len(moves) < 60 and end.outcome() is None and _must_take(end):
        move = max(end.moves(), key=lambda option: len(option.captured))
        end.play(move)
        moves.append(move)
        last = len(moves)
    return moves[:last]


def wins_in(state: State, line: Iterable[str], seat: int) -> int | None:
    """The plies of a line after which a seat has won; None if it does not show that."""
    end = state.copy()
    for count, move in enumerate(played_out(state, line), start=1):
        end.play(move)
        outcome = end.outcome()
        if outcome is not None:
            return count if outcome.winner == seat else None
    return None


def balance(state: State, seat: int) -> int:
    """Pieces of a seat less those of the others."""
    return sum(1 if piece.owner == seat else -1 for piece in state.pieces())


def balance_after(
    state: State, line: Iterable[str], seat: int, *, since: State | None = None
) -> int:
    """Pieces that a line wins for a seat, less those that it loses; 0 where pieces do not count."""
    if not state.game.traits.must_capture:
        return 0
    end = state.copy()
    for move in until_quiet(state, line):
        end.play(move)
    return balance(end, seat) - balance(since or state, seat)


def _must_take(state: State) -> bool:
    moves = state.moves()
    return state.game.traits.must_capture and bool(moves) and bool(moves[0].captured)
