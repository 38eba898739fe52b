"""Positions with a forced win, found and checked by trying everything."""

import random
from collections.abc import Callable, Iterator

import boardzero
from boardzero import Move, State
from tests.players.positions import random_positions


def winning_moves(state: State, turns: int) -> list[Move]:
    """The moves that win within so many turns of the mover, whatever the others do."""
    return [m for m in state.moves() if _wins(state.after(m), state.to_move, turns - 1)]


def _wins(state: State, seat: int, turns: int) -> bool:
    outcome = state.outcome()
    if outcome is not None:
        return outcome.winner == seat
    if turns == 0:
        return False
    afters = (state.after(m) for m in state.moves())
    if state.to_move == seat:
        return any(_wins(after, seat, turns - 1) for after in afters)
    return all(_wins(after, seat, turns) for after in afters)


def tactical_positions(game: str, count: int, *, turns: int) -> Iterator[tuple[State, list[Move]]]:
    """States in which at most half of the moves win in so many turns, and none does sooner."""
    for state in _SOURCES.get(game, _from_random_games)(game):
        if len(state.moves()) < 2 or any(winning_moves(state, t) for t in range(1, turns)):
            continue
        winning = winning_moves(state, turns)
        if 0 < len(winning) <= len(state.moves()) // 2:
            yield state, winning
            count -= 1
            if count == 0:
                return


def _from_random_games(game: str) -> Iterator[State]:
    yield from random_positions(game, 1_000_000, seed=12)


def _chexers_endings(game: str) -> Iterator[State]:
    """Random games of Chexers hardly ever come to an exit, so that the pieces are thrown."""
    rules = boardzero.make(game)
    rng = random.Random(12)
    widths = (4, 5, 6, 7, 6, 5, 4)
    while True:
        exits = [3, rng.randint(0, 1), rng.randint(0, 1)]
        hexes = ["r"] * 2 + ["g"] * rng.randint(1, 3) + ["b"] * rng.randint(1, 2)
        hexes += ["1"] * (sum(widths) - len(hexes))
        rng.shuffle(hexes)
        rows = ["".join(hexes[sum(widths[:r]) : sum(widths[: r + 1])]) for r in range(7)]
        yield rules.parse_fen(f"{'/'.join(rows)} r {','.join(map(str, exits))} 100")


_SOURCES: dict[str, Callable[[str], Iterator[State]]] = {"chexers": _chexers_endings}
