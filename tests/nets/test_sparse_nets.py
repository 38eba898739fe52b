"""Sparse nets: the kernels compute the same whole numbers, files and games are what they say."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import tanh

import pytest

import boardzero
from boardzero import _core
from tests.reference import sparse_net as reference

STARTS: dict[str, Callable[[], _core.NativeState]] = {
    "international": lambda: _core.draughts_start("international", "official", 3),
    "english": lambda: _core.draughts_start("english", "official", 3),
    "russian": lambda: _core.draughts_start("russian", "official", 3),
    "brazilian": lambda: _core.draughts_start("brazilian", "official", 3),
    "gomoku8": lambda: _core.gomoku_start(8, 5, "freestyle"),
    "gomoku15": lambda: _core.gomoku_start(15, 5, "freestyle"),
    "chexers": _core.chexers_start,
    "connect four in Python": lambda: boardzero.make("examples/connect_four.py").start().native,
}
GAMES = pytest.mark.parametrize("game", STARTS)


def random_states(start: _core.NativeState, count: int, seed: int) -> list[_core.NativeState]:
    """Of random games, one after the other, so that most differ little from the one before."""
    dice = random.Random(seed)
    states: list[_core.NativeState] = []
    while len(states) < count:
        state = start.clone()
        while len(states) < count and state.outcome() is None:
            states.append(state.clone())
            state.play_random(dice.getrandbits(32))
    return states


def random_net(
    start: _core.NativeState, hidden: int = 64, *, policy: bool = False
) -> _core.SparseNet:
    plain = _core.make_sparse_trainer(start, hidden, seed=1, policy=policy).net().bytes()
    return _core.SparseNet.parse(reference.with_random_weights(plain, seed=6))


def random_games(start: _core.NativeState, count: int) -> list[bytes]:
    options = _core.ScoredGameOptions()
    options.nodes = 0
    options.most_moves = 150
    pool = _core.make_scored_pool(start, options, threads=1, seed=5)
    pool.set_nets([_core.make_sparse_trainer(start, 32, seed=1).net()], 0)
    pool.add(list(range(count)))
    games: list[bytes] = []
    while pool.left():
        games += pool.take_finished(1.0)
    return sorted(games, key=lambda data: _core.parse_record(data).number)


def check_equal(game: str, count: int) -> None:
    start = STARTS[game]()
    net = random_net(start)
    oracle = reference.parse(net.bytes())
    states = random_states(start, count, seed=3)
    followed = _core.sparse_logits(net, states)
    assert followed == _core.sparse_logits(net, states, portable=True)
    assert len({tuple(logits) for logits in followed}) > count // 10
    for state, logits in zip(states, followed, strict=True):
        rows = _core.sparse_rows(state)
        assert logits == oracle.logits(*rows)
    afresh = [_core.sparse_logits(net, [state])[0] for state in states[::50]]
    assert followed[::50] == afresh


@GAMES
def test_the_net_computes_what_numpy_does_by_updates_and_afresh_with_and_without_avx2(
    game: str,
) -> None:
    check_equal(game, 1000)


@pytest.mark.slow
@GAMES
def test_a_hundred_thousand_positions_are_evaluated_as_numpy_does(game: str) -> None:
    check_equal(game, 100_000)


@pytest.mark.parametrize("game", ["international", "gomoku15"])
def test_alphabeta_counts_in_the_log_odds_of_the_points_to_be_expected(game: str) -> None:
    start = STARTS[game]()
    net = random_net(start)
    oracle = reference.parse(net.bytes())
    searcher = _core.make_alphabeta(start, net, _core.Features.plain(), 1, 1)
    for state in random_states(start, 40, seed=8):
        report = searcher.search(state, seconds=10.0, depth=1, nodes=10**9)
        for root in report.moves:
            child = state.clone()
            child.play_all(root.move.actions)
            decided_by_rules = game == "gomoku15" and abs(root.value) == 1.0
            if child.outcome() is not None or not root.exact or decided_by_rules:
                continue
            odds = reference.log_odds(oracle.logits(*_core.sparse_rows(child)))
            assert root.value == pytest.approx(-tanh(odds / 512), abs=1e-6)


def test_what_the_rules_of_gomoku_decide_is_decided() -> None:
    """Without asking the net; a plain search of three moves finds the same end."""
    start = STARTS["gomoku8"]()
    known = _core.make_alphabeta(start, random_net(start), _core.Features.plain(), 1, 1)
    plain = _core.make_alphabeta(start, "hand", _core.Features.plain(), 1, 1)
    found = {1.0: 0, -1.0: 0}
    for state in random_states(start, 120, seed=4):
        report = known.search(state, seconds=10.0, depth=1, nodes=10**9)
        decided = [move for move in report.moves if move.exact and abs(move.value) == 1.0]
        for move in decided[:1]:
            child = state.clone()
            child.play_all(move.move.actions)
            if child.outcome() is not None:
                continue
            # A five that cannot be stopped: the mover's third stone, or its opponent's second.
            end = plain.search(child, seconds=60.0, depth=3, nodes=10**9)
            assert end.moves[0].value == -move.value
            found[move.value] += 1
    assert all(found.values())


@GAMES
def test_a_game_is_the_same_whenever_it_is_played(game: str) -> None:
    start = STARTS[game]()
    net = random_net(start)
    options = _core.ScoredGameOptions()
    options.nodes = 50
    options.most_moves = 60

    def played(threads: int, numbers: list[int]) -> dict[int, bytes]:
        pool = _core.make_scored_pool(start, options, threads=threads, seed=9)
        pool.set_nets([net], 4)
        pool.add(numbers)
        games: list[bytes] = []
        while pool.left():
            games += pool.take_finished(1.0)
        return {_core.parse_record(data).number: data for data in games}

    once = played(1, [7, 3, 5, 11])
    assert once == played(2, [11, 5, 7, 3])
    record = _core.parse_record(once[7])
    assert record.version == 4
    assert record.decisions
    state = start.clone()
    state.play_all(record.actions)
    outcome = state.outcome()
    if outcome is not None:
        assert outcome.values == record.outcome


@pytest.mark.parametrize("game", ["english", "chexers"])
def test_two_nets_play_each_opening_twice_and_change_seats(game: str) -> None:
    start = STARTS[game]()
    options = _core.ScoredGameOptions()
    options.nodes = 40
    options.most_moves = 80

    def played(first: _core.SparseNet, second: _core.SparseNet) -> dict[int, _core.GameRecord]:
        pool = _core.make_scored_pool(start, options, threads=1, seed=9)
        pool.set_nets([first, second], 3)
        pool.add([4, 5, 6, 7])
        games: list[bytes] = []
        while pool.left():
            games += pool.take_finished(1.0)
        assert pool.evaluations() > 0 or start.shape.players > 2  # max^n does not count them
        return {record.number: record for record in map(_core.parse_record, games)}

    one, other = random_net(start), _core.make_sparse_trainer(start, 64, seed=3).net()
    games = played(one, other)
    assert sorted(games) == [4, 5, 6, 7]
    for even in (4, 6):
        first, second = games[even], games[even + 1]
        opening = first.decisions[0].ply
        assert opening == second.decisions[0].ply >= options.least_random
        assert first.actions[:opening] == second.actions[:opening]
        assert first.actions != second.actions
    alike = played(one, one)
    assert alike[4].actions == alike[5].actions


def test_more_than_two_nets_at_a_board_are_refused() -> None:
    start = STARTS["english"]()
    pool = _core.make_scored_pool(start, _core.ScoredGameOptions(), threads=1, seed=1)
    net = random_net(start)
    for nets in ([], [net] * 3):
        with pytest.raises(_core.BoardZeroError, match="one net or by two"):
            pool.set_nets(nets, 0)


def test_a_game_by_alphabeta_teaches_by_its_quiet_positions() -> None:
    record = _core.parse_record(random_games(STARTS["english"](), 1)[0])
    quiet = sum(decision.quiet for decision in record.decisions)
    assert 0 < record.samples == quiet < len(record.decisions)
    record.check_targets(needs_policies=False)


def test_a_pool_that_is_dropped_stops_its_games() -> None:
    start = STARTS["international"]()
    options = _core.ScoredGameOptions()
    options.nodes = 10**9
    pool = _core.make_scored_pool(start, options, threads=2, seed=9)
    pool.set_nets([_core.make_sparse_trainer(start, 32, seed=1).net()], 0)
    pool.add([1, 2, 3])
    assert pool.take_finished(0.05) == []
    del pool


@GAMES
def test_training_lowers_the_loss_and_goes_on_where_it_was(game: str) -> None:
    start = STARTS[game]()
    trainer = _core.make_sparse_trainer(start, 32, seed=1)
    games = random_games(start, 100)
    how = _core.SparseTrainerOptions()
    how.batch = 512
    how.rate = 0.003
    first = trainer.train(games, how, seed=0)
    assert first.samples == sum(
        sum(d.quiet for d in _core.parse_record(data).decisions) for data in games
    )
    for seed in range(1, 6):
        last = trainer.train(games, how, seed=seed)
    assert last.result_loss < first.result_loss
    saved = trainer.state()
    twin = _core.make_sparse_trainer(start, 32, seed=2)
    twin.restore(saved)
    trainer.train(games, how, seed=9)
    twin.train(games, how, seed=9)
    assert twin.state() == trainer.state()
    assert twin.net().bytes() == trainer.net().bytes()


def test_a_file_survives_and_a_damaged_one_is_refused_in_a_sentence() -> None:
    net = random_net(STARTS["english"]())
    data = net.bytes()
    assert _core.SparseNet.parse(data).bytes() == data
    for wrong, why in [
        (b"", "no file of a sparse net"),
        (b"x" + data[1:], "no file of a sparse net"),
        (data[:-1], "cut short"),
        (data[: len(data) // 2], "cut short"),
        (data + b"!", "damaged"),
        (data[:-20] + bytes([data[-20] ^ 1]) + data[-19:], "damaged"),
        (data[:21] + b"\7" + data[22:], "format 7"),
    ]:
        with pytest.raises(_core.BoardZeroError, match=why):
            _core.SparseNet.parse(wrong)


def test_a_net_of_another_game_is_refused_in_a_sentence() -> None:
    net = _core.make_sparse_trainer(STARTS["english"](), 32, seed=1).net()
    start = STARTS["russian"]()
    with pytest.raises(_core.BoardZeroError, match="draughts-english"):
        _core.make_alphabeta(start, net, _core.Features.engine(), 1, 1)
    with pytest.raises(_core.BoardZeroError, match="draughts-russian"):
        _core.make_scored_pool(start, _core.ScoredGameOptions(), threads=1, seed=1).set_nets(
            [net], 0
        )


def test_a_net_of_gomoku_plays_on_other_boards() -> None:
    net = random_net(STARTS["gomoku15"]())
    small = _core.gomoku_start(11, 5, "freestyle")
    searcher = _core.make_alphabeta(small, net, _core.Features.engine(), 1, 1)
    assert searcher.search(small, seconds=5.0, depth=2, nodes=10_000).evaluations > 0


@pytest.mark.parametrize("hidden", [0, 31, 48, 1024])
def test_a_size_that_no_net_has_is_refused(hidden: int) -> None:
    with pytest.raises(_core.BoardZeroError, match="hidden"):
        _core.make_sparse_trainer(STARTS["english"](), hidden, seed=1)
