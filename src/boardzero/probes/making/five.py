"""Probes of five in a row: fours and threes to stop, to make five of and to extend, double threats.

Positions are put together: a shape in one of the four directions, at a corner, an edge or in the
centre, among stones that threaten nothing. The side without the shape cannot make a four with its
next stone, so that the rules alone prove what a wrong answer loses; whatever wins or stops is
searched with alpha-beta as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import product

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, State, make
from boardzero.games.notation.fen import compose
from boardzero.players import Limit, Player, make_player
from boardzero.probes.probe import Probe
from boardzero.study.five import fives, near, open_threes

DIRECTIONS = {
    "row": (0, 1),
    "column": (1, 0),
    "falling diagonal": (1, 1),
    "rising diagonal": (-1, 1),
}
REGIONS = ("corner", "edge", "centre")
# Stones of a line (x), points that must be empty (.), one that the other side holds (o).
FOURS = ("xxxx.", "xxx.x", "xx.xx", "x.xxx", ".xxxx")
THREES = ("..xxx..", ".xxx..", "..xxx.", ".xx.x.", ".x.xx.")
# Two halves of a double threat with the point where they meet (+): fours and open threes.
HALVES = ("oxxx+.", "xx+x", ".xx+.", ".x+x.", ".+xx.")
SOLVER = "alphabeta:eval=hand,hash=1,seed=1"
PROOF = Limit(nodes=20_000)  # for a good answer
EVERY = Limit(nodes=60_000)  # for all moves of a position, where others may win as well
_WON = 0.995
_TRIES = 4000  # positions put together for one probe

Point = tuple[int, int]
Stones = dict[Point, int]


@dataclass(frozen=True, slots=True)
class _Maker:
    game: Game
    solver: Player
    analyst: Player  # the same, with a value for every move
    rng: random.Random

    @property
    def size(self) -> int:
        return self.game.geometry.rows


def probes(spec: str, *, each: int, seed: int) -> Iterator[Probe]:
    game = make(spec)
    rng = random.Random(f"probes {game.spec} {seed}")
    with (
        closing(make_player(SOLVER, game)) as solver,
        closing(make_player(f"{SOLVER},analyse=true", game)) as analyst,
    ):
        maker = _Maker(game, solver, analyst, rng)
        themes: dict[str, Callable[[_Maker, int, Point, str], State | None]] = {
            "stop four": _four_to_stop,
            "make five": _four_of_ones_own,
            "stop three": _three_to_stop,
            "extend three": _three_of_ones_own,
        }
        for theme, region, seat in product(themes, REGIONS, range(2)):
            for label, way in DIRECTIONS.items():
                for _ in range(each):
                    made = _until_made(maker, theme, themes[theme], seat, way, region)
                    if made is not None:
                        yield _probe(made, theme, (label, region, game.seats[seat]))
        for region, seat in product(REGIONS, range(2)):
            for label, ways in _crossings().items():
                for number in range(each):
                    pair = ways[number % len(ways)]
                    made = _double(maker, seat, pair, region)
                    if made is not None:
                        yield _probe(made, "double threat", (label, region, game.seats[seat]))


@dataclass(frozen=True, slots=True)
class _Made:
    state: State
    good: tuple[str, ...]


def _probe(made: _Made, theme: str, labels: tuple[str, ...]) -> Probe:
    return Probe(made.state.game.spec, made.state.fen(), theme, labels, made.good)


def _crossings() -> dict[str, list[tuple[Point, Point]]]:
    """Pairs of directions, by how they cross."""
    straight = [DIRECTIONS["row"], DIRECTIONS["column"]]
    slanted = [DIRECTIONS["falling diagonal"], DIRECTIONS["rising diagonal"]]
    return {
        "straight lines": [(straight[0], straight[1])],
        "diagonals": [(slanted[0], slanted[1])],
        "a straight line and a diagonal": list(product(straight, slanted)),
    }


def _until_made(
    maker: _Maker,
    theme: str,
    put: Callable[[_Maker, int, Point, str], State | None],
    seat: int,
    way: Point,
    region: str,
) -> _Made | None:
    for _ in range(_TRIES):
        state = put(maker, seat, way, region)
        if state is not None and (good := _ANSWERS[theme](maker, state)):
            return _Made(state, good)
    return None


# Positions.


def _four_to_stop(maker: _Maker, seat: int, way: Point, region: str) -> State | None:
    return _line(maker, FOURS, seat, way, region, owner=1 - seat)


def _four_of_ones_own(maker: _Maker, seat: int, way: Point, region: str) -> State | None:
    return _line(maker, FOURS, seat, way, region, owner=seat)


def _three_to_stop(maker: _Maker, seat: int, way: Point, region: str) -> State | None:
    return _line(maker, THREES, seat, way, region, owner=1 - seat)


def _three_of_ones_own(maker: _Maker, seat: int, way: Point, region: str) -> State | None:
    return _line(maker, THREES, seat, way, region, owner=seat)


def _line(
    maker: _Maker, shapes: tuple[str, ...], seat: int, way: Point, region: str, *, owner: int
) -> State | None:
    """A position with one of the shapes and `seat` to move."""
    shape = maker.rng.choice(shapes)
    start = (maker.rng.randrange(maker.size), maker.rng.randrange(maker.size))
    points = _on(maker.size, start, way, len(shape))
    if points is None:
        return None
    stones = {p: owner for p, mark in zip(points, shape, strict=True) if mark == "x"}
    if _region(maker.size, stones) != region:
        return None
    return _filled(maker, stones, keep=points, seat=seat, owner=owner)


def _double(maker: _Maker, seat: int, ways: tuple[Point, Point], region: str) -> _Made | None:
    for _ in range(_TRIES):
        crossing = (maker.rng.randrange(maker.size), maker.rng.randrange(maker.size))
        if _region(maker.size, [crossing]) != region:
            continue
        stones: Stones = {}
        keep: list[Point] = []
        for way in ways:
            shape = maker.rng.choice(HALVES)
            back = shape.index("+")
            if maker.rng.random() < 0.5:
                way = (-way[0], -way[1])
            start = (crossing[0] - back * way[0], crossing[1] - back * way[1])
            points = _on(maker.size, start, way, len(shape))
            if points is None:
                break
            keep += points
            for point, mark in zip(points, shape, strict=True):
                if mark in "xo":
                    stones[point] = seat if mark == "x" else 1 - seat
        else:
            state = _filled(maker, stones, keep=keep, seat=seat, owner=seat)
            if state is not None and (good := _winning(maker, state, crossing)):
                return _Made(state, good)
    return None


def _board(size: int) -> Iterator[Point]:
    yield from product(range(size), range(size))


def _on(size: int, start: Point, way: Point, length: int) -> list[Point] | None:
    """So many points from one on in a direction, if all are on the board."""
    points = [(start[0] + i * way[0], start[1] + i * way[1]) for i in range(length)]
    inside = all(0 <= row < size and 0 <= column < size for row, column in points)
    return points if inside else None


def _region(size: int, points: Iterable[Point]) -> str:
    """Where the middle of some points lies; what is near an edge grows with the board."""
    rows, columns = zip(*points, strict=True)
    at = (sum(rows) / len(rows), sum(columns) / len(columns))
    reach = 2.5 if size < 12 else 3.5
    edges = sum(min(place, size - 1 - place) <= reach for place in at)
    return ("centre", "edge", "corner")[edges]


def _filled(
    maker: _Maker, shape: Stones, *, keep: Iterable[Point], seat: int, owner: int
) -> State | None:
    """The shape among other stones, as many as make `seat` the mover, which threaten nothing."""
    rng, stones = maker.rng, dict(shape)
    free = [p for p in _board(maker.size) if p not in {*keep, *stones}]
    weights = [1 / (1 + _distance(p, shape)) ** 2 for p in free]
    more = rng.randrange(0, 4)
    counts = [sum(side == s for side in stones.values()) for s in range(2)]
    counts[owner] += more
    counts[1 - owner] = counts[owner] + (seat == 1) * (1 if owner == 1 else -1)
    for side in (owner, 1 - owner):
        for _ in range(counts[side] - sum(s == side for s in stones.values())):
            point = rng.choices(free, weights)[0]
            if point in stones:
                return None
            stones[point] = side
    if sum(s == 0 for s in stones.values()) - sum(s == 1 for s in stones.values()) != seat:
        return None
    if _most_in_a_line(maker.size, stones, 1 - owner) > 2:
        return None  # it could answer with a four
    if not _alone(maker.size, stones, shape, owner):
        return None
    try:
        cells = [(row * maker.size + column, s, "stone") for (row, column), s in stones.items()]
        state = compose(maker.game, seat, cells)
    except BoardZeroError:
        return None
    return state if state.outcome() is None else None


def _distance(point: Point, shape: Iterable[Point]) -> int:
    return min(max(abs(point[0] - row), abs(point[1] - column)) for row, column in shape)


def _windows(size: int) -> Iterator[list[Point]]:
    """All lines of five points."""
    for start in _board(size):
        for way in DIRECTIONS.values():
            points = _on(size, start, way, 5)
            if points is not None:
                yield points


def _most_in_a_line(size: int, stones: Stones, side: int) -> int:
    """Stones of a side in five points in a row that the other side is not on."""
    most = 0
    for points in _windows(size):
        held = [stones[p] for p in points if p in stones]
        if all(owner == side for owner in held):
            most = max(most, len(held))
    return most


def _alone(size: int, stones: Stones, shape: Stones, owner: int) -> bool:
    """Whether the owner's other stones have no three, with or without the shape's."""
    for points in _windows(size):
        held = [p for p in points if p in stones]
        if all(stones[p] == owner for p in held) and len(held) > 2 and not set(held) <= set(shape):
            return False
    return True


# Answers.


def _stops_four(_maker: _Maker, state: State) -> tuple[str, ...]:
    """The one point where five would be made."""
    threats = fives(state, 1 - state.to_move)
    legal = {move.text for move in state.moves()}
    if len(threats) != 1 or fives(state, state.to_move) or threats[0].text not in legal:
        return ()
    return (threats[0].text,)


def _makes_five(_maker: _Maker, state: State) -> tuple[str, ...]:
    return tuple(move.text for move in fives(state, state.to_move))


def _stops_three(maker: _Maker, state: State) -> tuple[str, ...]:
    """Moves after which there is no open four, if the search finds no other way to win either."""
    other = 1 - state.to_move
    threats = open_threes(state, other)
    if fives(state, other) or not threats:
        return ()
    good = []
    for move in near(state):
        after = state.after(move)
        if any(_makes_open_four(after, threat.text, other) for threat in threats):
            continue  # quicker than to look for new ones
        if open_threes(after, other):
            continue
        if _wins(maker, after, other, PROOF):
            return ()
        good.append(move.text)
    return tuple(good)


def _makes_open_four(state: State, point: str, seat: int) -> bool:
    legal = {move.text for move in state.moves()}
    return point in legal and len(fives(state.after(point), seat)) >= 2


def _extends_three(maker: _Maker, state: State) -> tuple[str, ...]:
    if fives(state, state.to_move) or not open_threes(state, state.to_move):
        return ()
    return _all_winning(maker, state)


def _winning(maker: _Maker, state: State, crossing: Point) -> tuple[str, ...]:
    """All moves that win, if the one where both lines meet does and nothing is simpler."""
    if fives(state, state.to_move) or open_threes(state, state.to_move):
        return ()
    wanted = state.game.geometry.labels[crossing[0] * maker.size + crossing[1]]
    if wanted not in {move.text for move in state.moves()}:
        return ()
    if not _wins(maker, state.after(wanted), state.to_move, PROOF):
        return ()
    good = _all_winning(maker, state)
    return good if wanted in good and len(good) <= 4 else ()


def _all_winning(maker: _Maker, state: State) -> tuple[str, ...]:
    maker.analyst.new_game()
    found = maker.analyst.choose(state, EVERY).candidates
    return tuple(c.move.text for c in found if c.value is not None and c.value >= _WON)


def _wins(maker: _Maker, state: State, seat: int, limit: Limit) -> bool:
    """Whether the search sees a forced win for a seat."""
    outcome = state.outcome()
    if outcome is not None:
        return outcome.winner == seat
    maker.solver.new_game()
    found = maker.solver.choose(state, limit)
    value = found.value_for(seat, state.to_move, 2)
    return value is not None and value >= _WON


_ANSWERS: dict[str, Callable[[_Maker, State], tuple[str, ...]]] = {
    "stop four": _stops_four,
    "make five": _makes_five,
    "stop three": _stops_three,
    "extend three": _extends_three,
}
