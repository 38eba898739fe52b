"""Limits as they are written, and clocks as they run."""

import math

import pytest

from boardzero.arena.terms import Terms, Timer, parse_limit
from boardzero.base.errors import BoardZeroError
from boardzero.players import Clock, Limit


def test_limits_are_written_as_options() -> None:
    assert parse_limit("time=0.5,depth=6") == Limit(time=0.5, depth=6)
    assert parse_limit("nodes=1000,simulations=50") == Limit(nodes=1000, simulations=50)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("60", Clock(60)),
        ("60+0.5", Clock(60, 0.5)),
        ("40/90+.5", Clock(90, 0.5, 40)),
    ],
)
def test_clocks_are_written_as_in_chess(text: str, clock: Clock) -> None:
    assert parse_limit(f"clock={text}") == Limit(clock=clock)


@pytest.mark.parametrize("text", ["clock=0", "clock=1:30", "clock=0/60", "clock=60+-1"])
def test_a_clock_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(BoardZeroError, match="a clock is written 60"):
        parse_limit(text)


def test_an_unknown_limit_names_the_nearest() -> None:
    with pytest.raises(BoardZeroError, match="did you mean 'time'"):
        parse_limit("tim=3")


def test_a_clock_counts_down_and_says_when_a_move_is_late() -> None:
    timer = Timer(Terms(Limit(clock=Clock(10)), margin=0.5))
    assert timer.seconds == 10.5
    timer.spend(4)
    assert timer.limit.clock == Clock(6)
    assert timer.seconds == 6.5


def test_an_increment_is_added_after_each_move() -> None:
    timer = Timer(Terms(Limit(clock=Clock(10, 2))))
    timer.spend(4)
    assert timer.limit.clock == Clock(8, 2)


def test_a_time_control_that_is_reached_gives_the_time_of_the_next() -> None:
    timer = Timer(Terms(Limit(clock=Clock(10, moves=2))))
    timer.spend(4)
    assert timer.limit.clock == Clock(6, moves=1)
    timer.spend(5)
    assert timer.limit.clock == Clock(11, moves=2)


def test_the_shorter_of_clock_and_time_bounds_a_move() -> None:
    assert Timer(Terms(Limit(time=1, clock=Clock(10)), margin=0)).seconds == 1
    assert Timer(Terms(Limit(time=20, clock=Clock(10)), margin=0)).seconds == 10
    assert Timer(Terms(Limit(depth=3))).seconds == math.inf


def test_what_is_not_about_time_is_told_to_the_player_as_it_is() -> None:
    limit = Limit(time=1, depth=3, nodes=5, simulations=7)
    assert Timer(Terms(limit)).limit == limit
