"""What a player thinks of a position, told while it thinks; and of every position of a game."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Hashable
from time import monotonic

from boardzero.games import State
from boardzero.players import Choice, Limit
from boardzero.server.engines import EnginePool, Order, Urgency
from boardzero.server.messages import AnalysisView, ReviewView, VerdictView
from boardzero.server.views import move_view, thought_view
from boardzero.study import LANGUAGES, ReviewStep
from boardzero.study.lines import played_out
from boardzero.study.review import Ask, reviewing

_PACE = 0.12  # seconds between two reports, at least


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
    """Every position of a game from the last to the first, as `boardzero.study` reviews it."""
    work = reviewing(game, analyst=player, seconds=seconds)
    answer: Choice | None = None
    while True:
        try:
            asked = work.send(answer)
        except StopIteration:
            return
        if isinstance(asked, Ask):
            limit = Limit(time=asked.seconds)
            order = Order(asked.state, asked.player, limit, owner, Urgency.ANALYSIS)
            answer = await pool.choose_whole(order)
        else:
            answer = None
            yield review_view(asked)


def review_view(step: ReviewStep) -> ReviewView:
    """A step of a review for the wire."""
    return ReviewView(
        ply=step.ply,
        fen=step.state.fen(),
        mover=step.state.to_move,
        value=step.value,
        best=move_view(step.best) if step.best else None,
        played=str(step.played) if step.played else None,
        pv=[str(move) for move in played_out(step.state, step.line)],
        verdict=_verdict_view(step),
    )


def _verdict_view(step: ReviewStep) -> VerdictView | None:
    verdict = step.verdict
    if verdict is None:
        return None
    reason = verdict.reason
    return VerdictView(
        name=verdict.name,
        loss=verdict.loss,
        best_gain=verdict.best_gain,
        played_gain=verdict.played_gain,
        refutation=list(verdict.refutation),
        reason={} if reason is None else {known: reason.sentence(known) for known in LANGUAGES},
    )
