"""What goes wrong in five in a row: fours, open threes, two threats at once, forbidden points.

Everything is asked of the rules: a point is a five when playing there wins. So overlines, other
lengths and renju's forbidden points are right by themselves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from boardzero.base.errors import BoardZeroError
from boardzero.study.lines import played_out, written

if TYPE_CHECKING:
    from boardzero.games import Move, State
    from boardzero.study.reasons import Mistake
    from boardzero.study.words import Reason

_NEAR = 2  # points further from a stone make no threat with it
_WON = 0.995


def reason(mistake: Mistake) -> Reason | None:
    seat, other = mistake.state.to_move, 1 - mistake.state.to_move
    if fives(mistake.state, seat) and mistake.after.outcome() is None:
        return _with_best(mistake, fives(mistake.state, seat)[0])
    return _answered(mistake, other) if mistake.reply else _missed(mistake, seat)


def _with_best(mistake: Mistake, best: Move) -> Reason:
    return mistake.named("missed_five", best=best.text)


def _answered(mistake: Mistake, other: int) -> Reason | None:
    """What the answer does."""
    threats = fives(mistake.state, other)
    line = written(mistake.reply)
    if threats and mistake.played.text not in {move.text for move in threats}:
        return mistake.named("ignored_four", line=line)
    moves = played_out(mistake.after, mistake.reply)
    if not moves or mistake.value > -_WON:
        return _missed(mistake, 1 - other)
    reply = moves[0].text
    then = mistake.after.after(moves[0])
    if then.outcome() is not None:
        return None
    wins = fives(then, other)
    blocked = [move for move in wins if not _may_play(then, move)]
    if len(wins) == 1 and blocked:
        return mistake.named("forbidden", point=blocked[0].text, line=line)
    if len(wins) >= 2:
        kind = "open_four" if _in_one_line(then, moves[0], wins) else "double_threat"
        if kind == "open_four" and _had_open_three(mistake.state, other):
            return mistake.named("ignored_three", line=line)
        return mistake.named(kind, reply=reply, line=line)
    if is_double_threat(then, moves[0], other):
        return mistake.named("double_threat", reply=reply, line=line)
    if wins and _all_fours(mistake.after, moves, other):
        return mistake.named("fours", line=line)
    return None


def _missed(mistake: Mistake, seat: int) -> Reason | None:
    """What the best move would have done."""
    if mistake.top < _WON:
        return None
    then = mistake.state.after(mistake.best)
    if then.outcome() is not None:
        return _with_best(mistake, mistake.best)
    wins = fives(then, seat)
    if len(wins) >= 2 and _in_one_line(then, mistake.best, wins):
        return mistake.named("missed_open_four")
    if len(wins) >= 2 or is_double_threat(then, mistake.best, seat):
        return mistake.named("missed_double", line=written(mistake.best_line))
    return None


def attack(mistake: Mistake) -> Reason | None:
    """Who has the attack, where nothing is forced yet."""
    seat, moves = mistake.state.to_move, played_out(mistake.after, mistake.reply)
    line = written(mistake.reply)
    if moves and mistake.after.after(moves[0]).outcome() is None:
        if moves[0].text == mistake.best.text:
            return mistake.named("key_point", line=line)
        if open_threes(mistake.after.after(moves[0]), mistake.after.to_move):
            return mistake.named("open_three", reply=moves[0].text, line=line)
    best = mistake.state.after(mistake.best)
    if best.outcome() is None and open_threes(best, seat):
        return mistake.named("missed_three", line=written(mistake.best_line))
    return None


def fives(state: State, seat: int) -> list[Move]:
    """The moves with which a seat would win at once, were it to move."""
    asked = as_mover(state, seat)
    if asked is None or asked.outcome() is not None:
        return []
    found = []
    for move in near(asked):
        after = asked.native.clone()
        after.play_all(move.actions)
        outcome = after.outcome()
        if outcome is not None and outcome.winner == seat:
            found.append(move)
    return found


def open_threes(state: State, seat: int) -> list[Move]:
    """The moves with which a seat would make an open four, were it to move."""
    asked = as_mover(state, seat)
    if asked is None or asked.outcome() is not None:
        return []
    found = []
    for move in near(asked):
        if not _in_company(asked, move, seat):
            continue
        after = asked.after(move)
        if after.outcome() is None:
            wins = fives(after, seat)
            if len(wins) >= 2 and _in_one_line(after, move, wins):
                found.append(move)
    return found


def is_double_threat(state: State, move: Move, seat: int) -> bool:
    """Whether a move that was just played threatens in two directions at once."""
    cell = move.path[0]
    wins = fives(state, seat)
    directions = {_direction(state, cell, win.path[0]) for win in wins} - {None}
    if len(directions) >= 2:
        return True
    if wins:  # a four: answered, is there an open three as well?
        answer = as_mover(state, 1 - seat)
        assert answer is not None
        try:
            state = answer.after(wins[0].text)
        except BoardZeroError:
            return True
        if state.outcome() is not None or fives(state, 1 - seat):
            return False
    threes = {_direction(state, cell, three.path[0]) for three in open_threes(state, seat)}
    return len((directions | threes) - {None}) >= 2


def as_mover(state: State, seat: int) -> State | None:
    """The same stones with this seat to move."""
    if state.to_move == seat:
        return state
    rows, _ = state.fen().rsplit(" ", 1)
    try:
        return state.game.parse_fen(f"{rows} {'xo'[seat]}")
    except BoardZeroError:
        return None


def _had_open_three(state: State, seat: int) -> bool:
    return bool(open_threes(state, seat))


def _may_play(state: State, move: Move) -> bool:
    return move.text in {option.text for option in state.moves()}


def _all_fours(state: State, moves: list[Move], seat: int) -> bool:
    position = state.copy()
    for move in moves:
        mover = position.to_move
        position.play(move)
        if mover == seat and position.outcome() is None and not fives(position, seat):
            return False
    return position.outcome() is not None or len(moves) >= 3


def near(state: State) -> list[Move]:
    """The moves beside or almost beside a stone."""
    places = state.game.geometry.places
    stones = [places[piece.cell] for piece in state.pieces()]
    rows, columns = state.game.geometry.rows, state.game.geometry.columns
    close = {
        (row + down, column + right)
        for row, column in stones
        for down in range(-_NEAR, _NEAR + 1)
        for right in range(-_NEAR, _NEAR + 1)
        if 0 <= row + down < rows and 0 <= column + right < columns
    }
    return [move for move in state.moves() if move.path and places[move.path[0]] in close]


def _in_company(state: State, move: Move, seat: int) -> bool:
    """Whether enough stones of a seat are in line with a point for a four, two short of a five."""
    length = re.search(r"line=(\d)", state.game.spec)
    five = int(length[1]) if length else 5
    places = state.game.geometry.places
    own = {places[piece.cell] for piece in state.pieces() if piece.owner == seat}
    row, column = places[move.path[0]]
    return any(
        sum((row + n * down, column + n * right) in own for n in range(1 - five, five)) >= five - 2
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def _in_one_line(state: State, move: Move, wins: list[Move]) -> bool:
    """Whether two of the points lie in one line with the stone."""
    directions = [_direction(state, move.path[0], win.path[0]) for win in wins]
    return any(d is not None and directions.count(d) >= 2 for d in directions)


def _direction(state: State, cell: int, other: int) -> tuple[int, int] | None:
    """The line that two points are on, near enough to be one threat."""
    (row, column), (row2, column2) = (state.game.geometry.places[c] for c in (cell, other))
    down, right = row2 - row, column2 - column
    far = max(abs(down), abs(right))
    if far == 0 or far > 5 or not (down == 0 or right == 0 or abs(down) == abs(right)):
        return None
    step = (down // far, right // far)
    return step if step > (0, 0) else (-step[0], -step[1])
