import math
from math import comb

import numpy as np
import pytest
from simulated import games

from boardzero.arena import (
    Score,
    head_to_head,
    meng_elo,
    multiplayer_ratings,
    pair_elo,
    scores_by_seat,
)
from boardzero.arena.ratings import elo_of_score, expected_score, meng_update
from boardzero.base.errors import BoardZeroError
from boardzero.store import GameResult

# Scores


def test_scores_are_kept_apart_by_who_moved_first() -> None:
    played = games("a", "b", 3, 2, 1) + games("b", "a", 5, 0, 4)
    assert scores_by_seat(played) == {("a", "b"): Score(3, 2, 1), ("b", "a"): Score(5, 0, 4)}
    assert head_to_head(played, "a", "b") == Score(7, 2, 6)
    assert head_to_head(played, "b", "a") == Score(6, 2, 7)
    assert head_to_head(played, "a", "c") == Score()


def test_a_score_counts_draws_as_half_points() -> None:
    score = Score(wins=3, draws=2, losses=1)
    assert (score.games, score.points, score.mean) == (6, 4, pytest.approx(2 / 3))
    assert str(score) == "3 : 2 : 1"


# One match


def test_expected_score_and_elo_are_inverse() -> None:
    for elo in (-800, -3.5, 0, 191, 1200):
        assert elo_of_score(expected_score(elo)) == pytest.approx(elo)
    assert elo_of_score(0) == -math.inf
    assert elo_of_score(1) == math.inf


def test_the_elo_of_a_match_is_that_of_its_score() -> None:
    assert pair_elo(75, 0, 25).value == pytest.approx(190.8, abs=0.1)
    assert pair_elo(60, 30, 10).value == pytest.approx(190.8, abs=0.1)


def test_draws_make_the_interval_shorter() -> None:
    drawish, decisive = pair_elo(30, 60, 10), pair_elo(60, 0, 40)
    assert drawish.value == pytest.approx(decisive.value)
    assert drawish.high - drawish.low < 0.7 * (decisive.high - decisive.low)


def test_without_draws_the_interval_is_close_to_wilsons() -> None:
    # Wilson's 95 % interval of 60 in 100 is 0.5020 to 0.6906.
    estimate = pair_elo(60, 0, 40)
    assert expected_score(estimate.low) == pytest.approx(0.5020, abs=0.002)
    assert expected_score(estimate.high) == pytest.approx(0.6906, abs=0.002)


def test_a_match_won_entirely_has_no_upper_bound_but_a_lower_one_and_a_finite_value() -> None:
    short, long = pair_elo(10, 0, 0), pair_elo(100, 0, 0)
    assert short.high == long.high == math.inf
    assert 150 < short.low < short.value < long.value < 1000
    assert short.low < long.low < long.value


def test_win_and_loss_mirror_each_other() -> None:
    for wins, draws, losses in [(10, 0, 0), (3, 4, 5), (0, 7, 1)]:
        mine, theirs = pair_elo(wins, draws, losses), pair_elo(losses, draws, wins)
        assert mine.value == pytest.approx(-theirs.value)
        assert mine.low == pytest.approx(-theirs.high)


def test_a_few_draws_are_not_taken_for_certainty() -> None:
    assert pair_elo(0, 2, 0).high > 100
    assert pair_elo(0, 200, 0).high < 10


def test_no_games_say_nothing() -> None:
    assert pair_elo(0, 0, 0) == (0, -math.inf, math.inf)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(BoardZeroError, match="no match can end 3 : -1 : 0"):
        pair_elo(3, -1, 0)


@pytest.mark.parametrize("size", [20, 100])
def test_the_interval_of_a_match_covers_the_truth_in_95_of_100_matches(size: int) -> None:
    """Exactly, by adding the chances of all results whose interval holds the true difference."""
    intervals = {
        (wins, draws): pair_elo(wins, draws, size - wins - draws)
        for wins in range(size + 1)
        for draws in range(size + 1 - wins)
    }
    coverage = []
    for elo in (0, 50, 150, 300):
        for share in (0.0, 0.3, 0.6):
            mean = expected_score(elo)
            draw = share * 2 * min(mean, 1 - mean)
            win, loss = mean - draw / 2, 1 - mean - draw / 2
            coverage.append(
                sum(
                    comb(size, wins)
                    * comb(size - wins, draws)
                    * win**wins
                    * draw**draws
                    * loss ** (size - wins - draws)
                    for (wins, draws), estimate in intervals.items()
                    if estimate.low <= elo <= estimate.high
                )
            )
    assert 0.94 <= np.mean(coverage) <= 0.97
    assert min(coverage) > 0.91


# The thesis's own update


def test_twenty_wins_from_zero_gain_320_points_by_the_thesis() -> None:
    assert meng_update(0, 0, Score(wins=20)) == (320, -320)


def test_the_thesis_update_follows_its_three_equations() -> None:
    expected = 20 / (1 + 10 ** ((50 - 200) / 400))  # 2.4
    result = 0.5 * 4 + 13  # 2.5, read without its factor n
    new = 200 + 32 * (result - expected)  # 2.6
    assert meng_update(200, 50, Score(13, 4, 3))[0] == pytest.approx(new)


def test_thesis_ratings_go_on_from_series_to_series() -> None:
    played = games("b", "a", 12, 2, 6) + games("b", "a", 10, 0, 10)
    after_one = meng_update(0, 0, Score(6, 2, 12))
    a, b = meng_update(*after_one, Score(10, 0, 10))
    assert meng_elo(played) == pytest.approx({"a": a, "b": b})


def test_games_left_over_by_the_series_count_too() -> None:
    a, b = meng_update(0, 0, Score(wins=5))
    assert meng_elo(games("a", "b", 5, 0, 0)) == pytest.approx({"a": a, "b": b})


def test_thesis_ratings_sum_to_zero() -> None:
    played = games("a", "b", 30, 3, 9) + games("b", "c", 11, 0, 7) + games("c", "a", 2, 20, 2)
    assert sum(meng_elo(played).values()) == pytest.approx(0)


# Three players


def three_player_games(count: int, strengths: dict[str, float]) -> list[GameResult]:
    rng = np.random.default_rng(8)
    played = []
    for _ in range(count):
        seats = tuple(str(name) for name in rng.permutation(list(strengths)))
        luck = rng.gumbel(size=3) + [strengths[name] for name in seats]
        winner = int(np.argmax(luck))
        values = tuple(1.0 if seat == winner else -1.0 for seat in range(3))
        played.append(GameResult(seats, values, winner))
    return played


def test_three_players_are_rated_in_the_order_of_their_strength() -> None:
    played = three_player_games(200, {"random": 0.0, "greedy": 1.5, "strong": 3.0})
    ratings = multiplayer_ratings(played)
    assert [rating.player for rating in ratings] == ["strong", "greedy", "random"]
    assert all(rating.low < rating.value < rating.high for rating in ratings)
    assert all(rating.games == 200 for rating in ratings)
    assert ratings[0].low > ratings[2].high


def test_equal_players_of_three_are_not_told_apart() -> None:
    ratings = multiplayer_ratings(three_player_games(200, {"a": 0.0, "b": 0.0, "c": 0.0}))
    assert ratings[0].low < ratings[2].value


def test_a_draw_of_three_moves_nobody() -> None:
    ratings = multiplayer_ratings([GameResult(("a", "b", "c"), (0.5, 0, -0.5), None)])
    assert {round(rating.value, 6) for rating in ratings} == {25}


def test_the_losers_of_three_are_ranked_by_their_values() -> None:
    ratings = multiplayer_ratings([GameResult(("a", "b", "c"), (-1, 1, 0), 1)])
    assert [rating.player for rating in ratings] == ["b", "c", "a"]


def test_playing_one_pairing_after_the_other_does_not_favour_the_last() -> None:
    played = three_player_games(300, {"a": 0.0, "b": 0.5, "c": 1.0})
    by_winner = sorted(played, key=lambda game: game.seats[game.winner or 0])
    for order in (by_winner, by_winner[::-1]):
        assert [rating.player for rating in multiplayer_ratings(order)] == ["c", "b", "a"]
