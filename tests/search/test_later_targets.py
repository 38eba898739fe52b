"""What samples tell of the rest of the game: how long it lasts, and its last board."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from boardzero import State, _core
from tests.games.tictactoe import TicTacToe
from tests.search.stored import MOVER, Choice, Record, draw, replay
from tests.search.test_records import GAMES, full_choices, games, records


@pytest.mark.parametrize("spec", GAMES)
def test_moves_left_are_counted_to_the_end_of_the_record(spec: str) -> None:
    data, record = games(spec)[0], records(spec)[0]
    for rank, choice in enumerate(full_choices(record)):
        assert draw(spec, data, rank).moves_left == len(record.actions[choice.ply :])


def last_board(state: State, viewer: int) -> NDArray[np.float64]:
    """Who has what where, from the drawing of a board, for games whose planes are known by hand."""
    game = state.game
    if game.name == "gomoku":
        planes = np.zeros((2, game.shape.rows * game.shape.columns))
        for piece in state.pieces():
            planes[(piece.owner - viewer) % 2, piece.cell] = 1
        return planes.reshape(2, game.shape.rows, game.shape.columns)
    rows, columns = game.shape.rows, game.shape.columns  # of the dark squares
    squares = np.zeros((4, rows * columns))
    for piece in state.pieces():
        kind = 2 * ((piece.owner - viewer) % 2) + (piece.kind == "king")
        squares[kind, piece.cell] = 1
    planes = squares.reshape(4, rows, columns)
    # White is seat 0 of international draughts, and seat 1 of English; the mover's men go up.
    upwards = 0 if game.name == "international" else 1
    return planes if viewer == upwards else planes[:, ::-1, ::-1]


@pytest.mark.parametrize("spec", ["gomoku:size=5,line=4", "english", "international:endings=meng"])
def test_ownership_is_the_last_board_as_the_mover_of_the_position_sees_it(spec: str) -> None:
    data, record = games(spec)[0], records(spec)[0]
    last = replay(spec, record, len(record.actions))
    movers = set()
    for rank, choice in enumerate(full_choices(record)):
        mover = replay(spec, record, choice.ply).to_move
        movers.add(mover)
        wanted = last_board(last, mover)
        seen = draw(spec, data, rank).ownership
        assert np.array_equal(seen[: len(wanted)], wanted)
        # A history does not show in it, and a turned sample shows the turned board.
        assert np.array_equal(draw(spec, data, rank, form=("mover", "flat", 2)).ownership, seen)
        for symmetry in range(1, last.native.symmetries()):
            turned = draw(spec, data, rank, symmetry).ownership
            image = last.native.transformed(symmetry)
            if last.to_move == mover:
                assert np.array_equal(turned, image.encode())
            assert turned[: len(wanted)].sum() == wanted.sum()
    assert movers == {0, 1}


def test_chexers_shows_own_next_and_previous_pieces_of_the_last_board() -> None:
    data, record = games("chexers")[0], records("chexers")[0]
    last = replay("chexers", record, len(record.actions))
    counts = Counter(piece.owner for piece in last.pieces())
    for rank, choice in enumerate(full_choices(record)):
        mover = replay("chexers", record, choice.ply).to_move
        seen = draw("chexers", data, rank).ownership[:3].sum(axis=(1, 2)).tolist()
        assert seen == [counts[(mover + i) % 3] for i in range(3)]
        if mover == last.to_move:
            assert np.array_equal(draw("chexers", data, rank).ownership, last.encode())


def test_where_only_the_mover_sees_a_state_ownership_is_his_last_one() -> None:
    game = TicTacToe().game()
    actions = (0, 3, 1, 4, 2)  # x wins in the first row
    choices = tuple(Choice(ply, True, (0.0, 0.0), ((actions[ply], 65535),)) for ply in range(5))
    data = Record(actions, choices, (1.0, -1.0), winner=0).pack()
    sampler = _core.make_sampler(game.start().native, MOVER)
    last = {0: game.start(), 1: game.start()}
    state = game.start()
    for action in actions:
        last[state.to_move] = state.copy()
        state.play_action(action)
    for rank in range(5):
        rows = [np.empty((1, *sampler.input_shape()), np.float32)]
        rows += [np.empty((1, n), np.float32) for n in (9, 2, 2)]
        board = np.empty((1, *sampler.board_shape()), np.float32)
        sampler.draw([(data, rank, 0)], *rows, ownership=board)
        assert np.array_equal(board[0], last[rank % 2].encode())
