"""Learning steps read back as the moves that people see."""

import random

import pytest
from variants import ALL, name

from boardzero import BoardZeroError
from boardzero.games import make

# The king can take 40, 23 and 11 by two routes; the list of moves has one of them.
TWO_ROUTES = "W:WK45:B40,11,23,6,30"
OTHER_ROUTE = [2228, 1406, 315]


def test_a_capture_by_another_route_is_the_move_with_the_same_result() -> None:
    state = make("international").parse_fen(TWO_ROUTES)
    (listed,) = state.moves()
    assert listed.actions != OTHER_ROUTE
    assert state.moves_of(OTHER_ROUTE) == [listed]


def test_moves_go_on_behind_a_capture_by_another_route() -> None:
    state = make("international").parse_fen(TWO_ROUTES)
    after = state.after("45x16")
    reply = after.parse("30-35")
    assert [str(m) for m in state.moves_of([*OTHER_ROUTE, *reply.actions])] == ["45x16", "30-35"]


def test_an_unfinished_capture_is_no_move_yet() -> None:
    state = make("international").parse_fen(TWO_ROUTES)
    assert state.moves_of(OTHER_ROUTE[:2]) == []
    assert state.moves_of([]) == []


def test_moves_of_actions_leave_the_state_as_it_was() -> None:
    state = make("international").parse_fen(TWO_ROUTES)
    state.moves_of(OTHER_ROUTE)
    assert state.fen() == make("international").parse_fen(TWO_ROUTES).fen()


def test_an_illegal_action_is_refused() -> None:
    state = make("international").parse_fen(TWO_ROUTES)
    with pytest.raises(BoardZeroError, match="not legal"):
        state.moves_of([1])


@pytest.mark.parametrize("spec", ALL, ids=name)
def test_the_actions_of_random_games_are_the_moves_that_were_played(spec: str) -> None:
    dice = random.Random(5)
    start = make(spec).start()
    state = start.copy()
    while state.outcome() is None and len(state.history) < 60:
        state.play(dice.choice(state.moves()))
    moves = [move for move in state.history if not isinstance(move, int)]
    assert start.moves_of([action for move in moves for action in move.actions]) == moves
