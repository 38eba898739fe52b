"""The slow and obvious searches that the compiled ones must agree with.

An evaluation maps a state that is not over to one value per seat; wins and losses lie beyond every
evaluation, the nearer the further.
"""

from collections.abc import Callable, Sequence

from boardzero import State

Evaluation = Callable[[State], Sequence[float]]


def standing(state: State, evaluate: Evaluation, ply: int) -> list[float]:
    outcome = state.outcome()
    if outcome is None:
        return list(evaluate(state))
    bonus = 1 - ply / 1000
    return [v + bonus if v == 1 else v - bonus if v == -1 else v for v in outcome.values]


def minimax(state: State, depth: int, evaluate: Evaluation, seat: int, ply: int = 0) -> float:
    """The value for one of two seats; depth counts changes of the mover."""
    if depth == 0 or state.outcome() is not None:
        return standing(state, evaluate, ply)[seat]
    children = [state.after(move) for move in state.moves()]
    values = [minimax(c, less(depth, state, c), evaluate, seat, ply + 1) for c in children]
    return max(values) if state.to_move == seat else min(values)


def max_n(state: State, depth: int, evaluate: Evaluation, ply: int = 0) -> list[float]:
    """Each seat takes the first of the moves that are best for itself."""
    if depth == 0 or state.outcome() is not None:
        return standing(state, evaluate, ply)
    children = [state.after(move) for move in state.moves()]
    values = [max_n(c, less(depth, state, c), evaluate, ply + 1) for c in children]
    return max(values, key=lambda v: v[state.to_move])


def best_reply(
    state: State,
    depth: int,
    evaluate: Evaluation,
    seat: int,
    ply: int = 0,
    opposed: bool = False,
) -> float:
    """One of the others harms the seat each round; the rest make the move that they like best."""
    if depth == 0 or state.outcome() is not None:
        return standing(state, evaluate, ply)[seat]
    mover = state.to_move
    children = [state.after(move) for move in state.moves()]
    liked = max(children, key=lambda c: standing(c, evaluate, 0)[mover])

    def value(child: State, opposed_now: bool) -> float:
        left = depth if (mover == seat) == (child.to_move == seat) else depth - 1
        opposed_next = opposed_now and child.to_move != seat
        return best_reply(child, left, evaluate, seat, ply + 1, opposed_next)

    if mover == seat:
        return max(value(c, False) for c in children)
    replies = [value(liked, opposed)]
    if not opposed:
        replies += [value(c, True) for c in children]
    return min(replies)


def less(depth: int, state: State, child: State) -> int:
    return depth if child.to_move == state.to_move else depth - 1
