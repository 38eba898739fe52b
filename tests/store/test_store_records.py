from dataclasses import replace

import pytest
from stored_games import GAME

from boardzero.base.errors import BoardZeroError
from boardzero.store import GameResult


def test_the_winner_has_one_point_and_the_others_none() -> None:
    result = GameResult(("a", "b", "c"), (-1, 1, -1), winner=1)
    assert [result.points(seat) for seat in range(3)] == [0, 1, 0]


def test_a_game_cut_short_is_a_draw_although_its_values_differ() -> None:
    result = GameResult(("a", "b"), (0.2, -0.2), winner=None)
    assert result.points(0) == result.points(1) == 0.5


def test_times_that_were_not_measured_are_zero_for_every_seat() -> None:
    result = GameResult(("a", "b"), (0, 0), winner=None)
    assert result.turns == (0, 0)
    assert result.seconds == (0, 0)


def test_plies_count_the_opening_and_the_moves() -> None:
    assert GAME.plies == 6


@pytest.mark.parametrize(
    ("seats", "values", "winner", "complaint"),
    [
        (("a",), (1.0,), 0, "two to four seats"),
        (("a",) * 5, (0.0,) * 5, None, "two to four seats"),
        (("a", "b"), (1.0,), 0, "one per seat"),
        (("a", "b"), (1.5, -1.5), 0, r"\[-1, 1\]"),
        (("a", "b"), (float("nan"), 0.0), None, r"\[-1, 1\]"),
        (("a", "b"), (1.0, -1.0), 2, "seat 2 cannot win"),
    ],
)
def test_an_impossible_result_is_refused_with_a_sentence(
    seats: tuple[str, ...], values: tuple[float, ...], winner: int | None, complaint: str
) -> None:
    with pytest.raises(BoardZeroError, match=complaint):
        GameResult(seats, values, winner)


def test_times_for_fewer_seats_than_the_game_has_are_refused() -> None:
    with pytest.raises(BoardZeroError, match="one per seat"):
        replace(GAME, seconds=(1.0,))
