"""The rules, texts, views and symmetries of Chexers."""

import random

import numpy as np
import pytest

from boardzero import BoardZeroError, State
from tests.games.chexers_position import GAME, position
from tests.reference import chexers as reference

EMPTY = "4/5/6/7/6/5/4"
SHUTTLES = {(-3, 0), (-2, 0), (0, -3), (0, -2), (3, 0), (2, 0)}  # two hexagons for each player


def texts(state: State) -> list[str]:
    return [str(move) for move in state.moves()]


def owners(state: State) -> dict[str, int]:
    return {GAME.geometry.labels[piece.cell]: piece.owner for piece in state.pieces()}


def random_game(rng: random.Random) -> list[State]:
    """All states of a random game, the last of which is over."""
    state = GAME.start()
    states = [state.copy()]
    while actions := state.actions():
        state.play_action(rng.choice(actions))
        states.append(state.copy())
    return states


# The rules against the reference.


@pytest.mark.parametrize("seed", range(3))
def test_random_games_agree_with_the_reference_at_every_turn(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        plain, fast = reference.Chexers(), GAME.start().native
        hurry = rng.random()  # how often a piece leaves when it can, lest most games are drawn
        while actions := plain.actions():
            assert sorted(map(reference.text, actions)) == sorted(map(str, fast.moves()))
            assert fast.outcome() is None
            exits = [a for a in actions if a[0] == "EXIT"]
            action = rng.choice(exits if exits and rng.random() < hurry else actions)
            fast.play_all(fast.parse(reference.text(action)).actions)
            plain.play(action)
            assert fast.fen() == reference.fen(
                plain.board, mover=plain.colour, exits=plain.exits.values(), turns=plain.turns
            )
        outcome = fast.outcome()
        assert outcome is not None
        assert fast.moves() == []
        result = plain.result()
        if outcome.winner is None:
            assert outcome.reason == result
        else:
            assert reference.COLOURS[outcome.winner] == result
            assert outcome.reason == "four exits"


def test_games_in_which_a_piece_goes_to_and_fro_repeat_as_in_the_reference() -> None:
    """Random games seldom repeat a position; these do whenever they can."""
    rng = random.Random(5)
    repetitions = 0
    for _ in range(60):
        plain, fast = reference.Chexers(), GAME.start().native
        while actions := plain.actions():
            quiet = [a for a in actions if a[0] == "MOVE" and set(a[1]) <= SHUTTLES]
            action = rng.choice(quiet or actions)
            fast.play_all(fast.parse(reference.text(action)).actions)
            plain.play(action)
            assert (fast.outcome() is None) == (plain.result() is None)
        repetitions += plain.result() == "repetition"
    assert repetitions > 10


# Rule by rule.


def test_the_start_has_four_pieces_of_each_colour_and_red_to_move() -> None:
    state = GAME.start()
    expected = {
        f"{q},{r}": seat
        for seat, colour in enumerate(reference.COLOURS)
        for q, r in reference.START[colour]
    }
    assert owners(state) == expected
    assert state.to_move == 0
    assert state.fen() == "gggg/5/6/r5b/r4b/r3b/r2b r 0,0,0 0"


def test_play_goes_round_red_green_blue() -> None:
    state = GAME.start()
    movers = []
    for _ in range(6):
        movers.append(state.to_move)
        state.play_action(state.actions()[0])
    assert movers == [0, 1, 2, 0, 1, 2]


def test_a_piece_moves_to_any_of_its_six_empty_neighbours() -> None:
    assert set(texts(position(red=[(0, 0)]))) == {
        f'("MOVE", ((0,0),({q},{r})))' for q, r in reference.NEIGHBOURS
    }


def test_a_jumped_piece_of_another_colour_becomes_the_jumpers() -> None:
    state = position(red=[(0, 0)], green=[(1, 0)])
    move = state.parse('("JUMP", ((0,0),(2,0)))')
    assert [GAME.geometry.labels[cell] for cell in move.path] == ["0,0", "2,0"]
    assert [GAME.geometry.labels[cell] for cell in move.captured] == ["1,0"]
    assert owners(state.after(move)) == {"1,0": 0, "2,0": 0}


def test_a_jump_over_a_piece_of_ones_own_changes_no_colour() -> None:
    state = position(red=[(0, 0), (1, 0)], green=[(-3, 3)])
    move = state.parse("0,0>2,0")
    assert move.captured == []
    assert owners(state.after(move)) == {"1,0": 0, "2,0": 0, "-3,3": 1}


def test_a_converted_piece_acts_for_its_new_owner_and_can_be_converted_back() -> None:
    state = position(red=[(0, 0)], green=[(1, 0), (0, -1)], mover="red")
    state.play("0,0>2,0")
    state.play("0,-1>0,0")
    assert owners(state) == {"1,0": 0, "2,0": 0, "0,0": 1}
    state.play("pass")
    state.play("2,0>2,-1")
    state.play("0,0>2,0")
    assert owners(state) == {"1,0": 1, "2,0": 1, "2,-1": 0}


def test_a_jump_needs_an_empty_hexagon_on_the_board_behind() -> None:
    blocked = position(red=[(0, 0)], green=[(1, 0), (2, 0)])
    assert '("JUMP", ((0,0),(2,0)))' not in texts(blocked)
    edge = position(red=[(2, 0)], green=[(3, 0)])
    assert not any("JUMP" in text for text in texts(edge))


def test_nothing_forces_a_capture() -> None:
    state = position(red=[(0, 0)], green=[(1, 0)])
    assert sum("MOVE" in text for text in texts(state)) == 5
    assert sum("JUMP" in text for text in texts(state)) == 1


@pytest.mark.parametrize("colour", reference.COLOURS)
def test_a_piece_leaves_only_from_its_own_leaving_hexagons(colour: str) -> None:
    for place in reference.HEXES:
        state = GAME.parse_fen(reference.fen({place: colour}, mover=colour))
        exits = f'("EXIT", ({place[0]},{place[1]}))' in texts(state)
        assert exits == (place in reference.LEAVING[colour])


def test_an_exit_takes_the_piece_off_the_board_and_counts() -> None:
    state = position(red=[(3, 0), (0, 0)]).after("3,0 exit")
    assert owners(state) == {"0,0": 0}
    assert state.fen() == "4/5/6/3r3/6/5/4 g 1,0,0 1"


def test_passing_is_legal_only_when_nothing_else_is() -> None:
    assert texts(position(green=[(0, 0)])) == ['("PASS", None)']
    shut_in = position(
        red=[(-3, 0)], green=[(-2, 0), (-1, 0), (-3, 1), (-3, 2)], blue=[(-2, -1), (-1, -2)]
    )
    assert texts(shut_in) == ['("PASS", None)']
    with pytest.raises(BoardZeroError, match="not a legal move here"):
        GAME.start().play("pass")


def test_the_fourth_exit_wins_at_once() -> None:
    state = position(red=[(3, 0)], green=[(0, 3)], blue=[(-3, 0)], exits=(3, 3, 3))
    state.play("3,0 exit")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (0, "four exits")
    assert list(outcome.values) == [1, -1, -1]
    assert state.actions() == []


def test_a_position_that_occurs_for_the_fourth_time_is_a_draw() -> None:
    state = position(red=[(0, 0)], green=[(0, -3)], blue=[(0, 3)])
    there_and_back = [
        *("0,0>1,0", "0,-3>1,-3", "0,3>-1,3"),
        *("1,0>0,0", "1,-3>0,-3", "-1,3>0,3"),
    ]
    for text in there_and_back * 3:
        assert state.outcome() is None
        state.play(text)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (None, "repetition")
    assert list(outcome.values) == pytest.approx([-1 / 3] * 3)  # a third of the win each


def test_three_passing_players_draw_by_repetition() -> None:
    state = position()
    for _ in range(9):
        assert state.outcome() is None
        state.play("pass")
    assert state.outcome() is not None


def test_a_turned_copy_of_an_earlier_position_is_no_repetition() -> None:
    """Red, green and blue see the same empty board in turn, but each only once in a round."""
    state = position()
    for _ in range(4):
        state.play("pass")
    assert state.outcome() is None


def test_each_player_has_256_turns() -> None:
    state = position(red=[(0, 0)], turns=767, mover="blue")
    assert state.outcome() is None
    state.play("pass")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (None, "turn limit")


def test_a_fourth_exit_in_the_last_turn_still_wins() -> None:
    state = position(blue=[(0, -3)], exits=(0, 0, 3), turns=767, mover="blue").after("0,-3 exit")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winner == 2


# Texts.


@pytest.mark.parametrize(
    "text",
    [
        '("MOVE", ((-3,0),(-2,0)))',
        "('MOVE', ((-3, 0), (-2, 0)))",
        "  ( move,((-3,0),(-2,0)) ) ",
        "-3,0>-2,0",
        "-3,0 > -2,0",
    ],
)
def test_a_move_is_read_in_the_referees_form_and_in_short(text: str) -> None:
    assert str(GAME.start().parse(text)) == '("MOVE", ((-3,0),(-2,0)))'


def test_exits_and_passes_are_read_in_both_forms() -> None:
    state = position(red=[(3, -1)])
    assert state.parse('("EXIT", (3,-1))') == state.parse("3,-1 exit")
    assert position().parse('("PASS", None)') == position().parse("pass")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e4",
        "-3,0",
        "-3,0-2,0",
        "-3,0>-2,0>-1,0",
        "9,9 exit",
        '("JUMP", ((-3,0),(-2,0)))',
        '("MOVE", ((-3,0),(-2,0))',
        "99999999999,0>0,0",
    ],
)
def test_text_that_is_no_action_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BoardZeroError, match="is not a Chexers action; write one as"):
        GAME.start().parse(text)


def test_an_illegal_action_is_refused_with_the_legal_ones() -> None:
    with pytest.raises(BoardZeroError, match="'-3,0>-1,0' is not a legal move here; legal moves"):
        GAME.start().parse("-3,0>-1,0")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "needs r, g, b or a number of empty hexagons in the row -3 at character 1"),
        ("5/5/6/7/6/5/4 r 0,0,0 0", "too many hexagons for the row -3 at character 1"),
        ("rrrrr/5/6/7/6/5/4 r 0,0,0 0", "needs a / between two rows at character 5"),
        ("4/5/6/7/6/5/x r 0,0,0 0", "in the row 3 at character 13"),
        (EMPTY, "needs a space and then the player to move at character 14"),
        (EMPTY + " w 0,0,0 0", "needs the player to move: r, g or b at character 15"),
        (EMPTY + " r 0,0 0", "needs a comma between two numbers of exits at character 20"),
        (EMPTY + " r 0,0,5 0", "needs a number from 0 to 4 at character 21"),
        (EMPTY + " r 0,0,0 769", "needs a number from 0 to 768 at character 23"),
        (EMPTY + " r 0,0,0 0 0", "has more than a position at character 25"),
        (EMPTY + " r 4,0,4 0", "has two winners"),
        ("gggg/rrrrr/rrrr2/7/6/5/4 r 0,0,0 0", "has 13 pieces on the board and gone"),
    ],
)
def test_a_bad_position_is_refused_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(BoardZeroError) as error:
        GAME.parse_fen(text)
    assert complaint in str(error.value)


def test_the_text_of_a_position_reads_back_to_an_equal_state() -> None:
    for state in random_game(random.Random(1)):
        again = GAME.parse_fen(state.fen())
        assert again == state
        assert again.key() == state.key()
        assert again.fen() == state.fen()


def test_equal_boards_with_other_exits_or_movers_differ() -> None:
    state = position(red=[(0, 0)], exits=(1, 0, 0))
    assert state != position(red=[(0, 0)], exits=(0, 1, 0))
    assert state != position(red=[(0, 0)], exits=(1, 0, 0), mover="green")
    assert state == position(red=[(0, 0)], exits=(1, 0, 0), turns=30)


# Action ids and views.


def test_an_action_id_is_its_plane_times_37_plus_its_hexagon() -> None:
    ways = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    hexes = list(reference.HEXES)
    seen = set()
    for state in random_game(random.Random(2)):
        for move in state.moves():
            (action,) = move.actions
            kind, places = eval(str(move))
            if kind == "PASS":
                assert action == 481
                continue
            start = places if kind == "EXIT" else places[0]
            plane = 12
            if kind != "EXIT":
                end = places[1]
                size = {"MOVE": 1, "JUMP": 2}[kind]
                way = ((end[0] - start[0]) // size, (end[1] - start[1]) // size)
                plane = ways.index(way) + (6 if kind == "JUMP" else 0)
            assert action == 37 * plane + hexes.index(start)
            seen.add(kind)
    assert seen >= {"MOVE", "JUMP", "EXIT"}


def test_the_encoding_is_seven_by_seven_by_six_with_red_at_the_bottom_left() -> None:
    planes = GAME.start().encode()
    assert planes.shape == (6, 7, 7)
    own = np.zeros((7, 7))
    own[3:, 0] = 1
    np.testing.assert_array_equal(planes[0], own)
    np.testing.assert_array_equal(np.argwhere(planes[1]), [[0, 3], [0, 4], [0, 5], [0, 6]])
    np.testing.assert_array_equal(np.argwhere(planes[2]), [[3, 6], [4, 5], [5, 4], [6, 3]])
    assert not planes[3:].any()


def test_exits_are_constant_planes_in_quarters_own_next_previous() -> None:
    planes = position(green=[(0, 0)], exits=(3, 1, 2), mover="green").encode()
    assert [plane.min() for plane in planes[3:]] == [0.25, 0.5, 0.75]
    assert [plane.max() for plane in planes[3:]] == [0.25, 0.5, 0.75]


def test_every_player_sees_the_start_as_red_does() -> None:
    views = [position(**reference.START, mover=colour) for colour in reference.COLOURS]
    for view in views[1:]:
        np.testing.assert_array_equal(view.encode(), views[0].encode())
        relative = {view.native.relative(action) for action in view.actions()}
        assert relative == set(views[0].actions())


def test_every_player_leaves_where_red_leaves_in_its_own_view() -> None:
    views = [
        {
            state.native.relative(move.actions[0])
            for place in reference.LEAVING[colour]
            for state in [GAME.parse_fen(reference.fen({place: colour}, mover=colour))]
            for move in state.moves()
            if "EXIT" in str(move)
        }
        for colour in reference.COLOURS
    ]
    assert len(views[0]) == 4
    assert views[0] == views[1] == views[2]


# Symmetries: the three turns of the board, with the seats.


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_turning_the_board_commutes_with_play(turns: int) -> None:
    rng = random.Random(turns)
    for _ in range(5):
        state = GAME.start().native
        turned = state.transformed(turns)
        while actions := state.actions():
            assert {state.transformed_action(turns, a) for a in actions} == set(turned.actions())
            action = rng.choice(actions)
            turned.play(state.transformed_action(turns, action))
            state.play(action)
            assert state.transformed(turns).equals(turned)
            assert state.transformed(turns).key() == turned.key()
            assert turned.to_move == state.transformed_seat(turns, state.to_move)
        end, turned_end = state.outcome(), turned.outcome()
        assert end is not None
        assert turned_end is not None
        assert turned_end.reason == end.reason
        for seat in range(3):
            assert turned_end.values[state.transformed_seat(turns, seat)] == end.values[seat]


def test_a_repetition_is_still_known_after_turning_the_board() -> None:
    state = position().native
    for _ in range(8):
        state.play(481)
    turned = state.transformed(1)
    assert turned.outcome() is None
    turned.play(481)
    outcome = turned.outcome()
    assert outcome is not None
    assert outcome.reason == "repetition"


def test_a_turned_state_looks_the_same_to_its_mover() -> None:
    for state in random_game(random.Random(3)):
        native = state.native
        for turns in (1, 2):
            turned = native.transformed(turns)
            np.testing.assert_array_equal(turned.encode(), native.encode())
            for action in native.actions():
                image = native.transformed_action(turns, action)
                assert turned.relative(image) == native.relative(action)


def test_a_random_playout_draws_an_exit_as_often_as_any_other_action() -> None:
    """Two turns are left: a playout has one action if red leaves at once, and two if not."""
    state = position(red=[(3, 0), (0, 0)], green=[(2, 0)], exits=(3, 0, 0), turns=766)
    games, choices = 20_000, len(state.actions())
    wins = 2 * games - state.native.playouts(games, 1)
    share = 1 / choices
    assert abs(wins - games * share) < 4 * (games * share * (1 - share)) ** 0.5
