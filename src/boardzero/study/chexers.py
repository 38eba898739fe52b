"""What goes wrong in Chexers: pieces that are jumped over, exits missed or let happen, blocks."""

from __future__ import annotations

from collections.abc import Sequence
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
    seats = mistake.state.game.seats
    who = _first_exit(mistake.after, mistake.reply, mistake.state.to_move)
    if who is None:
        return None
    seat, line, exits = who
    best = mistake.state.after(mistake.best)
    blocked = _first_exit(best, mistake.best_line[1:], mistake.state.to_move)
    if blocked is not None and blocked[0] == seat:
        return None
    if exits == max(_exits(mistake.after)) + 1:
        return mistake.named("lets_exit", other=seats[seat], exits=exits, line=line)
    return mistake.named("missed_block", victim=seats[seat], line=line)


def _first_exit(state: State, reply: Sequence[str], seat: int) -> tuple[int, str, int] | None:
    """Who leaves first before the mover's next turn, by which line, and how many have left then."""
    position, line = state.copy(), []
    moves = played_out(state, reply)
    for move in moves[: state.game.players - 1]:
        mover = position.to_move
        position.play(move)
        line.append(short(str(move)))
        if mover != seat and _is_exit(move):
            return mover, ", ".join(line), _exits(position)[mover]
    return None


def _is_exit(move: Move) -> bool:
    return short(str(move)).endswith("exit")


def _pieces(state: State, seat: int) -> int:
    """On the board and off it."""
    return sum(piece.owner == seat for piece in state.pieces()) + _exits(state)[seat]


def _exits(state: State) -> list[int]:
    return state.game.traits.counters[0].read(state)
