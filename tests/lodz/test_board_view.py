"""Boards as rows of levels, and steps as pairs of squares."""

from boardzero import make
from boardzero.lodz.board_view import ShownBoard, as_input

ENGLISH = "english:endings=ocheretian"


def test_the_levels_are_the_thesis_s_and_turned_to_the_mover() -> None:
    game = make(ENGLISH)
    black = game.parse_fen("B:W21,K30:B9,K1")
    row = ShownBoard.of(black.native).board
    # Black goes up the board when it is turned: its square n is our place 32 - n.
    assert [int(row[32 - n]) for n in (9, 1, 21, 30, 15)] == [3, 4, 1, 0, 2]
    row = ShownBoard.of(game.parse_fen("W:W21,K30:B9,K1").native).board
    assert [int(row[n - 1]) for n in (9, 1, 21, 30, 15)] == [1, 0, 3, 4, 2]
    assert set(as_input(row[None])[0]) == {0, 0.25, 0.5, 0.75, 1}


def test_the_fixed_view_keeps_the_board_as_it_lies() -> None:
    state = make(ENGLISH).parse_fen("B:W21,K30:B9,K1").native
    assert [int(ShownBoard.of(state, "fixed").board[n - 1]) for n in (9, 1, 21, 30)] == [3, 4, 1, 0]
    assert set(ShownBoard.of(state, "fixed").steps) == {(8, 12), (8, 13), (0, 4), (0, 5)}


def test_steps_are_squares_as_the_view_numbers_them() -> None:
    state = make(ENGLISH).start().native  # black to move
    board = ShownBoard.of(state).board
    for piece, target in ShownBoard.of(state).steps:
        assert board[piece] == 3
        assert board[target] == 2
        assert piece > target  # the mover goes up


def test_a_piece_jumped_has_left_the_board_and_each_jump_is_a_row_of_its_own() -> None:
    state = make(ENGLISH).parse_fen("B:W6,14:B1").native.clone()
    ((piece, target), action) = next(iter(ShownBoard.of(state).steps.items()))
    assert (piece, target) == (31, 32 - 10)
    state.play(action)
    board = ShownBoard.of(state).board
    assert int((board != 2).sum()) == 2  # who jumps, and who is to be jumped next
    assert list(ShownBoard.of(state).steps) == [(22, 32 - 17)]
