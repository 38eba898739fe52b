import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import constant_draws, davidson, games, tournament

from boardzero.arena import Score, pair_elo
from boardzero.arena.likelihood import ELO, Likelihood, outcome_logits
from boardzero.arena.ratings import EloFit, expected_score, fit_elo
from boardzero.base.errors import BoardZeroError
from boardzero.store import GameResult, Rating


def by_player(fit: EloFit) -> dict[str, Rating]:
    return {rating.player: rating for rating in fit.ratings}


@pytest.mark.parametrize(("law", "draw"), [(davidson, 1.0), (davidson, 6.0), (constant_draws, 0.4)])
def test_known_strengths_lie_in_the_interval_in_about_95_of_100_trials(
    law: Callable[[float, float], tuple[float, float, float]], draw: float
) -> None:
    rng = np.random.default_rng(12)
    inside, errors, widths = [], [], []
    for _ in range(100):
        strengths = dict(zip("abcd", rng.normal(0, 150, 4), strict=True))
        mean = sum(strengths.values()) / 4
        fit = fit_elo(tournament(strengths, rng, each=25, draw=draw, law=law))
        for rating in fit.ratings:
            truth = strengths[rating.player] - mean
            inside.append(rating.low <= truth <= rating.high)
            errors.append(rating.value - truth)
            widths.append(rating.high - rating.low)
        inside.append(fit.first_move.low <= 30 <= fit.first_move.high)
    # 500 intervals, those of one trial not independent: three standard errors are about 0.035.
    assert 0.915 <= np.mean(inside) <= 0.985
    # Not bought by width: an interval of 95 % is 3.92 standard errors wide.
    assert 0.85 <= np.sqrt(np.mean(np.square(widths))) / (3.92 * np.std(errors)) <= 1.15
    assert abs(np.mean(errors)) < 1


def test_the_first_move_and_the_draws_are_recovered() -> None:
    rng = np.random.default_rng(3)
    strengths = {"a": 0.0, "b": 100.0, "c": -150.0}
    fit = fit_elo(tournament(strengths, rng, each=4000, first_move=80, draw=2.0))
    assert fit.first_move.value == pytest.approx(80, abs=12)
    assert fit.draw_rate == pytest.approx(0.5, abs=0.02)
    assert [rating.player for rating in fit.ratings] == ["b", "a", "c"]


@settings(max_examples=60)
@given(x=st.floats(-15, 15), log_draw=st.floats(-6, 4))
def test_the_model_has_davidsons_draws_and_elos_expected_score(x: float, log_draw: float) -> None:
    win, draw, loss = np.exp(outcome_logits(np.array([x]), log_draw))[0]
    assert win + draw + loss == pytest.approx(1)
    assert win + draw / 2 == pytest.approx(expected_score(x * ELO))
    assert draw == pytest.approx(math.exp(log_draw) * math.sqrt(win * loss))


def test_the_gradient_and_the_information_are_those_of_the_likelihood() -> None:
    scores = {("a", "b"): Score(5, 3, 2), ("b", "c"): Score(1, 4, 0), ("c", "a"): Score(2, 0, 6)}
    model = Likelihood(scores, ["a", "b", "c"])
    at = np.array([0.3, -0.2, 0.1, 0.15, -0.4])
    gradient, information = model._evaluate(at)[1:]
    tiny = np.eye(5) * 1e-5
    slopes = [(model._evaluate(at + t)[0] - model._evaluate(at - t)[0]) / 2e-5 for t in tiny]
    assert gradient == pytest.approx(np.array(slopes), abs=1e-6)

    # The information is the mean square of the gradient over what one game could have been.
    one = Likelihood({("a", "b"): Score(1, 0, 0)}, ["a", "b"])
    here, prior = np.array([0.4, -0.1, 0.2, 0.3]), np.diag(one._precision)
    chances = np.exp(outcome_logits(np.array([0.7]), 0.3))[0]
    expected = np.zeros((4, 4))
    for chance, score in zip(chances, np.eye(3, dtype=int), strict=True):
        outcome = Likelihood({("a", "b"): Score(*score)}, ["a", "b"])
        slope = outcome._evaluate(here)[1] + prior @ here
        expected += chance * np.outer(slope, slope)
    assert one._evaluate(here)[2] - prior == pytest.approx(expected, abs=1e-12)
    assert information == pytest.approx(information.T)


@pytest.mark.parametrize("score", [(30, 60, 10), (50, 0, 30), (3, 1, 90)])
def test_one_match_gets_the_elo_of_its_score_however_many_draws(
    score: tuple[int, int, int],
) -> None:
    wins, draws, losses = score
    played = games("a", "b", *score) + games("b", "a", losses, draws, wins)
    fit = fit_elo(played, anchor="b")
    match = pair_elo(2 * wins, 2 * draws, 2 * losses)
    rating = by_player(fit)["a"]
    assert rating.value == pytest.approx(match.value, abs=3)
    assert rating.low == pytest.approx(match.low, abs=15)
    assert rating.high == pytest.approx(match.high, abs=15)
    assert fit.first_move.value == pytest.approx(0, abs=1e-6)


def test_an_anchor_moves_the_scale_and_nothing_else() -> None:
    played = games("a", "b", 20, 5, 10) + games("b", "c", 15, 0, 12) + games("c", "a", 4, 8, 9)
    free, tied = by_player(fit_elo(played)), by_player(fit_elo(played, anchor="b", anchor_elo=1500))
    assert sum(rating.value for rating in free.values()) == pytest.approx(0, abs=1e-6)
    assert (tied["b"].low, tied["b"].value, tied["b"].high) == (1500, 1500, 1500)
    assert tied["a"].value - tied["b"].value == pytest.approx(free["a"].value - free["b"].value)
    assert tied["a"].low < tied["a"].value < tied["a"].high


def test_a_player_who_lost_every_game_is_bounded_sharply_on_one_side_only() -> None:
    played = games("a", "b", 50, 0, 0) + games("b", "a", 0, 0, 50)
    rating = by_player(fit_elo(played, anchor="a"))["b"]
    assert -4000 < rating.low < rating.value < rating.high < -500
    assert rating.value - rating.low > 2 * (rating.high - rating.value)


def test_more_games_of_the_same_kind_make_the_interval_shorter() -> None:
    few = by_player(fit_elo(games("a", "b", 3, 2, 1) + games("b", "a", 2, 2, 2)))["a"]
    many = by_player(fit_elo((games("a", "b", 3, 2, 1) + games("b", "a", 2, 2, 2)) * 25))["a"]
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(5, rel=0.15)


def test_groups_that_never_met_are_not_compared_with_confidence() -> None:
    fit = by_player(fit_elo(games("a", "b", 70, 0, 30) + games("c", "d", 60, 0, 40)))
    assert fit["a"].low < fit["d"].value < fit["a"].high


def test_the_order_of_the_games_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    played = tournament({"a": 0, "b": 50, "c": 90}, rng, each=8)
    shuffled = [played[i] for i in rng.permutation(len(played))]
    for one, other in zip(fit_elo(played).ratings, fit_elo(shuffled).ratings, strict=True):
        assert one.player == other.player
        assert one.value == pytest.approx(other.value, abs=1e-3)


def test_a_player_who_only_met_itself_teaches_about_the_first_move() -> None:
    fit = fit_elo(games("a", "a", 60, 20, 20))
    assert [(rating.player, rating.value, rating.games) for rating in fit.ratings] == [
        ("a", 0, 100)
    ]
    assert fit.first_move.low > 0


def test_no_games_give_no_ratings() -> None:
    assert fit_elo([]).ratings == ()


def test_games_are_counted_once_for_each_player() -> None:
    fit = by_player(fit_elo(games("a", "b", 3, 2, 1) + games("b", "c", 1, 0, 0)))
    assert {player: rating.games for player, rating in fit.items()} == {"a": 6, "b": 7, "c": 1}


def test_an_unknown_anchor_is_refused_and_the_nearest_named() -> None:
    with pytest.raises(BoardZeroError, match="unknown player 'randon'; did you mean 'random'"):
        fit_elo(games("random", "greedy", 1, 0, 1), anchor="randon")


def test_a_game_of_three_is_refused() -> None:
    with pytest.raises(BoardZeroError, match="for two players, and here is a game of 3"):
        fit_elo([GameResult(("a", "b", "c"), (1, -1, -1), 0)])


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(0, 2)), min_size=1
    )
)
def test_any_games_get_finite_ratings_inside_their_intervals(
    played: list[tuple[str, str, int]],
) -> None:
    outcome = np.eye(3, dtype=int)
    fit = fit_elo(
        itertools.chain.from_iterable(games(a, b, *outcome[result]) for a, b, result in played)
    )
    assert {rating.player for rating in fit.ratings} == {p for a, b, _ in played for p in (a, b)}
    for rating in fit.ratings:
        assert math.isfinite(rating.low)
        assert math.isfinite(rating.high)
        assert rating.low <= rating.value <= rating.high
    assert 0 <= fit.draw_rate <= 1
