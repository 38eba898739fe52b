import math
import random

import pytest

from boardzero.arena import Sprt
from boardzero.arena.ratings import expected_score
from boardzero.arena.sprt import log_likelihood_ratio
from boardzero.base.errors import BoardZeroError


def run(test: Sprt, elo: float, dice: random.Random, *, pairs: bool) -> Sprt:
    """Play until the verdict, with three draws in ten games."""
    mean = expected_score(elo)

    def game() -> float:
        luck = dice.random()
        return 1.0 if luck < mean - 0.15 else 0.5 if luck < mean + 0.15 else 0.0

    while test.verdict is None:
        test.update(*(game() for _ in range(2 if pairs else 1)))
    return test


@pytest.mark.parametrize("pairs", [True, False])
@pytest.mark.parametrize(("truth", "wrong"), [(0, "H1"), (100, "H0")])
def test_a_wrong_verdict_is_as_rare_as_promised(truth: float, wrong: str, pairs: bool) -> None:
    dice = random.Random(7)
    tests = [run(Sprt(0, 100), truth, dice, pairs=pairs) for _ in range(200)]
    mistakes = sum(test.verdict == wrong for test in tests)
    assert mistakes <= 19  # 5 % are 10; three standard errors are 9 more
    games = sum(test.units for test in tests) / len(tests) * (2 if pairs else 1)
    assert games < 90  # a fixed match with the same error rates takes about 100


def test_between_the_hypotheses_either_verdict_may_come() -> None:
    dice = random.Random(1)
    verdicts = [run(Sprt(0, 150), 75, dice, pairs=True).verdict for _ in range(60)]
    assert 12 < verdicts.count("H1") < 48


def test_without_draws_it_is_walds_test() -> None:
    test = Sprt(0, 100)
    for points in [1, 1, 0, 1, 0, 1, 1]:
        test.update(points)
    better, worse = expected_score(100), 1 - expected_score(100)
    assert test.llr == pytest.approx(
        5 * math.log(better / 0.5) + 2 * math.log(worse / 0.5), abs=0.02
    )


def test_the_bounds_are_walds() -> None:
    test = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))


def test_a_score_half_way_between_the_hypotheses_decides_nothing() -> None:
    middle = {0.0: 25, 0.25: 0, 0.5: 50, 0.75: 0, 1.0: 25}
    assert log_likelihood_ratio(middle, 0.45, 0.55) == pytest.approx(0, abs=1e-9)


def test_a_verdict_stays_whatever_comes_after_it() -> None:
    test = Sprt(0, 100)
    while test.verdict is None:
        test.update(1, 1)
    for _ in range(100):
        test.update(0, 0)
    assert test.verdict == "H1"
    assert test.llr < test.lower


@pytest.mark.parametrize("points", [(), (1, 1, 1), (0.3,), (2,)])
def test_points_that_no_unit_can_give_are_refused(points: tuple[float, ...]) -> None:
    with pytest.raises(BoardZeroError, match="one or two games"):
        Sprt(0, 10).update(*points)


def test_impossible_tests_are_refused() -> None:
    with pytest.raises(BoardZeroError, match="elo0 below elo1, not 10 and 5"):
        Sprt(10, 5)
    with pytest.raises(BoardZeroError, match="alpha and beta"):
        Sprt(0, 5, alpha=0)
