"""Probes of draughts: shots, breakthroughs, and endings that the tables know.

A shot gives pieces to win more; a breakthrough brings a man to the last row. Both are found in
games of a quick player that errs now and then, and every move of such a position is searched: the
good ones must be better than all others by far. An ending has few pieces and one right move.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Container, Iterator
from contextlib import closing
from itertools import product

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, State, make, tablebase
from boardzero.games.notation.fen import compose
from boardzero.players import Choice, Limit, Player, make_player
from boardzero.probes.probe import Probe
from boardzero.study.lines import balance, played_out, until_quiet

SOLVER = "alphabeta:eval=hand,hash=1,seed=1"
PLAY, QUICK = Limit(nodes=60), Limit(nodes=600)
DEEP = Limit(nodes=10_000)  # for each move of a position
_MANY = 5  # probes of a theme and a seat, for each that is asked for
_ERRS = 0.3  # share of moves that are played at random
_APART = 8  # plies between probes of one game
_LONGEST = 120  # plies of a game
_MARGIN = 0.3  # of value, between the worst of the good moves and the best of the others
_LEAST = 0.15  # value of a good move
_MOST_GOOD = 2
_EQUAL = 0.1  # of value, within which moves are equally good
_DECIDED = 0.9
_LINE = 11  # plies in which a shot or a breakthrough must be over
_FEWEST_MOVES = 4
_TRIES = 40  # endings put together for each that is wanted


def probes(spec: str, *, each: int, seed: int) -> Iterator[Probe]:
    game = make(spec)
    rng = random.Random(f"probes {game.spec} {seed}")
    with closing(make_player(SOLVER, game)) as solver:
        yield from _of_games(game, solver, rng, wanted=_MANY * each)
        yield from _endings(game, rng, wanted=3 * _MANY * each // 2)


def _of_games(game: Game, solver: Player, rng: random.Random, *, wanted: int) -> Iterator[Probe]:
    themes = ("shot", "breakthrough")
    missing = Counter(dict.fromkeys(product(themes, game.seats), wanted))
    while +missing:
        free = 0  # the next ply that may be asked about: neighbours are too much alike
        for state in _positions(game, solver, rng):
            if len(state.history) < free:
                continue
            wished = [theme for theme, seat in +missing if seat == _seat(state)]
            probe = _probe_at(state, solver, wished)
            if probe is not None:
                missing[probe.theme, _seat(state)] -= 1
                free = len(state.history) + _APART
                yield probe


def _positions(game: Game, solver: Player, rng: random.Random) -> Iterator[State]:
    """Of one game, those after an error in which the mover has a choice and need not capture."""
    state = game.start()
    for _ in range(rng.randrange(4, 12)):
        if state.outcome() is None:
            state.play(rng.choice(state.moves()))
    value = 0.0
    while state.outcome() is None and len(state.history) < _LONGEST and abs(value) < _DECIDED:
        if rng.random() >= _ERRS:
            choice = solver.choose(state, PLAY)
            value = choice.value or 0.0
            state.play(choice.move)
            continue
        state.play(rng.choice(state.moves()))
        moves = state.moves()
        if len(moves) >= _FEWEST_MOVES and not moves[0].captured and state.outcome() is None:
            yield state.copy()


def _seat(state: State) -> str:
    return state.game.seats[state.to_move]


def _probe_at(state: State, solver: Player, themes: Container[str]) -> Probe | None:
    quick = solver.choose(state, QUICK)
    theme = _theme(state, quick)
    if theme is None or theme not in themes:
        return None
    solver.new_game()
    deep = solver.choose(state, DEEP)
    if deep.move.text != quick.move.text or _theme(state, deep) != theme:
        return None
    good = _clearly_best(state, deep.move.text, solver)
    return Probe(state.game.spec, state.fen(), theme, (_seat(state),), good) if good else None


def _theme(state: State, choice: Choice) -> str | None:
    """What the best line does, if it is something that is asked for."""
    seat = state.to_move
    moves = played_out(state, choice.pv)[:_LINE]
    line = until_quiet(state, [move.text for move in moves], at_least=len(moves))
    end = state.copy()
    for move in line:
        end.play(move)
    gain = balance(end, seat) - balance(state, seat)
    if len(moves) > 1 and moves[1].captured and gain > 0:
        return "shot"
    new_kings = _kings(end, seat) - _kings(state, seat)
    theirs = _kings(end, 1 - seat) - _kings(state, 1 - seat)
    return "breakthrough" if new_kings > 0 and theirs <= 0 and gain >= 0 else None


def _clearly_best(state: State, best: str, solver: Player) -> tuple[str, ...]:
    """The best move and perhaps one as good, if all others are much worse."""
    value = _value_after(state, best, solver)
    if value < _LEAST:
        return ()
    good = [best]
    for move in state.moves():
        if move.text == best:
            continue
        other = _value_after(state, move.text, solver)
        if abs(other - value) <= _EQUAL:
            good.append(move.text)
        elif other > value - _EQUAL - _MARGIN:
            return ()
        if len(good) > _MOST_GOOD:
            return ()
    return tuple(good) if len(good) < len(state.moves()) else ()


def _value_after(state: State, move: str, solver: Player) -> float:
    after = state.after(move)
    outcome = after.outcome()
    if outcome is not None:
        return float(outcome.values[state.to_move])
    solver.new_game()
    value = solver.choose(after, DEEP).value_for(state.to_move, after.to_move, 2)
    return -1.0 if value is None else value


def _kings(state: State, seat: int) -> int:
    return sum(piece.owner == seat and piece.kind == "king" for piece in state.pieces())


def _endings(game: Game, rng: random.Random, *, wanted: int) -> Iterator[Probe]:
    """Positions of three pieces with one move that wins, or one that does not lose."""
    results = {"win": "win", "draw": "hold the draw"}
    missing = Counter(dict.fromkeys(product(results.values(), game.seats), wanted))
    for _ in range(_TRIES * 100 * wanted):
        if not +missing:
            return
        state = _ending(game, rng)
        if state is None:
            continue
        value = tablebase.probe(state)
        if value not in results:
            continue
        good = [found.move.text for found in tablebase.moves(state) if found.result == value]
        key = (results[value], game.seats[state.to_move])
        if len(good) == 1 and len(state.moves()) >= _FEWEST_MOVES and missing[key] > 0:
            missing[key] -= 1
            yield Probe(game.spec, state.fen(), "ending", key, tuple(good))


def _ending(game: Game, rng: random.Random) -> State | None:
    cells = rng.sample(sorted(game.geometry.places), 3)
    seat = rng.randrange(2)
    owners = rng.choice(((0, 0, 1), (0, 1, 1)))
    kinds = [rng.choice(("man", "king", "king")) for _ in cells]
    try:
        state = compose(game, seat, list(zip(cells, owners, kinds, strict=True)))
    except BoardZeroError:
        return None
    moves = state.moves()
    return state if moves and not moves[0].captured else None
