"""What goes wrong in draughts: men lost to shots and exchanges, breakthroughs, the opposition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardzero.study.endings import known_value
from boardzero.study.lines import played_out, until_quiet, written

if TYPE_CHECKING:
    from boardzero.games import Move, State
    from boardzero.study.reasons import Mistake
    from boardzero.study.words import Reason

_FEW = 4  # pieces of a side with which the opposition is what counts
_OUTCOMES = {1.0: "won", 0.0: "drawn", -1.0: "lost"}


@dataclass(frozen=True, slots=True)
class _Captures:
    """What the sides take along a line."""

    own: int  # by the seat that is asked about
    others: int
    gives_first: bool  # the first to take is not the one who begins the line, who takes more

    @property
    def net(self) -> int:
        return self.own - self.others


def reason(mistake: Mistake) -> Reason | None:
    return (
        _tables(mistake)
        or _men_lost(mistake)
        or _men_missed(mistake)
        or _known_ending(mistake)
        or _breakthrough(mistake)
        or _opposition(mistake)
    )


def _men_lost(mistake: Mistake) -> Reason | None:
    seat, other = mistake.state.to_move, mistake.after.to_move
    line = _until_lost(mistake.after, until_quiet(mistake.after, mistake.reply), other)
    answer = _captures(mistake.after, line, other)
    best = _captures(mistake.state, until_quiet(mistake.state, mistake.best_line), seat)
    lost = answer.net - len(mistake.played.captured)
    if lost < 1 or best.net <= -lost:
        return None
    words = written(str(move) for move in line)
    if answer.others == 0:
        return mistake.named("takes", lost=answer.own, line=words)
    kind = "shot" if answer.gives_first else "outnumbered"
    return mistake.named(kind, given=answer.others, taken=answer.own, line=words)


def _until_lost(state: State, line: list[Move], taker: int) -> list[Move]:
    """A line up to where what it takes is taken: exchanges later in it explain nothing."""
    whole = _captures(state, line, taker).net
    for end in range(1, len(line)):
        rest = line[:end]
        quiet = not line[end].captured
        if rest[-1].captured and quiet and _captures(state, rest, taker).net >= min(whole, 1):
            return rest
    return line


def _men_missed(mistake: Mistake) -> Reason | None:
    seat = mistake.state.to_move
    line = until_quiet(mistake.state, mistake.best_line)
    best = _captures(mistake.state, line, seat)
    reply = until_quiet(mistake.after, mistake.reply)
    got = len(mistake.played.captured) - _captures(mistake.after, reply, mistake.after.to_move).net
    if best.net < 1 or got >= best.net:
        return None
    kind = "missed_shot" if best.gives_first else "missed_men"
    return mistake.named(kind, won=best.net, line=written(str(move) for move in line))


def _breakthrough(mistake: Mistake) -> Reason | None:
    seat, other = mistake.state.to_move, mistake.after.to_move
    answer = played_out(mistake.after, mistake.reply)
    best = played_out(mistake.state, mistake.best_line)
    if crowned := _until_king(mistake.after, answer, other):
        if not _until_king(mistake.state, best, other):
            return mistake.named("breakthrough", line=written(str(m) for m in crowned))
    elif (crowned := _until_king(mistake.state, best, seat)) and not _until_king(
        mistake.after, answer, seat
    ):
        return mistake.named("missed_breakthrough", line=written(str(m) for m in crowned))
    return None


def _opposition(mistake: Mistake) -> Reason | None:
    """Of two lines that keep as many pieces, one keeps the opposition and one gives it away.

    Only exchanges change who has it: every other move leaves it where it is.
    """
    seat = mistake.state.to_move
    kept = _end(mistake.state, until_quiet(mistake.state, mistake.best_line, at_least=1))
    lost = _end(mistake.after, until_quiet(mistake.after, mistake.reply))
    if not (_is_small(kept) and _is_small(lost)):
        return None
    if has_opposition(kept, seat) and not has_opposition(lost, seat):
        return mistake.named("opposition")
    return None


def _end(state: State, line: Iterable[Move]) -> State:
    end = state.copy()
    for move in line:
        end.play(move)
    return end


def _tables(mistake: Mistake) -> Reason | None:
    """What the tables knew, and know to be thrown away."""
    seat = mistake.state.to_move
    before, after = known_value(mistake.state, seat), known_value(mistake.after, seat)
    if before is None or after is None or before <= after:
        return None
    return mistake.named("tables_lost", was=_OUTCOMES[before], now=_OUTCOMES[after])


def _known_ending(mistake: Mistake) -> Reason | None:
    """A move into an ending that the tables know, from a position that they do not."""
    after = known_value(mistake.after, mistake.state.to_move)
    if after is None or after >= mistake.top:
        return None
    return mistake.named("tables_reached", now=_OUTCOMES[after])


def has_opposition(state: State, seat: int) -> bool:
    """Whether the seat, and not the other, makes the last move when kings face each other.

    The old rule: of all pieces, count those on the files that end in a dark square of the mover's
    own back row; if their number is odd, who is to move has the opposition.
    """
    rows = state.game.geometry.rows
    places = state.game.geometry.places
    white_moves = state.game.seats[state.to_move] == "white"
    back = rows - 1 if white_moves else 0
    files = {column for row, column in places.values() if row == back}
    count = sum(places[piece.cell][1] in files for piece in state.pieces())
    return (state.to_move == seat) == (count % 2 == 1)


def _is_small(state: State) -> bool:
    sides = [sum(piece.owner == seat for piece in state.pieces()) for seat in range(2)]
    return sides[0] == sides[1] <= _FEW


def _captures(state: State, line: Iterable[Move], seat: int) -> _Captures:
    position = state.copy()
    beginner = state.to_move
    taken = [0, 0]
    first: int | None = None
    for move in line:
        if move.captured and first is None:
            first = position.to_move
        taken[position.to_move] += len(move.captured)
        position.play(move)
    gives_first = first is not None and first != beginner and taken[beginner] > taken[first]
    return _Captures(taken[seat], taken[1 - seat], gives_first)


def _until_king(state: State, line: Iterable[Move], seat: int) -> list[Move]:
    """The line up to where a seat gets a king; empty if it gets none."""
    position = state.copy()
    played: list[Move] = []
    for move in line:
        mover, kings = position.to_move, _kings(position, seat)
        position.play(move)
        played.append(move)
        if mover == seat and _kings(position, seat) > kings:
            return played
    return []


def _kings(state: State, seat: int) -> int:
    return sum(piece.owner == seat and piece.kind == "king" for piece in state.pieces())
