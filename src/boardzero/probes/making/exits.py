"""Probes of games whose pieces leave the board: exits to take, to stop, to block, and to prepare.

Positions are put together by chance. What is good and what is bad is proven by playing out every
answer: where somebody is said to win, no play of all others together can prevent it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from boardzero._core import NativeState
from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, State, make
from boardzero.games.notation.fen import compose
from boardzero.probes.probe import Probe

_MANY = 8  # probes of a theme and a seat, for each that is asked for
_TRIES = 20_000  # positions put together for one probe
_ALMOST = 3  # exits of who needs one more
_PIECES = 12  # on the board and gone, at most
_FEWEST_MOVES = 4

Answers = Callable[[State], tuple[str, ...]]


def probes(spec: str, *, each: int, seed: int) -> Iterator[Probe]:
    game = make(spec)
    rng = random.Random(f"probes {game.spec} {seed}")
    themes: dict[str, tuple[int, Answers]] = {  # how far behind the mover sits who is almost home
        "exit": (0, _exits),
        "stop exit": (1, _stops),
        "block": (1, _blocks),
        "safe way": (0, _safe_ways),
    }
    for theme, (behind, answers) in themes.items():
        for seat in range(game.players):
            for _ in range(_MANY * each):
                found = _one(game, rng, seat, (seat + behind) % game.players, answers)
                if found is not None:
                    state, good = found
                    yield Probe(game.spec, state.fen(), theme, (game.seats[seat],), good)


def _one(
    game: Game, rng: random.Random, seat: int, almost: int, answers: Answers
) -> tuple[State, tuple[str, ...]] | None:
    for _ in range(_TRIES):
        state = _position(game, rng, seat, almost)
        if state is None or len(state.moves()) < _FEWEST_MOVES:
            continue
        good = answers(state)
        if good and len(good) * 3 <= len(state.moves()):
            return state, good
    return None


def _position(game: Game, rng: random.Random, seat: int, almost: int) -> State | None:
    """Pieces anywhere; one seat has left three times, the others less often."""
    exits = [_ALMOST if s == almost else rng.randrange(_ALMOST) for s in range(game.players)]
    counts = [rng.randrange(1, 5) for _ in exits]
    if sum(exits) + sum(counts) > _PIECES:
        return None
    cells = rng.sample(sorted(game.geometry.places), sum(counts))
    owners = [s for s, count in enumerate(counts) for _ in range(count)]
    pieces = [(cell, owner, "piece") for cell, owner in zip(cells, owners, strict=True)]
    fields = compose(game, seat, pieces).fen().split()
    fields[game.traits.counters[0].field] = ",".join(map(str, exits))
    try:
        return game.parse_fen(" ".join(fields))
    except BoardZeroError:
        return None


def _exits(state: State) -> tuple[str, ...]:
    """Moves that win at once."""
    return _texts(state, lambda after: _winner(after) == state.to_move)


def _stops(state: State) -> tuple[str, ...]:
    """Moves after which the next seat does not win at once, if it can after most."""
    if _wins_now(state.native):
        return ()
    return _texts(state, lambda after: not _wins_now(after))


def _blocks(state: State) -> tuple[str, ...]:
    """Moves after which the next seat cannot bring a piece to where it leaves for certain."""
    all_after = [_after(state.native, move.actions) for move in state.moves()]
    if any(_winner(after) is not None for after in all_after) or any(map(_wins_now, all_after)):
        return ()
    if not _prepares(all_after[0]) and not _prepares(all_after[-1]):
        return ()  # most likely nothing is to be blocked, and the rest takes long
    return _texts(state, lambda after: not _prepares(after))


def _safe_ways(state: State) -> tuple[str, ...]:
    """Moves after which the mover wins next turn, whatever the others do."""
    if _wins_now(state.native):
        return ()
    return _texts(state, lambda after: _will_win(after, state.to_move))


def _texts(state: State, is_good: Callable[[NativeState], bool]) -> tuple[str, ...]:
    return tuple(move.text for move in state.moves() if is_good(_after(state.native, move.actions)))


def _after(state: NativeState, actions: list[int]) -> NativeState:
    after = state.clone()
    after.play_all(actions)
    return after


def _winner(state: NativeState) -> int | None:
    outcome = state.outcome()
    return None if outcome is None else outcome.winner


def _wins_now(state: NativeState) -> bool:
    """Whether the mover can win with one move."""
    seat = state.to_move
    if state.outcome() is not None:
        return False
    return any(_winner(_after(state, move.actions)) == seat for move in state.moves())


def _prepares(state: NativeState) -> bool:
    """Whether the mover has a move after which it wins next turn, whatever the others do."""
    seat = state.to_move
    return any(_will_win(_after(state, move.actions), seat) for move in state.moves())


def _will_win(state: NativeState, seat: int) -> bool:
    """Whether a seat wins with its next move, whatever the others do before."""
    if state.outcome() is not None:
        return _winner(state) == seat
    if state.to_move == seat:
        return _wins_now(state)
    return all(_will_win(_after(state, move.actions), seat) for move in state.moves())
