"""The hand-written evaluation of Chexers, against values worked out by hand."""

import math
import random

import pytest

import boardzero
from boardzero import BoardZeroError, State, _core
from tests.games.chexers_position import GAME, position


def scores(state: State) -> list[float]:
    return list(_core.chexers_scores(state.native))


def relevant(state: State, root: int) -> set[str]:
    chosen = set(_core.chexers_relevant(state.native, root))
    return {str(move) for move in state.moves() if move.actions[0] in chosen}


def test_the_start_is_worth_the_same_to_everybody() -> None:
    """Four pieces, each six steps from leaving, with six neighbours in all."""
    assert scores(GAME.start()) == pytest.approx([4 - 0.05 * 24 + 0.005 * 6] * 3)


def test_exits_count_ten_pieces_one_and_steps_and_friends_their_weights() -> None:
    state = position(red=[(0, 0), (1, 0)], exits=(2, 0, 0))
    assert scores(state) == pytest.approx([10 * 2 + 2 - 0.05 * (3 + 2) + 0.005 * (1 + 1), 0, 0])


def test_three_pieces_that_touch_each_other_have_six_friendships() -> None:
    state = position(red=[(3, 0), (2, 0), (2, 1)], exits=(1, 0, 0))
    assert scores(state)[0] == pytest.approx(10 + 3 - 0.05 * (0 + 1 + 1) + 0.005 * 6)


def test_a_player_with_too_few_pieces_to_win_heads_for_the_centre() -> None:
    state = position(red=[(3, 0), (0, 0)])
    assert _core.chexers_objective(state.native, 0) == ("centre", 0)
    assert scores(state)[0] == pytest.approx(2 - 0.05 * 3)


def test_a_rival_about_to_win_is_blocked_at_its_leaving_hexagons() -> None:
    red = [(-3, 0), (-3, 1), (-1, -2), (-1, -1)]
    state = position(red=red, green=[(0, 1)], exits=(0, 3, 0))
    assert _core.chexers_objective(state.native, 0) == ("block", 1)
    assert _core.chexers_objective(state.native, 1) == ("exit", 1)
    assert _core.chexers_objective(state.native, 2) == ("block", 1)
    to_greens_edge = (3 + 2 + 5 + 4) * 0.05
    assert scores(state) == pytest.approx([4 - to_greens_edge + 0.005 * 4, 31 - 0.05 * 2, 0])


def test_a_rival_is_not_blocked_by_a_player_that_is_no_further_from_winning() -> None:
    state = position(red=[(2, 0)], green=[(0, 2)], exits=(3, 3, 0))
    assert _core.chexers_objective(state.native, 0) == ("exit", 0)
    assert _core.chexers_objective(state.native, 1) == ("exit", 1)
    assert _core.chexers_objective(state.native, 2)[0] == "block"


def test_the_evaluation_turns_with_the_board() -> None:
    rng = random.Random(1)
    state = GAME.start().native
    while actions := state.actions():
        turned = state.transformed(1)
        red, green, blue = _core.chexers_scores(state)
        assert _core.chexers_scores(turned) == pytest.approx([blue, red, green])
        state.play(rng.choice(actions))


def test_values_for_search_are_the_squashed_lead_over_the_mean_of_the_others() -> None:
    state = position(red=[(0, 0), (1, 0)], exits=(2, 0, 0))
    lead = 21.76 / 10
    expected = [math.tanh(lead), -math.tanh(lead / 2), -math.tanh(lead / 2)]
    assert _core.evaluate(state.native, "hand") == pytest.approx(expected)


def test_values_of_a_finished_game_are_its_outcome() -> None:
    assert _core.evaluate(position(exits=(0, 4, 0)).native, "hand") == [-1, 1, -1]
    drawn = position(red=[(0, 0)], turns=768)
    assert _core.evaluate(drawn.native, "hand") == pytest.approx([-1 / 3] * 3)


def test_a_player_does_not_leave_before_it_has_enough_pieces_to_win() -> None:
    few = position(red=[(3, 0), (0, 0)], exits=(1, 0, 0))
    assert '("EXIT", (3,0))' in {str(move) for move in few.moves()}
    assert '("EXIT", (3,0))' not in relevant(few, 0)
    enough = position(red=[(3, 0), (0, 0)], exits=(2, 0, 0))
    assert '("EXIT", (3,0))' in relevant(enough, 0)


def test_a_player_that_can_only_leave_may_leave() -> None:
    wall = [(2, 0), (1, 0), (3, -1), (3, -2), (2, 1), (1, 2)]
    state = position(red=[(3, 0)], green=wall)
    assert relevant(state, 0) == {'("EXIT", (3,0))'}


def test_only_opposing_pieces_within_two_steps_of_ones_own_are_looked_at() -> None:
    state = position(red=[(0, 0)], green=[(2, -1), (2, 1), (-3, 2)], mover="green")
    origins = {text.partition("((")[2].partition(")")[0] for text in relevant(state, 0)}
    assert origins == {"2,-1"}
    assert relevant(state, 1) == {str(move) for move in state.moves()}


def test_an_exit_is_looked_at_however_far_away_it_is() -> None:
    state = position(red=[(3, -3)], green=[(-3, 3), (2, -2)], exits=(0, 3, 0), mover="green")
    assert '("EXIT", (-3,3))' in relevant(state, 0)


def test_opponents_that_are_all_far_away_make_their_favourite_action() -> None:
    """Green is alone, has enough pieces, and so walks towards its edge at r = 3."""
    state = position(red=[(3, -3)], green=[(-3, 1)], exits=(0, 3, 0), mover="green")
    assert relevant(state, 0) == {'("MOVE", ((-3,1),(-3,2)))'}


def test_relevant_actions_are_legal_and_never_missing_while_the_game_goes_on() -> None:
    rng = random.Random(2)
    state = GAME.start().native
    while actions := state.actions():
        for root in range(3):
            chosen = _core.chexers_relevant(state, root)
            assert chosen
            assert set(chosen) <= set(actions)
        state.play(rng.choice(actions))
    assert _core.chexers_relevant(state, 0) == []


def test_the_stages_of_a_game_follow_pieces_and_distances() -> None:
    assert _core.chexers_stage(GAME.start().native, 0) == "early"
    fought = position(
        red=[(-3, 0), (-3, 1), (-3, 2), (-3, 3), (0, 0)],
        green=[(0, -3), (1, -3), (2, -3)],
        blue=[(3, 0), (2, 1), (1, 2), (0, 3)],
    )
    assert _core.chexers_stage(fought.native, 0) == "middle"
    late = position(red=[(2, 0)], green=[(0, -3)], exits=(3, 3, 0))
    assert _core.chexers_stage(late.native, 0) == "end"
    won = position(red=[(0, 0)], green=[(0, -3)], exits=(3, 1, 0))
    assert _core.chexers_stage(won.native, 0) == "won"
    assert _core.chexers_stage(won.native, 1) == "end"


def test_sixty_seconds_last_for_a_whole_game_of_256_turns() -> None:
    middle = position(red=[(-3, 0)], green=[(0, -3)])
    assert _core.chexers_stage(middle.native, 0) == "middle"
    for fixed in (GAME.start(), middle):
        left = 60.0
        board = fixed.fen().rsplit(" ", 1)[0]
        for turn in range(256):
            seconds = _core.chexers_thinking_time(
                GAME.parse_fen(f"{board} {3 * turn}").native, left
            )
            assert seconds > 0
            left -= seconds
        assert left > 0


def test_the_first_action_gets_its_even_share_of_the_clock() -> None:
    assert _core.chexers_thinking_time(GAME.start().native, 60.0) == pytest.approx(60 / 256)


def test_other_games_are_refused() -> None:
    with pytest.raises(BoardZeroError, match="for chexers only"):
        _core.chexers_scores(boardzero.make("english").start().native)
