"""What a player thinks of a position, told while it thinks; and of every position of a game."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Hashable
from dataclasses import dataclass
from time import monotonic

from boardzero.games import State, has_pdn
from boardzero.players import Choice, Limit
from boardzero.server.engines import EnginePool, Order, Urgency

__all__ = ["Reviewed", "Verdict", "review", "think_aloud"]

_PACE = 0.12  # seconds between two reports, at least

# Loss of winning chances, from 0 to 1, from which on a move has a name.
_NAMES = (("blunder", 0.20), ("mistake", 0.10), ("inaccuracy", 0.05))


async def think_aloud(
    pool: EnginePool,
    state: State,
    player: str,
    *,
    seconds: float,
    owner: Hashable,
    on_wait: Callable[[int], None],
    on_thought: Callable[[Choice], None],
) -> None:
    """Better and better choices, for so many seconds of thought in all.

    Who is interrupted for the sake of others waits for its next turn and goes on: those that keep a
    tree or a table lose little by it.
    """
    used = 0.0
    while used < seconds:
        began = monotonic()
        order = Order(
            state,
            player,
            Limit(time=max(0.05, seconds - used)),
            owner,
            Urgency.ANALYSIS,
            on_wait,
            on_progress=_paced(on_thought),
        )
        choice = await pool.choose(order)
        on_thought(choice)
        if not order.interrupted:
            return
        used += choice.time or monotonic() - began


def _paced(listener: Callable[[Choice], None]) -> Callable[[Choice], None]:
    """A first iteration is over in no time: what comes too soon is left out."""
    last = 0.0

    def tell(choice: Choice) -> None:
        nonlocal last
        if monotonic() - last >= _PACE:
            last = monotonic()
            listener(choice)

    return tell


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the mover's winning chances, and what the best line would have brought."""

    name: str | None  # inaccuracy, mistake, blunder
    loss: float  # of winning chances, in [0, 1]
    best_gain: int  # pieces won less pieces lost along the best line
    played_gain: int  # the same along the line after the move played


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A position of a game: what the player would have done, and how it judges what was done."""

    ply: int
    fen: str
    mover: int
    value: float | None  # of the best move, for the mover
    best: Choice | None  # None where the game is over
    verdict: Verdict | None  # None where nothing was played or the player has no opinion


async def review(
    pool: EnginePool, game: State, player: str, *, seconds: float, owner: Hashable
) -> AsyncIterator[Reviewed]:
    """Every position of a game from the last to the first: what follows helps to judge a move."""
    states = _positions(game)
    following: Choice | None = None
    for ply in range(len(states) - 1, -1, -1):
        state = states[ply]
        if state.outcome() is not None:
            yield Reviewed(ply, state.fen(), state.to_move, None, None, None)
            continue
        order = Order(state, player, Limit(time=seconds), owner, Urgency.ANALYSIS)
        choice = await pool.choose_whole(order)
        after = states[ply + 1] if ply + 1 < len(states) else None
        verdict = _judge(state, choice, after, following) if after is not None else None
        yield Reviewed(ply, state.fen(), state.to_move, choice.value, choice, verdict)
        following = choice


def _positions(game: State) -> list[State]:
    states = [game.copy()]
    while states[-1].history:
        before = states[-1].copy()
        before.undo()
        states.append(before)
    return states[::-1]


def _judge(state: State, best: Choice, after: State, following: Choice | None) -> Verdict | None:
    played = after.history[-1]
    text = str(played)
    value = _value_of(state, text, best, after, following)
    if value is None or best.value is None or len(state.moves()) == 1:
        return None
    loss = max(0.0, (best.value - value) / 2)
    if text == str(best.move):
        loss = 0.0
    name = next((name for name, bound in _NAMES if loss >= bound), None)
    reply = following.pv if following is not None else ()
    return Verdict(
        name,
        loss,
        best_gain=_gain(state, best.pv, state.to_move),
        played_gain=_gain(state, (text, *reply), state.to_move),
    )


def _value_of(
    state: State, played: str, best: Choice, after: State, following: Choice | None
) -> float | None:
    """Of the move played, for its mover: from the candidates, or by what came of it."""
    outcome = after.outcome()
    if outcome is not None:
        return float(outcome.values[state.to_move])
    for candidate in best.candidates:
        if candidate.move.text == played and candidate.value is not None:
            return candidate.value
    if following is None or following.value is None or state.game.players > 2:
        return None
    return following.value if after.to_move == state.to_move else -following.value


def _gain(state: State, line: tuple[str, ...], seat: int) -> int:
    """Pieces that a line wins for a seat, less those that it loses."""
    if not has_pdn(state.game):
        return 0
    end = state.copy()
    for text in line:
        if end.outcome() is not None:
            break
        end.play(text)
    return _balance(end, seat) - _balance(state, seat)


def _balance(state: State, seat: int) -> int:
    return sum(1 if piece.owner == seat else -1 for piece in state.pieces())
