"""The rules of draughts, one test for each: moves, captures, crowning and how games end."""

import random
from collections import Counter

import pytest

import boardzero
from boardzero import BoardZeroError, Move, State
from tests.games.variants import DRAUGHTS
from tests.reference.draughts import random_game


def position(fen: str, game: str = "international") -> State:
    return boardzero.make(game).parse_fen(fen)


def texts(state: State) -> set[str]:
    return {str(move) for move in state.moves()}


def taken(state: State, move: Move | str) -> set[str]:
    """The squares of the pieces that a move captures."""
    move = state.parse(move) if isinstance(move, str) else move
    return {state.game.geometry.labels[cell] for cell in move.captured}


def board(state: State) -> dict[str, str]:
    """What stands where: "white man", "black king", "black jumped"."""
    game = state.game
    return {
        game.geometry.labels[piece.cell]: f"{game.seats[piece.owner]} {piece.kind}"
        for piece in state.pieces()
    }


# Moves without a capture.


def test_a_man_moves_one_step_forwards() -> None:
    assert texts(position("W:W28:B1")) == {"28-22", "28-23"}
    assert texts(position("B:W50:B28")) == {"28-32", "28-33"}


def test_a_flying_king_moves_any_distance_until_something_is_in_its_way() -> None:
    state = position("W:WK46,14:B1")
    assert {text for text in texts(state) if text.startswith("46")} == {
        *("46-41", "46-37", "46-32", "46-28", "46-23", "46-19"),
    }


def test_an_english_king_moves_one_step_in_all_directions() -> None:
    assert texts(position("W:WK18:B1", "english")) == {"18-14", "18-15", "18-22", "18-23"}


def test_black_begins_in_english_draughts_and_pool_checkers_and_white_in_the_others() -> None:
    for name in DRAUGHTS:
        seats = ("black", "white") if name in ("english", "pool") else ("white", "black")
        assert boardzero.make(name).seats == seats
        assert boardzero.make(name).start().fen()[0] == seats[0][0].upper()


# Captures.


def test_capturing_is_compulsory() -> None:
    assert texts(position("W:W28,50:B22")) == {"28x17"}


def test_men_capture_forwards_and_backwards() -> None:
    assert texts(position("W:W28:B33")) == {"28x39"}
    assert texts(position("W:Wd4:Be3", "russian")) == {"d4xf2"}
    assert texts(position("W:W18:B23", "brazilian")) == {"18x27"}


def test_english_men_capture_only_forwards() -> None:
    assert texts(position("W:W18:B23", "english")) == {"18-14", "18-15"}
    assert texts(position("W:W18:B15", "english")) == {"18x11"}


def test_english_kings_capture_backwards_too_but_only_neighbours() -> None:
    assert texts(position("W:WK18:B23", "english")) == {"18x27"}
    assert texts(position("W:WK29:B22", "english")) == {"29-25"}


def test_a_flying_king_captures_from_afar_and_lands_on_any_free_square_behind() -> None:
    state = position("W:WK46:B28")
    assert texts(state) == {"46x23", "46x19", "46x14", "46x10", "46x5"}
    assert all(taken(state, move) == {"28"} for move in state.moves())


def test_two_pieces_in_a_row_cannot_be_jumped() -> None:
    assert texts(position("W:WK46:B28,23")) == {"46-41", "46-37", "46-32"}
    assert texts(position("W:W28:B22,17")) == {"28-23"}


def test_a_piece_at_the_edge_cannot_be_jumped() -> None:
    assert texts(position("W:W28,31:B26")) == {"28-22", "28-23", "31-27"}


def test_the_largest_capture_is_compulsory() -> None:
    state = position("W:W38,29:B32,21,24")
    assert texts(state) == {"38x16"}
    assert taken(state, "38x16") == {"32", "21"}


def test_the_number_of_pieces_counts_and_not_their_rank() -> None:
    state = position("W:W38,29:B32,21,K24")
    assert taken(state, state.moves()[0]) == {"32", "21"}
    assert len(state.moves()) == 1


def test_captures_of_the_same_size_are_a_free_choice() -> None:
    assert texts(position("W:W28,K47:B22,33")) == {
        *("28x17", "28x39", "47x29", "47x24", "47x20", "47x15"),
    }


def test_brazilian_draughts_takes_the_most_as_international_does() -> None:
    assert texts(position("W:W30,21:B26,19,17", "brazilian")) == {"30x16"}


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("english", {"30x16", "21x14"}),
        ("russian", {"c1xg5", "a3xc5"}),
        ("pool", {"30x16", "21x14"}),
    ],
)
def test_players_of_english_russian_and_pool_may_take_fewer(game: str, moves: set[str]) -> None:
    assert texts(position("W:W30,21:B26,19,17", game)) == moves


def test_a_capture_once_begun_goes_on_to_its_end() -> None:
    with pytest.raises(BoardZeroError, match="'31x22' is not legal here"):
        position("W:W31:B26,18", "english").parse("31x22")


def test_pieces_leave_the_board_only_after_the_whole_capture() -> None:
    state = position("W:W38:B32,21")
    state.play_action(state.actions()[0])
    assert board(state) == {"27": "white man", "32": "black jumped", "21": "black man"}
    assert state.to_move == 0
    state.play_action(state.actions()[0])
    assert board(state) == {"16": "white man"}
    assert state.to_move == 1


def test_a_jumped_piece_still_blocks_the_way_of_the_turkish_strike() -> None:
    # From 36 the king sees 18, which it has jumped, in front of 13: were 18 gone, 13 would fall.
    state = position("W:WK1:B13,18,30,38,41")
    assert texts(state) == {"1x36"}
    assert taken(state, "1x36") == {"18", "38", "41"}
    assert board(state.after("1x36")) == {
        "36": "white king",
        "13": "black man",
        "30": "black man",
    }


@pytest.mark.parametrize("game", ["russian", "brazilian", "pool"])
def test_the_turkish_strike_exists_on_the_small_board_too(game: str) -> None:
    # From 21 the king sees 14, which it has jumped, in front of 10.
    moves = position("W:WK9:B10,14,25,26", game).moves()
    captures = [{cell + 1 for cell in move.captured} for move in moves]
    assert {14, 25, 26} in captures
    assert not any({10, 14} <= capture for capture in captures)


def test_no_piece_is_jumped_twice() -> None:
    state = position("W:W38:B32,22,23,33")
    assert texts(state) == {"38x38"}
    assert taken(state, "38x38") == {"32", "22", "23", "33"}


def test_the_mover_may_cross_and_reach_the_square_that_it_left() -> None:
    state = position("W:W38,50:B32,22,23,33").after("38x38")
    assert board(state) == {"38": "white man", "50": "white man"}


def test_captures_between_the_same_squares_that_take_other_pieces_are_two_moves() -> None:
    state = position("W:WK26:B14,19,21,42")
    assert texts(state) == {"26x3x20x47", "26x8x24x47"}
    assert taken(state, "26x3x20x47") == {"21", "14", "42"}
    assert taken(state, "26x8x24x47") == {"21", "19", "42"}
    assert state.after("26x3x20x47") != state.after("26x8x24x47")


def test_english_captures_between_the_same_squares_are_told_apart_by_their_path() -> None:
    state = position("W:W31:B26,18,27,19", "english")
    assert texts(state) == {"31x22x15", "31x24x15"}


def test_an_ambiguous_capture_is_not_guessed() -> None:
    with pytest.raises(BoardZeroError, match="fits several captures; write the whole path"):
        position("W:WK26:B14,19,21,42").parse("26x47")


def test_part_of_a_path_is_enough_where_only_one_capture_fits() -> None:
    state = position("W:WK26:B14,19,21,42")
    assert str(state.parse("26x20x47")) == "26x3x20x47"
    assert str(state.parse("26x24x47")) == "26x8x24x47"


def test_routes_that_take_the_same_pieces_are_one_move() -> None:
    state = position("W:W38:B32,22,23,33")
    assert len(state.actions()) == 2
    assert len(state.moves()) == 1


# Crowning.


def test_a_man_that_ends_its_move_on_the_back_row_is_crowned() -> None:
    assert board(position("W:W6:B45").after("6-1"))["1"] == "white king"
    assert board(position("B:W6:B45").after("45-50"))["50"] == "black king"
    assert board(position("W:W12:B8,45").after("12x3"))["3"] == "white king"


@pytest.mark.parametrize(
    ("game", "fen", "move", "end"),
    [
        ("international", "W:W13:B9,10", "13x15", "15"),
        ("brazilian", "W:W10:B7,8", "10x12", "12"),
        ("pool", "W:W10:B7,8", "10x12", "12"),
    ],
)
def test_a_man_passing_the_back_row_in_a_capture_is_not_crowned(
    game: str, fen: str, move: str, end: str
) -> None:
    assert board(position(fen, game).after(move)) == {end: "white man"}


def test_a_man_on_the_back_row_within_a_capture_is_still_a_man() -> None:
    state = position("W:W13:B9,10")
    state.play_action(state.actions()[0])
    assert board(state)["4"] == "white man"


def test_a_crowned_man_has_the_moves_of_a_king_only_from_its_next_turn() -> None:
    # On 2 a king could take 11 at once.
    state = position("W:W13:B8,11,45")
    assert texts(state) == {"13x2"}
    state.play("13x2")
    assert board(state)["2"] == "white king"
    assert state.to_move == 1
    state.play("45-50")
    assert texts(state) == {"2x16"}


def test_an_english_man_stops_where_it_is_crowned() -> None:
    state = position("W:W10:B7,8", "english")
    assert texts(state) == {"10x3"}
    assert taken(state, "10x3") == {"7"}
    assert board(state.after("10x3")) == {"3": "white king", "8": "black man"}


def test_a_russian_man_is_crowned_in_full_flow_and_goes_on_as_a_king() -> None:
    # On d8 a man would have nothing to take.
    state = position("W:Wb6:Bc7,g5", "russian")
    assert texts(state) == {"b6xh4"}
    assert taken(state, "b6xh4") == {"c7", "g5"}
    assert board(state.after("b6xh4")) == {"h4": "white king"}


def test_a_russian_man_crowned_within_a_capture_is_a_king_between_the_jumps() -> None:
    state = position("W:Wb6:Bc7,g5", "russian")
    state.play_action(state.actions()[0])
    assert board(state) == {"d8": "white king", "c7": "black jumped", "g5": "black man"}


def test_a_brazilian_man_does_not_go_on_as_a_king() -> None:
    state = position("W:Wb6:Bc7,g5", "brazilian")
    (move,) = state.moves()
    assert board(state.after(move)) == {"2": "white king", "16": "black man"}


def test_a_russian_king_must_land_where_it_can_go_on() -> None:
    state = position("W:WKa1:Bc3,d6", "russian")
    assert texts(state) == {"a1xc7", "a1xb8"}
    assert all(taken(state, move) == {"c3", "d6"} for move in state.moves())


def test_a_king_of_pool_checkers_must_land_where_it_can_go_on() -> None:
    state = position("W:WK29:B22,10", "pool")
    assert texts(state) == {"29x1", "29x6"}
    assert all(taken(state, move) == {"22", "10"} for move in state.moves())


def test_a_russian_king_that_cannot_go_on_lands_anywhere_behind() -> None:
    assert texts(position("W:WKa1:Bc3", "russian")) == {"a1xd4", "a1xe5", "a1xf6", "a1xg7", "a1xh8"}


# Official endings.


def wander(state: State, plies: int) -> State:
    """Quiet king moves that repeat no position three times and offer nothing to take."""
    states = [state]
    untried = [peaceful(states)]
    while len(states) <= plies:
        if untried[-1]:
            states.append(states[-1].after(untried[-1].pop()))
            untried.append(peaceful(states))
        else:  # a dead end
            states.pop()
            untried.pop()
    return states[-1]


def peaceful(states: list[State]) -> list[Move]:
    seen = Counter(state.key() for state in states)
    moves = states[-1].moves()
    random.Random(len(states)).shuffle(moves)
    return [move for move in moves if is_peaceful(states[-1], move, seen)]


def is_peaceful(state: State, move: Move, seen: Counter[int]) -> bool:
    if move.captured or not board(state)[state.game.geometry.labels[move.path[0]]].endswith("king"):
        return False
    after = state.after(move)
    return seen[after.key()] < 2 and not any(reply.captured for reply in after.moves())


def test_a_side_that_cannot_move_loses() -> None:
    outcome = position("W:W26:B21,17").outcome()
    assert outcome is not None
    assert (outcome.winner, list(outcome.values), outcome.reason) == (1, [-1, 1], "no move left")


def test_a_side_without_pieces_loses() -> None:
    outcome = position("W:W28:B22").after("28x17").outcome()
    assert outcome is not None
    assert (outcome.winner, list(outcome.values)) == (0, [1, -1])


def test_the_same_position_for_the_third_time_is_a_draw() -> None:
    state = position("W:WK47,36:BK4,15")
    for text in ("47-42", "4-9", "42-47", "9-4", "47-42", "4-9", "42-47"):
        state.play(text)
        assert state.outcome() is None
    state.play("9-4")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.winner, list(outcome.values)) == (None, [0, 0])
    assert outcome.reason == "threefold repetition"
    assert state.moves() == []
    assert state.actions() == []


def test_the_same_pieces_with_the_other_side_to_move_are_another_position() -> None:
    # White loses a move with a triangle, so that each placing occurs with both sides to move.
    state = position("W:WK47,36:BK4,15")
    for text in ("47-42", "4-9", "42-38", "9-4", "38-47", "4-9", "47-42", "9-4", "42-47"):
        state.play(text)
    assert state.outcome() is None


def test_a_drawn_state_stays_drawn_when_the_colours_are_exchanged() -> None:
    state = position("W:WK47,36:BK4,15")
    for text in ("47-42", "4-9", "42-47", "9-4") * 2:
        state.play(text)
    outcome = state.native.transformed(1).outcome()
    assert outcome is not None
    assert outcome.reason == "threefold repetition"


@pytest.mark.parametrize(
    ("game", "fen", "moves"),
    [
        pytest.param("international", "W:WK46,K47,36:BK4,K5,15", 25, id="international, 25"),
        pytest.param("brazilian", "W:WK29,K30,21:BK3,K4,12", 20, id="brazilian, 20"),
        pytest.param("russian", "W:WKa1,Kc1,a3:BKf8,Kh8,h6", 15, id="russian, 15"),
        pytest.param("english", "W:WK29,K30,21:BK3,K4,12", 40, id="english, 40"),
        pytest.param("pool", "W:WK29,K30,21:BK3,K4,12", 40, id="pool, 40"),
    ],
)
def test_so_many_moves_of_each_side_with_kings_only_and_no_capture_are_a_draw(
    game: str, fen: str, moves: int
) -> None:
    almost = wander(position(fen, game), 2 * moves - 1)
    assert almost.outcome() is None
    outcome = wander(position(fen, game), 2 * moves).outcome()
    assert outcome is not None
    assert outcome.winner is None
    assert outcome.reason == "move limit without capture or man move"


def test_a_move_of_a_man_starts_the_count_of_25_again() -> None:
    state = wander(position("W:WK46,K47,36:BK4,K5,15"), 48)
    state.play("36-31")
    assert wander(state, 3).outcome() is None


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        pytest.param("W:WK46,K47,K48:BK4", 16, id="three kings, 16"),
        pytest.param("W:WK46,K47,36:BK4", 16, id="two kings and a man, 16"),
        pytest.param("W:WK46,36,26:BK4", 16, id="a king and two men, 16"),
        pytest.param("B:WK46:BK3,K4,15", 16, id="the same for black, 16"),
        pytest.param("W:WK46,K47:BK4", 5, id="two kings, 5"),
        pytest.param("W:WK47,36:BK4", 5, id="a king and a man, 5"),
        pytest.param("W:WK47:BK4", 5, id="one king, 5"),
    ],
)
def test_so_many_moves_of_each_side_against_a_lone_king_are_a_draw(fen: str, moves: int) -> None:
    assert wander(position(fen), 2 * moves - 1).outcome() is None
    outcome = wander(position(fen), 2 * moves).outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (None, "move limit of the ending")


def test_three_kings_have_13_moves_to_beat_one_in_pool_checkers() -> None:
    state = position("W:WK30,K31,K32:BK1", "pool")
    assert wander(state, 25).outcome() is None
    outcome = wander(state, 26).outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (None, "move limit of the ending")


@pytest.mark.parametrize("white", ["K30,K31,21", "K30,K31", "K30"])
def test_in_pool_checkers_only_three_kings_are_counted_against_one(white: str) -> None:
    assert wander(position(f"W:W{white}:BK1", "pool"), 40).outcome() is None


def test_four_kings_against_one_have_the_ordinary_25_moves() -> None:
    state = position("W:WK46,K47,K48,K49:BK4")
    assert wander(state, 49).outcome() is None


def test_the_count_against_a_lone_king_begins_when_the_ending_arises() -> None:
    state = position("W:WK46,K47,33:BK4,29")
    state.play("33x24")
    assert wander(state, 31).outcome() is None
    assert wander(state, 32).outcome() is not None


# Endings of the theses.


@pytest.mark.parametrize(("king", "balance"), [(2, 5 - 4), (3, 7 - 5)])
def test_meng_gives_a_game_cut_short_the_material_balance_and_no_winner(
    king: int, balance: int
) -> None:
    start = position("W:WK46,K47,36:BK4,15,25", f"international:endings=meng,king={king}")
    state = wander(start, 21)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winner is None
    assert list(outcome.values) == pytest.approx([balance / 40, -balance / 40])


def test_the_material_balance_of_black_to_move_is_not_whites() -> None:
    start = position("B:WK46,K47,36:BK4,15,25", "international:endings=meng")
    outcome = wander(start, 21).outcome()
    assert outcome is not None
    assert list(outcome.values) == pytest.approx([1 / 40, -1 / 40])


def test_meng_ends_a_game_after_more_than_20_steps_without_a_capture() -> None:
    start = position("W:WK46,K47,36:BK4,K5,15", "international:endings=meng")
    assert wander(start, 20).outcome() is None
    outcome = wander(start, 21).outcome()
    assert outcome is not None
    assert outcome.reason == "20 steps without capture"


def test_meng_counts_steps_of_men_without_a_capture_too() -> None:
    start = position("W:W41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5", "international:endings=meng")
    states = [start]
    rng = random.Random(4)
    while (moves := states[-1].moves()) and not moves[0].captured:
        states.append(states[-1].after(rng.choice(moves)))
    assert len(states) <= 22


def test_meng_ends_a_game_after_150_steps_but_never_within_a_capture() -> None:
    game = boardzero.make("international:endings=meng")
    rng = random.Random(6)
    ends = []
    while len(ends) < 3:
        last = random_game(game, rng)[-1]
        outcome = last.outcome()
        assert outcome is not None
        if outcome.reason == "150 steps":
            lengths = [len(move.actions) for move in last.history if isinstance(move, Move)]
            ends.append((sum(lengths[:-1]), sum(lengths)))
    assert all(before < 150 <= steps for before, steps in ends)


def test_meng_knows_no_repetition() -> None:
    state = position("W:WK47,36:BK4,15", "international:endings=meng")
    for text in ("47-42", "4-9", "42-47", "9-4") * 2:
        state.play(text)
    assert state.outcome() is None


def test_a_win_counts_as_a_win_in_meng_too() -> None:
    outcome = position("W:W28:B22", "international:endings=meng").after("28x17").outcome()
    assert outcome is not None
    assert (outcome.winner, list(outcome.values)) == (0, [1, -1])


@pytest.mark.parametrize(
    ("endings", "plies", "reason"),
    [
        ("ocheretian", 15, "15 plies without capture"),
        ("ocheretian-each", 30, "15 moves each without capture"),
        ("ocheretian-own", 29, "15 own moves without capture"),
        ("openspiel", 40, "40 plies without capture"),
    ],
)
def test_english_games_may_end_by_counting_plies_without_a_capture(
    endings: str, plies: int, reason: str
) -> None:
    start = position("W:WK29,K30,21:BK3,K4,12", f"english:endings={endings}")
    assert wander(start, plies - 1).outcome() is None
    outcome = wander(start, plies).outcome()
    assert outcome is not None
    assert (outcome.winner, list(outcome.values), outcome.reason) == (None, [0, 0], reason)


def test_who_never_captures_draws_by_his_own_count_whatever_the_other_does() -> None:
    game = boardzero.make("english:endings=ocheretian-own")
    rng = random.Random(1)
    drawn = 0
    while drawn < 10:
        last = random_game(game, rng)[-1]
        outcome = last.outcome()
        assert outcome is not None
        captures = [bool(move.captured) for move in last.history if isinstance(move, Move)]
        counts = [[*captures[seat::2][::-1], True].index(True) for seat in (0, 1)]
        drawn += outcome.winner is None
        assert max(counts) == 15 if outcome.winner is None else max(counts) <= 15


@pytest.mark.parametrize(
    ("endings", "plies"), [("ocheretian", 15), ("ocheretian-each", 30), ("openspiel", 40)]
)
def test_only_captures_start_that_count_again(endings: str, plies: int) -> None:
    game = boardzero.make(f"english:endings={endings}")
    rng = random.Random(plies)
    drawn = 0
    while drawn < 10:
        last = random_game(game, rng)[-1]
        outcome = last.outcome()
        assert outcome is not None
        captures = [bool(move.captured) for move in last.history if isinstance(move, Move)]
        quiet = [*captures[::-1], True].index(True)
        drawn += outcome.winner is None
        assert quiet == plies if outcome.winner is None else quiet <= plies
