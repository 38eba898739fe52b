"""What goes wrong in Chexers: pieces that are jumped over, exits missed or let happen, blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardzero.study.lines import played_out, short, written

if TYPE_CHECKING:
    from boardzero.games import Move, State
    from boardzero.study.reasons import Mistake
    from boardzero.study.words import Reason


def reason(mistake: Mistake) -> Reason | None:
    return _lost_piece(mistake) or _missed(mistake) or _exit_allowed(mistake)


def _lost_piece(mistake: Mistake) -> Reason | None:
    """Of the answers before the mover's next turn, one that takes a piece over."""
    seat = mistake.state.to_move
    position, line = mistake.after.copy(), []
    for move in played_out(mistake.after, mistake.reply)[: mistake.state.game.players - 1]:
        taker, before = position.to_move, _pieces(position, seat)
        position.play(move)
        line.append(str(move))
        if _pieces(position, seat) < before:
            if _loses_as_much(mistake, seat):
                return None
            other = mistake.state.game.seats[taker]
            return mistake.named("loses_piece", other=other, line=written(line))
    return None


def _loses_as_much(mistake: Mistake, seat: int) -> bool:
    """Whether the best line loses a piece before the mover's next turn, too."""
    position = mistake.state.copy()
    moves = played_out(mistake.state, mistake.best_line)[: mistake.state.game.players]
    for move in moves:
        before = _pieces(position, seat)
        position.play(move)
        if _pieces(position, seat) < before and position.to_move != seat:
            return not _is_exit(move)
    return False


def _missed(mistake: Mistake) -> Reason | None:
    state, seat = mistake.state, mistake.state.to_move
    seats = state.game.seats
    after = state.after(mistake.best)
    if _is_exit(mistake.best) and not _is_exit(mistake.played):
        exits = _exits(after)
        ahead = max(range(len(exits)), key=lambda s: exits[s])
        return mistake.named("missed_exit", ahead=seats[ahead], exits=exits[ahead])
    if _pieces(after, seat) > _pieces(state, seat) >= _pieces(mistake.after, seat):
        victim = next(
            s for s in range(len(seats)) if s != seat and _pieces(after, s) < _pieces(state, s)
        )
        return mistake.named("missed_jump", victim=seats[victim])
    return None


def _exit_allowed(mistake: Mistake) -> Reason | None:
    """Who can leave after the move played, and not after the best one."""
    game, seat = mistake.state.game, mistake.state.to_move
    found = _first_exit(mistake.after, mistake.reply, seat)
    if found is None:
        return None
    blocked = _first_exit(mistake.state.after(mistake.best), mistake.best_line[1:], seat)
    if blocked is not None and blocked.seat == found.seat:
        return None
    who, line = game.seats[found.seat], written(found.line)
    if mistake.best.path[-1:] and mistake.best.path[-1] in found.way:
        return mistake.named("missed_block", victim=who, line=line)
    if found.exits == max(_exits(mistake.after)) + 1:
        return mistake.named("lets_exit", other=who, exits=found.exits, line=line)
    return None


@dataclass(frozen=True, slots=True)
class _Exit:
    """The first piece that another seat brings off the board along a line."""

    seat: int
    line: tuple[str, ...]  # up to it
    way: frozenset[int]  # hexagons that this seat entered before
    exits: int  # of this seat, with it


def _first_exit(state: State, reply: Sequence[str], seat: int) -> _Exit | None:
    """Within two turns of each of the others."""
    position, line = state.copy(), list[str]()
    ways: list[set[int]] = [set() for _ in state.game.seats]
    for move in played_out(state, reply)[: 2 * state.game.players - 1]:
        mover = position.to_move
        position.play(move)
        line.append(str(move))
        if mover != seat and _is_exit(move):
            return _Exit(mover, tuple(line), frozenset(ways[mover]), _exits(position)[mover])
        ways[mover].update(move.path[1:])
    return None


def _is_exit(move: Move) -> bool:
    return short(str(move)).endswith("exit")


def _pieces(state: State, seat: int) -> int:
    """On the board and off it."""
    return sum(piece.owner == seat for piece in state.pieces()) + _exits(state)[seat]


def _exits(state: State) -> list[int]:
    return state.game.traits.counters[0].read(state)
