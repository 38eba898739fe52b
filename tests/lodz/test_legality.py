"""What is wrong with illegal choices, on positions where it is plain."""

import numpy as np
import pytest
from numpy.typing import NDArray

from boardzero import make
from boardzero.lodz.board_view import Floats, Levels, Orientation, ShownBoard
from boardzero.lodz.legality import MOVE_ERRORS, PIECE_ERRORS, errors_of, examine
from boardzero.lodz.picker import Pick, pick

GAME = make("english:endings=ocheretian")


class Wishes:
    """Likes squares in a given order, and all others as they come."""

    orientation: Orientation = "turned"

    def __init__(self, pieces: list[int], targets: list[int]) -> None:
        self._pieces = pieces
        self._targets = targets

    def pieces(self, boards: Levels) -> Floats:
        return self._liked(self._pieces, len(boards))

    def targets(self, boards: Levels, pieces: NDArray[np.integer]) -> Floats:  # noqa: ARG002
        return self._liked(self._targets, len(boards))

    @staticmethod
    def _liked(order: list[int], rows: int) -> Floats:
        row = np.zeros(32, np.float32)
        for place, square in enumerate(order):
            row[square] = 100 - place
        return np.tile(row, (rows, 1))


def places(*squares: int) -> list[int]:
    """Squares of the board as White numbers them, from 0."""
    return [square - 1 for square in squares]


def test_a_legal_first_choice_has_no_errors() -> None:
    view = ShownBoard.of(GAME.parse_fen("W:W22:B1").native)
    picked = pick(Wishes(places(22), places(18)), view)
    assert picked == Pick(21, 17, (), ())
    assert picked.is_first_choice


def test_the_next_best_legal_choice_is_taken_and_the_others_are_kept() -> None:
    view = ShownBoard.of(GAME.parse_fen("W:W22,30:B1").native)
    picked = pick(Wishes(places(5, 1, 30, 22), places(30, 22, 25)), view)
    assert (picked.piece, picked.target) == (29, 24)
    assert picked.wrong_pieces == (4, 0)
    assert picked.wrong_targets == (29, 21)
    assert picked.tries == 4


@pytest.mark.parametrize(
    ("fen", "piece", "error"),
    [
        ("W:W22,29,25:B1", 29, "cannot move"),  # blocked by its own man on 25
        ("W:W22,32:B18", 32, "misses a jump"),  # 22 must take 18
        ("W:W22:B1", 10, "empty square"),
        ("W:W22:B1", 1, "opponent's piece"),
    ],
)
def test_the_four_errors_of_the_piece_net(fen: str, piece: int, error: str) -> None:
    view = ShownBoard.of(GAME.parse_fen(fen).native)
    picked = pick(Wishes(places(piece), []), view)
    assert errors_of(view, picked, columns=4)[0] == ("piece", error)
    assert error in PIECE_ERRORS


@pytest.mark.parametrize(
    ("fen", "piece", "target", "error"),
    [
        ("W:W22,17:B1", 22, 17, "occupied square"),
        ("W:W22:B18", 22, 17, "misses a jump"),
        ("W:W22:B1", 22, 15, "jumps over no opponent"),
        ("W:W22:B1", 22, 22, "stays where it is"),
        ("W:W22:B1", 22, 3, "out of reach"),
        ("W:W22:B1", 22, 25, "out of reach"),  # a man does not go back
    ],
)
def test_the_errors_of_the_move_net(fen: str, piece: int, target: int, error: str) -> None:
    view = ShownBoard.of(GAME.parse_fen(fen).native)
    picked = pick(Wishes(places(piece), places(target)), view)
    assert errors_of(view, picked, columns=4)[0] == ("move", error)
    assert error in MOVE_ERRORS


def test_a_king_may_step_back() -> None:
    view = ShownBoard.of(GAME.parse_fen("W:WK22,32:B18").native)
    picked = pick(Wishes(places(22), places(25)), view)
    assert errors_of(view, picked, columns=4)[0] == ("move", "misses a jump")


def test_black_s_errors_are_the_same_seen_from_its_side() -> None:
    state = GAME.parse_fen("B:W32:B11,4,8").native
    view = ShownBoard.of(state)
    turned = [32 - 4]  # blocked by its own man on 8
    picked = pick(Wishes(turned, []), view)
    assert errors_of(view, picked, columns=4)[0] == ("piece", "cannot move")


def test_a_capture_goes_on_with_its_piece_whatever_the_piece_net_likes() -> None:
    state = GAME.parse_fen("B:W6,14,32:B1,12").native.clone()
    view = ShownBoard.of(state)
    state.play(next(iter(view.steps.values())))
    view = ShownBoard.of(state)
    assert view.capturing == 32 - 10
    picked = pick(Wishes([32 - 12], []), view)
    assert picked.piece == view.capturing
    assert picked.wrong_pieces == ()


def test_a_tally_adds_up() -> None:
    *_, tally = examine(Wishes([], []), GAME, ["random", "self"], games=4, seed=1)
    assert sum(tally.errors.values()) == tally.tries
    assert sum(tally.first_errors.values()) == tally.decisions - tally.first
    assert tally.ratio == pytest.approx(tally.decisions / tally.tries)
    assert tally.legal == tally.first / tally.decisions
    assert sum(tally.results.values()) == 4
