"""Pools of self-play: what is random, what is not, and what is written down."""

from collections import Counter
from functools import partial

import numpy as np
import pytest

from boardzero import BoardZeroError, _core, make
from boardzero.models import SearchConfig, UniformNet
from tests.search.stored import MOVER, Record, play_out, replay, self_play

SMALL = "gomoku:size=5,line=4"
GAMES = [SMALL, "english", "chexers"]


def set_all(options: _core.SelfPlayOptions, **values: object) -> None:
    for name, value in values.items():
        setattr(options, name, value)


def unpacked(
    spec: str, games: int, *, search: SearchConfig | None = None, **changes: object
) -> list[Record]:
    found = self_play(spec, games, simulations=8, search=search, change=partial(set_all, **changes))
    return [Record.unpack(data) for data in found]


@pytest.mark.parametrize("spec", GAMES)
def test_games_depend_on_their_number_and_the_seed_and_not_on_their_neighbours(spec: str) -> None:
    noisy = SearchConfig(noise_weight=0.25)
    short = partial(set_all, max_steps=60)
    play = partial(self_play, spec, 5, simulations=8, search=noisy, change=short)
    together = play(parallel=5)
    assert play(parallel=1) == together
    assert play(parallel=2) == together
    assert play(parallel=5, seed=2) != together
    assert len(set(together)) == 5


def test_every_game_that_was_asked_for_is_played_once() -> None:
    options = _core.SelfPlayOptions()
    pool = _core.make_pool(make(SMALL).start().native, options, [MOVER], 4, 1)
    numbers = [7, 3, 100, 12, 13, 14, 4_000_000_000]
    assert pool.left() == 0
    finished = play_out(pool, [UniformNet(25, 2)], numbers)
    assert [_core.parse_record(data).number for data in finished] == sorted(numbers)
    assert pool.left() == 0
    assert pool.collect() == [0]


def test_a_finished_game_carries_the_version_that_was_set() -> None:
    options = _core.SelfPlayOptions()
    pool = _core.make_pool(make(SMALL).start().native, options, [MOVER], 4, 1)
    pool.set_version(12)
    assert _core.parse_record(play_out(pool, [UniformNet(25, 2)], [1])[0]).version == 12


@pytest.mark.parametrize("target", ["visits", "visits_score"])
@pytest.mark.parametrize("proven", [True, False])
def test_every_target_sums_to_one_even_where_all_that_was_tried_is_lost(
    target: str, proven: bool
) -> None:
    search = SearchConfig(proven=proven)
    for late in (0.0, 1.0):
        for record in unpacked(
            "gomoku:size=5,line=3",
            20,
            search=search,
            target=_core.PolicyTarget[target],
            late_temperature=late,
            sharpen_targets=True,
        ):
            for choice in record.choices:
                assert sum(share for _, share in choice.policy) == pytest.approx(65535, abs=25)


def test_after_the_temperature_steps_the_most_visited_action_is_played() -> None:
    for record in unpacked(SMALL, 6, temperature_steps=4):
        for choice in record.choices:
            shares = dict(choice.policy)
            if choice.ply >= 4:
                assert shares[record.actions[choice.ply]] == max(shares.values())


def test_targets_follow_the_temperature_only_if_they_are_sharpened() -> None:
    plain = unpacked(SMALL, 4, temperature_steps=0)
    assert any(len(choice.policy) > 1 for record in plain for choice in record.choices)
    sharp = unpacked(SMALL, 4, temperature_steps=0, sharpen_targets=True, reuse_tree=False)
    unproven = [c for record in sharp for c in record.choices if abs(c.values[0]) < 0.9]
    assert unproven
    assert all(len(choice.policy) == 1 for choice in unproven)


def test_a_share_of_the_choices_is_searched_in_full() -> None:
    records = unpacked(SMALL, 40, full_share=0.25, fast_simulations=2)
    kinds = Counter(choice.full for record in records for choice in record.choices)
    assert 0.15 < kinds[True] / kinds.total() < 0.35


def test_a_fast_choice_without_simulations_trusts_the_priors() -> None:
    for record in unpacked(SMALL, 3, full_share=0.01, fast_simulations=0, reuse_tree=False):
        first = record.choices[0]
        if not first.full:  # as many of the 25 as are kept
            assert len(first.policy) == 8


def test_a_game_that_is_too_long_is_cut_and_counts_as_a_draw() -> None:
    for record in unpacked("english", 2, max_steps=9):
        assert len(record.actions) == 9
        assert record.outcome == (0.0, 0.0)
        assert record.winner == -1


@pytest.mark.parametrize("forced", ["evaluate", "skip"])
def test_forced_moves_are_no_choices_unless_they_are_judged(forced: str) -> None:
    single = 0
    search = SearchConfig(forced=forced)
    for record in unpacked("english", 2, search=search, max_steps=80):
        chosen = {choice.ply for choice in record.choices}
        for ply in range(len(record.actions)):
            is_forced = len(replay("english", record, ply).actions()) == 1
            single += is_forced
            assert (ply in chosen) == (forced == "evaluate" or not is_forced)
    assert single > 0


def test_random_openings_have_all_lengths_up_to_the_bound() -> None:
    begins = Counter(
        record.choices[0].ply for record in unpacked(SMALL, 60, opening_steps=3) if record.choices
    )
    assert set(begins) == {0, 1, 2, 3}


def test_a_tree_that_is_kept_saves_no_simulation_but_sees_more() -> None:
    kept, fresh = (
        unpacked(SMALL, 4, reuse_tree=reuse, temperature_steps=0) for reuse in (True, False)
    )
    assert [r.actions for r in kept] != [r.actions for r in fresh]


# Contests.


def contest(options: _core.SelfPlayOptions, **values: object) -> None:
    second = _core.Contestant()
    second.search = options.contestants[0].search
    second.first_net = 1
    options.contestants = [*options.contestants, second]
    set_all(options, **values)


class Wise:
    """Knows nothing, but is asked: counts the rows."""

    def __init__(self) -> None:
        self.rows = 0
        self.net = UniformNet(25, 2)

    def __call__(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.rows += len(planes)
        return self.net(planes)


def test_contestants_meet_twice_after_the_same_opening() -> None:
    found = self_play(
        SMALL, 8, simulations=4, change=partial(contest, opening_steps=4, temperature=0.0)
    )
    records = [Record.unpack(data) for data in found]
    openings = [record.actions[:4] for record in records]
    assert openings[0::2] == openings[1::2]
    assert len(set(openings)) > 1


def test_contestants_change_seats_from_game_to_game() -> None:
    """One with many simulations against one with a single one: who wins must alternate."""

    def uneven(options: _core.SelfPlayOptions) -> None:
        contest(options, temperature=0.0)
        strong, weak = options.contestants
        strong.search = SearchConfig(c_puct=2).native(noise=False, simulations=300)
        weak.search = SearchConfig(proven=False).native(noise=False, simulations=1)
        options.contestants = [strong, weak]
        options.opening_steps = 2

    found = self_play("gomoku:size=6,line=4", 12, change=uneven)
    winners = [Record.unpack(data).winner for data in found]
    strong = sum(winner == number % 2 for number, winner in enumerate(winners))
    weak = sum(winner == 1 - number % 2 for number, winner in enumerate(winners))
    assert strong >= 8
    assert weak <= 1


def test_each_contestant_asks_its_own_net() -> None:
    options = _core.SelfPlayOptions()
    contestant = _core.Contestant()
    contestant.search = SearchConfig().native(noise=False, simulations=8)
    options.contestants = [contestant]
    contest(options)
    pool = _core.make_pool(make(SMALL).start().native, options, [MOVER, MOVER], 2, 1)
    nets = [Wise(), Wise()]
    play_out(pool, nets, [0, 1])
    assert nets[0].rows > 20
    assert nets[1].rows > 20


# What is refused.


def test_a_pool_refuses_what_it_cannot_use() -> None:
    start, options = make(SMALL).start().native, _core.SelfPlayOptions()
    with pytest.raises(BoardZeroError, match="at least one game"):
        _core.make_pool(start, options, [MOVER], 0, 1)
    with pytest.raises(BoardZeroError, match="a contestant has no net"):
        _core.make_pool(start, options, [], 4, 1)
    pool = _core.make_pool(start, options, [MOVER], 4, 1)
    pool.add([1, 2])
    assert pool.collect() == [2]
    with pytest.raises(BoardZeroError, match="logits must have 2 rows of 25"):
        pool.receive(0, np.zeros((1, 25), np.float32), np.zeros((2, 2), np.float32))
    with pytest.raises(BoardZeroError, match="values must have 2 rows of 2"):
        pool.receive(0, np.zeros((2, 25), np.float32), np.zeros((2, 3), np.float32))
