"""Searches with a Gumbel root against a slow reference, and what self-play learns from them."""

from dataclasses import replace

import pytest

from boardzero import State, _core, make
from boardzero.models import SearchConfig
from tests.reference.gumbel import Gumbel
from tests.reference.puct import Options
from tests.search.mock_net import MockNet, evaluate
from tests.search.stored import MOVER, play_out
from tests.search.test_puct import GAMES, material, positions, run

MODERN = Options(
    32, formula="alphazero", c_puct=1.25, first_play="parent", forced="skip", proven=True
)


def config(options: Options) -> SearchConfig:
    return SearchConfig.model_validate({**vars(options), "root": "gumbel"})


def reference(root: State, options: Options, net: MockNet) -> Gumbel:
    search = Gumbel(lambda state: evaluate(net, state), material, options)
    search.search(root)
    return search


@pytest.mark.parametrize("simulations", [2, 16, 50])
@pytest.mark.parametrize("spec", GAMES)
def test_visits_and_the_chosen_action_are_the_references(spec: str, simulations: int) -> None:
    shape = make(spec).shape
    net = MockNet(shape.actions, shape.players)
    options = replace(MODERN, simulations=simulations)
    for root in positions(spec, 20):
        if len(root.actions()) == 1:
            continue
        wanted = reference(root, options, net)
        search = _core.make_search(root.native, config(options).native(noise=False), MOVER, seed=1)
        run(search, net)
        found = search.candidates()
        assert {c.action: c.visits for c in found} == wanted.root_visits(), root
        if wanted.top not in wanted.proven:
            assert found[0].action == wanted.best(), root


def selfplay_record(spec: str, *, temperature: float, seed: int = 1) -> _core.GameRecord:
    shape = make(spec).shape
    options = _core.SelfPlayOptions()
    contestant = _core.Contestant()
    contestant.search = config(MODERN).native(noise=True)
    options.contestants = [contestant]
    options.temperature = options.late_temperature = temperature
    options.reuse_tree = False
    options.max_steps = 60
    pool = _core.make_pool(make(spec).start().native, options, [MOVER], 1, seed)
    return _core.parse_record(play_out(pool, [MockNet(shape.actions, shape.players)], [0])[0])


@pytest.mark.parametrize("spec", GAMES)
def test_self_play_without_sampling_plays_and_learns_what_the_reference_would(spec: str) -> None:
    shape = make(spec).shape
    net = MockNet(shape.actions, shape.players)
    record = selfplay_record(spec, temperature=0)
    decisions = {decision.ply: decision for decision in record.decisions}
    state = make(spec).start()
    compared = 0
    for ply, action in enumerate(record.actions):
        if ply in decisions:
            wanted = reference(state, MODERN, net)
            if wanted.top not in wanted.proven:
                assert action == wanted.best()
                learned = dict(decisions[ply].policy)
                kept = {a: share for a, share in wanted.policy().items() if share >= 5e-4}
                shares = {a: share / sum(kept.values()) for a, share in kept.items()}
                assert learned.keys() == shares.keys()
                # One byte each, on a scale whose steps are 3.3 %.
                assert learned == pytest.approx(shares, rel=0.034)
                moved = sum(abs(learned[a] - share) for a, share in shares.items()) / 2
                assert moved < 1e-2
                compared += 1
        state.play_action(action)
    assert compared > 10


def test_of_a_quick_choice_only_the_foremost_actions_are_kept() -> None:
    shape = make(GAMES[0]).shape
    options = _core.SelfPlayOptions()
    contestant = _core.Contestant()
    gentle = config(MODERN).model_copy(update={"c_scale": 0.05})
    contestant.search = gentle.native(noise=True)
    options.contestants = [contestant]
    options.full_share = 0.5
    options.fast_simulations = 8
    pool = _core.make_pool(make(GAMES[0]).start().native, options, [MOVER], 4, 1)
    played = play_out(pool, [MockNet(shape.actions, shape.players)], list(range(8)))
    choices = [d for record in played for d in _core.parse_record(record).decisions]
    quick = [len(d.policy) for d in choices if not d.full]
    assert quick
    assert max(quick) <= 8 < max(len(d.policy) for d in choices if d.full)
    assert all(sum(share for _, share in d.policy) == pytest.approx(1, abs=1e-3) for d in choices)


def test_sampling_plays_other_games() -> None:
    games = {tuple(selfplay_record(GAMES[0], temperature=1, seed=s).actions) for s in range(4)}
    assert len(games) == 4


def test_what_is_found_lost_is_not_played() -> None:
    """White must stop four in a row; most of what was tried instead is found to lose."""
    game = make("gomoku:size=6,line=4")
    state = game.start()
    for text in ("c3", "b3", "d3", "a6", "e3"):  # three in a row, one end still open
        state.play(text)
    options = config(replace(MODERN, simulations=2000)).model_copy(update={"considered": 36})
    search = _core.make_search(state.native, options.native(noise=False), MOVER, seed=1)
    run(search, MockNet(game.shape.actions, 2))
    lost = [c.proven and c.value == -1 for c in search.candidates()]
    assert sum(lost) > 3
    assert not lost[0]
