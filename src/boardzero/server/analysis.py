"""What a player thinks of a position, told while it thinks; and of every position of a game."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Hashable
from time import monotonic

from boardzero.games import State
from boardzero.players import Choice, Limit
from boardzero.server.engines import EnginePool, Order, Urgency
from boardzero.server.messages import AnalysisView, ReviewView, VerdictName, VerdictView
from boardzero.server.views import move_view, thought_view

_PACE = 0.12  # seconds between two reports, at least

# Loss of winning chances, from 0 to 1, from which on a move has a name.
_NAMES: tuple[tuple[VerdictName, float], ...] = (
    ("blunder", 0.20),
    ("mistake", 0.10),
    ("inaccuracy", 0.05),
)


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


def analysis_view(choice: Choice, state: State) -> AnalysisView:
    thought = dict(thought_view(choice))
    return AnalysisView(ply=len(state.history), fen=state.fen(), mover=state.to_move, **thought)


async def review(
    pool: EnginePool, game: State, player: str, *, seconds: float, owner: Hashable
) -> AsyncIterator[ReviewView]:
    """Every position of a game from the last to the first: what follows helps to judge a move."""
    states = _positions(game)
    following: Choice | None = None
    for ply in range(len(states) - 1, -1, -1):
        state = states[ply]
        best: Choice | None = None
        verdict: VerdictView | None = None
        if state.outcome() is None:
            order = Order(state, player, Limit(time=seconds), owner, Urgency.ANALYSIS)
            best = await pool.choose_whole(order)
            if ply + 1 < len(states):
                verdict = _judge(state, best, states[ply + 1], following)
        yield ReviewView(
            ply=ply,
            fen=state.fen(),
            mover=state.to_move,
            value=best.value if best else None,
            best=move_view(best.move) if best else None,
            pv=list(best.pv) if best else [],
            verdict=verdict,
        )
        following = best


def _positions(game: State) -> list[State]:
    states = [game.copy()]
    while states[-1].history:
        before = states[-1].copy()
        before.undo()
        states.append(before)
    return states[::-1]


def _judge(
    state: State, best: Choice, after: State, following: Choice | None
) -> VerdictView | None:
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
    return VerdictView(
        name=name,
        loss=loss,
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
    if not state.game.traits.must_capture:  # where pieces are not what counts
        return 0
    end = state.copy()
    for text in line:
        if end.outcome() is not None:
            break
        end.play(text)
    return _balance(end, seat) - _balance(state, seat)


def _balance(state: State, seat: int) -> int:
    return sum(1 if piece.owner == seat else -1 for piece in state.pieces())
