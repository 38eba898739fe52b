"""Policies of sparse nets: their kernels, what they learn, and PUCT that plays with them."""

from __future__ import annotations

from math import tanh

import pytest

from boardzero import _core
from boardzero.models import SearchConfig
from tests.nets.test_sparse_nets import GAMES, STARTS, random_net, random_states
from tests.reference import sparse_net as reference


def check_policies(game: str, count: int) -> None:
    start = STARTS[game]()
    net = random_net(start, policy=True)
    oracle = reference.parse(net.bytes())
    states = random_states(start, count, seed=3)
    followed = _core.sparse_policies(net, states)
    assert followed == _core.sparse_policies(net, states, portable=True)
    for state, logits in zip(states, followed, strict=True):
        deep, _, bucket, _ = _core.sparse_rows(state)
        _, moves = _core.sparse_move_rows(state)
        assert logits == oracle.move_logits(deep, bucket, moves)
    values = _core.sparse_logits(net, states[:50])
    assert values == [oracle.logits(*_core.sparse_rows(state)) for state in states[:50]]


@GAMES
def test_a_policy_scores_moves_as_numpy_does_with_and_without_avx2(game: str) -> None:
    check_policies(game, 300 if game.startswith("gomoku") else 1000)


@pytest.mark.slow
@GAMES
def test_the_moves_of_a_hundred_thousand_positions_are_scored_as_numpy_does(game: str) -> None:
    check_policies(game, 100_000)


@GAMES
def test_the_actions_that_are_scored_are_legal(game: str) -> None:
    for state in random_states(STARTS[game](), 200, seed=4):
        actions, rows = _core.sparse_move_rows(state)
        assert len(actions) == len(rows) > 0
        assert set(actions) <= set(state.actions())


def test_a_move_of_gomoku_has_the_same_rows_on_every_board_and_every_way() -> None:
    def rows(size: int, stones: list[tuple[int, int]], point: tuple[int, int]) -> list[int]:
        state = _core.gomoku_start(size, 5, "freestyle")
        for row, column in stones:
            state.play(row * size + column)
        actions, found = _core.sparse_move_rows(state)
        return sorted(found[actions.index(point[0] * size + point[1])])

    stones = [(7, 7), (8, 8), (7, 6), (6, 6)]
    here = rows(15, stones, (7, 8))
    assert here == rows(19, [(r + 2, c + 1) for r, c in stones], (9, 9))
    assert here == rows(15, [(c, r) for r, c in stones], (8, 7))
    assert here != rows(15, stones, (7, 9))


def test_a_net_without_a_policy_has_none_and_keeps_its_file() -> None:
    start = STARTS["english"]()
    plain = _core.make_sparse_trainer(start, 32, seed=1)
    both = _core.make_sparse_trainer(start, 32, seed=1, policy=True)
    assert not plain.net().has_policy
    assert both.net().has_policy
    assert plain.net().bytes()[21] == 1  # the format that versions before policies read
    states = random_states(start, 20, seed=1)
    assert _core.sparse_logits(plain.net(), states) == _core.sparse_logits(both.net(), states)
    with pytest.raises(_core.BoardZeroError, match="has no policy"):
        _core.sparse_policies(plain.net(), states)
    with pytest.raises(_core.BoardZeroError, match="no trainer's state"):
        both.restore(plain.state())


def play(
    start: _core.NativeState, net: _core.SparseNet, search: str, *, games: int, nodes: int = 40
) -> list[bytes]:
    options = _core.ScoredGameOptions()
    options.search = _core.ScoringBy[search]
    options.puct = SearchConfig(noise_weight=0.25).native(noise=True)
    options.nodes = nodes
    options.most_moves = 60
    pool = _core.make_scored_pool(start, options, threads=1, seed=9)
    pool.set_nets([net], 4)
    pool.add(list(range(games)))
    found: list[bytes] = []
    while pool.left():
        found += pool.take_finished(1.0)
    assert pool.evaluations() > 0 or search == "alphabeta"
    return sorted(found, key=lambda data: _core.parse_record(data).number)


@GAMES
def test_games_by_puct_tell_visits_and_are_the_same_whenever_they_are_played(game: str) -> None:
    start = STARTS[game]()
    net = random_net(start, policy=True)
    games = play(start, net, "puct", games=3)
    assert games == play(start, net, "puct", games=3)
    for data in games:
        record = _core.parse_record(data)
        assert record.decisions
        record.check_targets(needs_policies=True)
        _core.make_sampler(start, ("mover", "flat", 0)).verify(data)
        for decision in record.decisions:
            assert decision.policy


@pytest.mark.parametrize("game", ["english", "gomoku8", "chexers", "connect four in Python"])
@pytest.mark.parametrize("search", ["alphabeta", "puct"])
def test_a_policy_learns_what_the_search_liked(game: str, search: str) -> None:
    start = STARTS[game]()
    trainer = _core.make_sparse_trainer(start, 32, seed=1, policy=True)
    games = play(start, trainer.net(), search, games=8)
    how = _core.SparseTrainerOptions()
    how.batch = 64
    how.rate = 0.003
    first = trainer.train(games, how, seed=0)
    for seed in range(1, 12):
        last = trainer.train(games, how, seed=seed)
    assert 0 < last.policy_loss < first.policy_loss
    twin = _core.make_sparse_trainer(start, 32, seed=2, policy=True)
    twin.restore(trainer.state())
    assert twin.net().bytes() == trainer.net().bytes()


def test_what_is_about_to_be_captured_is_captured_before_a_leaf_is_evaluated() -> None:
    start = STARTS["english"]()
    net = random_net(start)
    loud = start.with_fen("B:W15,32:B11,1")  # black must take, and then all is quiet
    search = _core.make_search(loud, SearchConfig(simulations=1).native(noise=False), net, seed=1)
    assert not search.run(10.0)
    after = loud.clone()
    after.play(loud.actions()[0])
    odds = reference.log_odds(_core.sparse_logits(net, [after])[0])
    evaluation = search.evaluation()
    assert evaluation is not None
    assert evaluation[after.to_move] == pytest.approx(tanh(odds / 512), abs=1e-5)


def test_a_search_is_either_evaluated_by_its_caller_or_by_its_own_net() -> None:
    start = STARTS["english"]()
    options = SearchConfig(simulations=5).native(noise=False)
    own = _core.make_search(start, options, random_net(start), seed=1)
    with pytest.raises(_core.BoardZeroError, match="net of its own"):
        own.collect()
    asked = _core.make_search(start, options, [("mover", "flat", 0)], seed=1)
    with pytest.raises(_core.BoardZeroError, match="waits for its caller"):
        asked.run(1.0)
