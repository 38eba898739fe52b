"""The second format of recorded games: policies in brief, and surprises."""

import struct
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardzero import BoardZeroError, _core, make
from boardzero.models import SearchConfig, UniformNet
from tests.search.mock_net import MockNet, evaluate
from tests.search.stored import (
    MOVER,
    Choice,
    Record,
    brief_code,
    play_out,
    replay,
    self_play,
)
from tests.search.test_records import GAMES, games, records, verify


@cache
def gumbel_games(spec: str) -> list[bytes]:
    def noted(options: _core.SelfPlayOptions) -> None:
        options.max_steps = 40
        options.full_share = 0.75
        options.fast_simulations = 4
        options.record_surprise = True

    gumbel = SearchConfig(root="gumbel", c_scale=0.1)
    return self_play(spec, 3, simulations=8, search=gumbel, change=noted)


@pytest.mark.parametrize("spec", GAMES)
def test_the_second_format_is_read_as_its_bytes_say(spec: str) -> None:
    for data in gumbel_games(spec):
        read, record = _core.parse_record(data), Record.unpack(data)
        assert record.format == 2
        assert record.pack() == data
        verify(spec, record)
        for decision, choice in zip(read.decisions, record.choices, strict=True):
            assert choice.brief
            assert (decision.ply, decision.full) == (choice.ply, choice.full)
            assert dict(decision.policy) == pytest.approx(choice.shares, rel=1e-5)
            assert (choice.surprise is not None) == choice.full
            if choice.surprise is not None:
                assert decision.surprise == pytest.approx(choice.surprise / 1000)


def test_every_cut_record_of_the_second_format_is_refused() -> None:
    data = gumbel_games("english")[0]
    for end in range(len(data)):
        with pytest.raises(BoardZeroError, match="a stored game"):
            _core.parse_record(data[:end])
    with pytest.raises(BoardZeroError, match="followed by other bytes"):
        _core.parse_record(data + b"\0")


def test_brief_policies_with_impossible_actions_are_refused() -> None:
    def policy(tail: bytes) -> bytes:
        empty = Choice(0, True, (0.0, 0.0), (), brief=True)
        data = Record((0,), (empty,), (0.0, 0.0)).pack()
        return data[:-2] + struct.pack("<H", 1) + tail

    assert _core.parse_record(policy(b"\xff\xff\x03\xff")).decisions[0].policy == [(65535, 1.0)]
    with pytest.raises(BoardZeroError, match="an action that no game has"):
        _core.parse_record(policy(b"\x80\x80\x04\xff"))
    with pytest.raises(BoardZeroError, match="a number without an end"):
        _core.parse_record(policy(b"\xff\xff\xff\xff\xff\xff"))


@given(st.lists(st.floats(5e-4, 1.0), min_size=1, max_size=225))
@settings(max_examples=100, deadline=None)
def test_a_policy_in_brief_is_within_a_hundredth_of_what_it_was(weights: list[float]) -> None:
    exact = {3 * action: w / sum(weights) for action, w in enumerate(weights)}
    policy = {action: share for action, share in exact.items() if share >= 5e-4}
    policy = {action: share / sum(policy.values()) for action, share in policy.items()}
    codes = tuple((action, brief_code(share)) for action, share in policy.items())
    choice = Choice(0, True, (0.0, 0.0), codes, brief=True)
    read = dict(_core.parse_record(Record((0,), (choice,), (0.0, 0.0)).pack()).decisions[0].policy)
    assert read.keys() == policy.keys()
    assert sum(abs(read[action] - share) for action, share in policy.items()) / 2 < 1e-2
    assert sum(read.values()) == pytest.approx(1, abs=1e-5)


def test_a_position_of_an_untrained_gumbel_search_takes_less_than_500_bytes() -> None:
    def early(options: _core.SelfPlayOptions) -> None:
        options.max_steps = 8

    (data,) = self_play(
        "gomoku:size=15", 1, simulations=32, search=SearchConfig(root="gumbel"), change=early
    )
    record = Record.unpack(data)
    assert len(data) / len(record.choices) < 500
    net = UniformNet(225, 2)
    options = _core.SelfPlayOptions()
    contestant = _core.Contestant()
    contestant.search = SearchConfig(root="gumbel").native(noise=True, simulations=32)
    options.contestants = [contestant]
    options.max_steps = 8
    pool = _core.make_pool(make("gomoku:size=15").start().native, options, [MOVER], 1, 1)
    (data,) = play_out(pool, [net], [0])
    record = Record.unpack(data)
    assert min(len(choice.policy) for choice in record.choices) > 200  # every move has something
    assert len(data) / len(record.choices) < 500


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize("spec", ["gomoku:size=5,line=4", "chexers"])
def test_a_surprise_is_how_far_the_target_is_from_what_the_net_said(spec: str, root: str) -> None:
    def noted(options: _core.SelfPlayOptions) -> None:
        options.max_steps = 40
        options.full_share = 0.75
        options.fast_simulations = 4
        options.record_surprise = True

    search = SearchConfig(root=root, noise_weight=0.25)
    shape = make(spec).shape
    net = MockNet(shape.actions, shape.players)
    for data in self_play(spec, 2, search=search, change=noted):
        record = Record.unpack(data)
        wanted = []
        for choice in record.choices:
            if choice.full:
                priors, _ = evaluate(net, replay(spec, record, choice.ply))
                shares = choice.shares
                wanted.append(sum(s * np.log(s / priors[a]) for a, s in shares.items() if s > 0))
        assert max(wanted) > 0.5
        # It was measured before the policy became brief.
        assert _core.surprises(data) == pytest.approx(
            wanted, abs=0.02 if root == "gumbel" else 2e-3
        )


def test_a_game_that_was_not_asked_knows_no_surprises() -> None:
    assert _core.surprises(games("english")[0]) is None
    assert records("english")[0].format == 1
