"""Puzzles: positions with one clear best move, mined from play and checked by deeper searches.

A puzzle file lies beside the package, one line of JSON each. `mine` finds candidates in games that
quick players play against each other with a slip now and then; `verify` lets the strongest player
think for as long as a puzzle must withstand.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from time import process_time
from zlib import crc32

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, Move, State, make, plays_alike
from boardzero.players import Choice, Limit, Player, make_player
from boardzero.study.five import fives
from boardzero.study.lines import balance_after, played_out
from boardzero.study.review import strongest

PUZZLES = Path(__file__).parent / "puzzle_files"

GAP = 0.30  # the best move is better than any other by this much in winning chances
_QUICK, _DEEP = 4_000, 60_000  # positions that a search may look at
_SLIP = 0.15  # share of moves that are played at random


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, the line that solves it, and how hard it is to find."""

    id: str
    game: str
    fen: str
    solution: tuple[str, ...]  # the solver's first move, then the expected line
    rating: int  # difficulty in the scale of solvers
    theme: str  # what the line does: `men`, `shot`, `king`, `win`, `exit`
    value: float  # of the best move for the solver
    gap: float  # of winning chances to the next best move


def puzzles(game: Game) -> tuple[Puzzle, ...]:
    """Those that came with the program, the easiest first."""
    return _load(game.spec)


def daily(game: Game, day: date) -> Puzzle:
    """The same for everybody on one day."""
    known = puzzles(game)
    if not known:
        raise BoardZeroError(f"there are no puzzles of {game.spec}")
    return known[crc32(f"{game.spec} {day:%Y-%m-%d}".encode()) % len(known)]


def games_with_puzzles() -> list[str]:
    return [_spec_of(path) for path in sorted(PUZZLES.glob("*.jsonl"))]


@cache
def _load(spec: str) -> tuple[Puzzle, ...]:
    for path in PUZZLES.glob("*.jsonl"):
        if plays_alike(_spec_of(path), spec):
            lines = path.read_text(encoding="utf-8").splitlines()
            found = [replace(p, solution=tuple(p.solution)) for p in map(_read, lines)]
            return tuple(sorted(found, key=lambda puzzle: puzzle.rating))
    return ()


def _read(line: str) -> Puzzle:
    return Puzzle(**json.loads(line))


def _spec_of(path: Path) -> str:
    """`gomoku-size15.jsonl` holds puzzles of gomoku:size=15."""
    name, dash, size = path.stem.partition("-size")
    return f"{name}:size={size}" if dash else name


def file_of(spec: str, folder: Path = PUZZLES) -> Path:
    game = make(spec)
    size = game.spec.partition("size=")[2].partition(",")[0]
    return folder / (f"{game.name}-size{size}.jsonl" if size else f"{game.name}.jsonl")


# Mining.


def mine(spec: str, *, seed: int, wanted: int) -> Iterator[Puzzle]:
    """Candidates that a deeper search confirms, without end until there are enough."""
    game = make(spec)
    rng = random.Random(f"puzzles {spec} {seed}")
    seen: set[int] = set()
    with closing(make_player(strongest(game), game)) as searcher:
        while wanted > 0:
            for state in _positions(game, searcher, rng):
                puzzle = _puzzle_at(state, searcher) if state.key() not in seen else None
                seen.add(state.key())
                if puzzle is not None:
                    yield puzzle
                    wanted -= 1
                    break  # one of a game, so that they differ


def _positions(game: Game, player: Player, rng: random.Random) -> Iterator[State]:
    """Of one game, each after something has happened: a slip, or a move that the other answers."""
    state = game.start()
    for _ in range(rng.randrange(2, 8)):
        state.play(rng.choice(state.moves()))
    while state.outcome() is None and len(state.history) < 160:
        slip = rng.random() < _SLIP
        best = None if slip else player.choose(state, Limit(nodes=800)).move
        state.play(best or rng.choice(state.moves()))
        if slip and state.outcome() is None and len(state.moves()) >= 3:
            yield state.copy()


def _puzzle_at(state: State, player: Player) -> Puzzle | None:
    quick = player.choose(state, Limit(nodes=_QUICK))
    least = 0.2 if state.game.traits.must_capture else 0.6
    if quick.value is None or quick.value < least or _is_plain(state, quick.move):
        return None
    second = _second(state, quick.move, player, _QUICK // 4)
    if second is None or (quick.value - second) / 2 < GAP:
        return None
    deep = player.choose(state, Limit(nodes=_DEEP))
    if deep.value is None or deep.move.text != quick.move.text:
        return None
    second = _second(state, deep.move, player, _DEEP // 6)
    if second is None or (deep.value - second) / 2 < GAP:
        return None
    return Puzzle(
        id=f"{state.key() & 0xFFFFFFFFFF:010x}",
        game=state.game.spec,
        fen=state.fen(),
        solution=solution(state, deep),
        rating=_difficulty(state, deep, player),
        theme=_theme(state, deep),
        value=round(deep.value, 3),
        gap=round((deep.value - second) / 2, 3),
    )


def solution(state: State, choice: Choice) -> tuple[str, ...]:
    """The line up to where it is clear: the last capture, or the end."""
    moves = played_out(state, choice.pv)
    last = 1
    position = state.copy()
    for count, move in enumerate(moves, start=1):
        position.play(move)
        if move.captured or position.outcome() is not None:
            last = count
    return tuple(move.text for move in moves[: max(last, 1)][:15])


def _second(state: State, best: Move, player: Player, nodes: int) -> float | None:
    """The value of the next best move: each other one searched by itself."""
    top = -1.0
    for move in state.moves():
        if move.text == best.text:
            continue
        value = _value_after(state, move, player, Limit(nodes=nodes))
        if value is None:
            return None
        top = max(top, value)
        if top > 1 - 2 * GAP:
            break
    return top


def _value_after(state: State, move: Move, player: Player, limit: Limit) -> float | None:
    """What a move is worth to who plays it, by a search of what it leads to."""
    after = state.after(move)
    outcome = after.outcome()
    if outcome is not None:
        return float(outcome.values[state.to_move])
    choice = player.choose(after, limit)
    return choice.value_for(state.to_move, after.to_move, state.game.players)


def _is_plain(state: State, move: Move) -> bool:
    """A solution that needs no thought: the only large capture, or the five that is there."""
    traits = state.game.traits
    if traits.must_capture and move.captured:
        return True
    return traits.sgf and bool(fives(state, state.to_move))


def _difficulty(state: State, best: Choice, player: Player) -> int:
    """By how much a search needs to see it, how long the line is, how many moves there are."""
    needed = 100
    while needed < _DEEP:
        choice = player.choose(state, Limit(nodes=needed))
        if choice.move.text == best.move.text and (choice.value or 0) > 0.15:
            break
        needed *= 3
    effort = 0
    while 3**effort * 100 < needed:
        effort += 1
    length = len(solution(state, best))
    return 700 + 170 * effort + 60 * min(length, 11) + 4 * min(len(state.moves()), 40)


def _theme(state: State, best: Choice) -> str:
    seat = state.to_move
    if best.value is not None and best.value >= 0.995:
        return "win"
    gain = balance_after(state, best.pv, seat)
    moves = played_out(state, best.pv)
    if gain > 0 and len(moves) > 1 and moves[1].captured:
        return "shot"
    return "men" if gain > 0 else "idea"


# Verifying.


def verify(puzzle: Puzzle, *, seconds: float) -> bool:
    """Whether the strongest player, given so long, finds the same move, and no other as good.

    Seconds are those of a core that has nothing else to do, so that a busy machine checks as well.
    """
    game = make(puzzle.game)
    state = game.parse_fen(puzzle.fen)
    with closing(make_player(strongest(game), game)) as player:
        nodes = seconds * _nodes_per_second(state, player)
        best = player.choose(state, Limit(nodes=int(0.6 * nodes)))
        if best.value is None or best.move.text != puzzle.solution[0]:
            return False
        others = [move for move in state.moves() if move.text != best.move.text]
        share = Limit(nodes=int(0.4 * nodes / max(1, len(others))))
        values = [_value_after(state, move, player, share) for move in others]
    return all(v is not None and (best.value - v) / 2 >= GAP / 2 for v in values)


def _nodes_per_second(state: State, player: Player) -> float:
    began = process_time()
    nodes = sum(player.choose(state, Limit(nodes=20_000 * n)).nodes for n in (1, 2, 3))
    return max(1.0, nodes / max(1e-3, process_time() - began))


def written(puzzle: Puzzle) -> str:
    return json.dumps(asdict(puzzle), ensure_ascii=False) + "\n"
