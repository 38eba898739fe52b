"""The compiled search with several nets and trees against a slow reference."""

from dataclasses import replace

import pytest

from boardzero import BoardZeroError, State, _core, make
from boardzero.methods import find_method
from boardzero.models import SearchConfig, SearchPlan, TreePlan
from tests.reference.puct import Evaluator, Options, Puct
from tests.reference.trees import MultiTree
from tests.search.mock_net import MockNet, evaluate, softmax
from tests.search.test_puct import GAMES, MOVER, material, positions

DIRECTIONS = ("mover", "directions", 0)  # as `mover`, and one entry per square and direction
MENG = Options(10, transpositions=True, forced="heuristic", depth_limit=50)
MODERN = Options(
    10, formula="alphazero", c_puct=1.25, first_play="parent", forced="skip", proven=True
)
DRAUGHTS = "international:endings=meng"


def late_positions(count: int) -> list[State]:
    """Positions of which a third is in the last stage."""
    found = positions(DRAUGHTS, 6 * count, longest=140)
    last = [state for state in found if state.native.stage() == 2]
    early = [state for state in found if state.native.stage() < 2]
    assert len(last) >= count // 3
    return [*last[: count // 3], *early[: count - count // 3]]


def config(options: Options) -> SearchConfig:
    return SearchConfig.model_validate(vars(options))


def core_search(
    root: State,
    method: str,
    search: SearchConfig,
    nets: list[MockNet],
    formats: list[object],
    **sharing: float,
) -> _core.NetSearch:
    plan = find_method(method).plan(sharing)
    found = _core.make_search(root.native, search.native(noise=False, plan=plan), formats, seed=1)
    while (planes := found.collect()) is not None:
        found.receive(*nets[found.net()](planes))
    return found


def assert_same(found: _core.NetSearch, wanted: MultiTree, root: State) -> None:
    """Visits, priors, values and evaluations of both trees, at the root and down the line."""
    state = root.copy()
    line: tuple[int, ...] = ()
    for depth in range(4):
        for which, tree in enumerate(wanted.trees):
            node = tree.name(state, line)
            by_action = {c.action: c for c in found.candidates(which)}
            if node not in tree.priors:
                assert depth > 0
                assert found.evaluation(which) is None
                continue
            assert found.evaluation(which) == list(wanted_evaluation(tree, node)), (root, line)
            for action, prior in tree.priors[node].items():
                candidate = by_action[action]
                assert candidate.visits == tree.visits[node, action], (root, line, which, action)
                assert candidate.prior == prior
                if tree.visits[node, action] and not candidate.proven:
                    mean = tree.totals[node, action] / tree.visits[node, action]
                    assert candidate.value == pytest.approx(mean, abs=1e-6)
        action = found.candidates()[0].action
        state.play_action(action)
        line += (action,)
        found.follow([action])
        if not found.candidates():
            return  # nothing was kept: the game is over there, or forced replies follow


def wanted_evaluation(tree: Puct, node: object) -> tuple[float, ...]:
    return tree.proven.get(node, tree.evaluated[node])


def small_and_large(root: State) -> list[MockNet]:
    shape = root.game.shape
    return [MockNet(shape.actions, shape.players, salt=salt) for salt in (1, 2)]


def evaluators(nets: list[MockNet]) -> list[Evaluator]:
    return [lambda state, net=net: evaluate(net, state) for net in nets]


def assert_same_as_meng_s_algorithm_5(root: State, options: Options, **sharing: float) -> None:
    nets = small_and_large(root)
    found = core_search(root, "mpv", config(options), nets, [MOVER, MOVER], **sharing)
    wanted = MultiTree(evaluators(nets), material, options, **sharing)
    wanted.search(root)
    if not any(wanted.trees[0].proven):
        assert found.simulations() == options.simulations * (wanted.budget + 1)
    assert_same(found, wanted, root)


@pytest.mark.parametrize("spec", GAMES)
def test_mpv_is_meng_s_algorithm_5_on_a_hundred_positions(spec: str) -> None:
    # Without a heuristic, a state with a single action is evaluated like any other.
    options = replace(MENG, forced="evaluate") if spec == "chexers" else MENG
    for root in positions(spec, 25):
        assert_same_as_meng_s_algorithm_5(root, options)


@pytest.mark.parametrize("spec", GAMES)
def test_mpv_with_a_modern_search_shares_in_the_same_way(spec: str) -> None:
    for root in positions(spec, 6):
        assert_same_as_meng_s_algorithm_5(root, MODERN)


@pytest.mark.parametrize("sharing", [{"alpha": 0.25, "beta": 0.5}, {"alpha": 1, "beta": 1}])
@pytest.mark.parametrize("budget", [1, 3])
def test_other_shares_and_budgets_are_followed(sharing: dict[str, float], budget: int) -> None:
    for root in positions("english", 4):
        assert_same_as_meng_s_algorithm_5(root, MENG, budget=budget, **sharing)


def direction(action: int) -> int:
    """Square and direction of a step on the board of 10x5, worked out by hand."""
    start, end = divmod(action, 50)
    rows = end // 5 - start // 5
    column = [2 * (square % 5) + (square // 5 % 2 == 0) for square in (start, end)]
    return 4 * start + 2 * (rows > 0) + (column[1] > column[0])


def evaluate_by_directions(
    net: MockNet, state: State
) -> tuple[dict[int, float], tuple[float, ...]]:
    logits, values = net(state.encode()[None])
    actions = state.actions()
    priors = softmax(logits[0, [direction(action) for action in actions]])
    own = float(values[0, 0])
    by_seat = (own, -own) if state.to_move == 0 else (-own, own)
    return dict(zip(actions, priors.tolist(), strict=True)), by_seat


def by_stage(early: MockNet, last: MockNet) -> Evaluator:
    def evaluated(state: State) -> tuple[dict[int, float], tuple[float, ...]]:
        is_early = state.native.stage() < 2
        return evaluate_by_directions(early, state) if is_early else evaluate(last, state)

    return evaluated


@pytest.mark.parametrize("options", [MENG, replace(MODERN, proven=False)], ids=["meng", "modern"])
def test_hybrid_is_mpv_with_one_net_for_the_early_stages_on_a_hundred_positions(
    options: Options,
) -> None:
    early = MockNet(201, 2, salt=3)
    for root in late_positions(100 if options is MENG else 20):
        small, large = small_and_large(root)
        nets = [early, small, large]
        found = core_search(root, "hybrid", config(options), nets, [DIRECTIONS, MOVER, MOVER])
        wanted = MultiTree([by_stage(early, small), by_stage(early, large)], material, options)
        wanted.search(root)
        assert_same(found, wanted, root)


@pytest.mark.parametrize("options", [MENG, MODERN], ids=["meng", "modern"])
def test_three_stage_asks_the_net_of_the_stage(options: Options) -> None:
    options = replace(options, simulations=50)
    early = MockNet(201, 2, salt=3)
    for root in late_positions(20):
        _, large = small_and_large(root)
        found = core_search(
            root, "three-stage", config(options), [early, large], [DIRECTIONS, MOVER]
        )
        visits = {c.action: c.visits for c in found.candidates()}
        wanted = Puct(by_stage(early, large), material, options).search(root)
        assert visits == wanted, root


def test_one_net_evaluates_a_state_once_for_both_trees() -> None:
    """In the early stages of the hybrid method, which have one net for both."""
    root = make(DRAUGHTS).start()
    nets = [MockNet(201, 2), *small_and_large(root)]
    plan = find_method("hybrid").plan()
    search = _core.make_search(
        root.native,
        config(MENG).native(noise=False, plan=plan),
        [DIRECTIONS, MOVER, MOVER],
        seed=1,
    )
    asked = set()
    while (planes := search.collect()) is not None:
        asked.add(planes.tobytes())
        search.receive(*nets[search.net()](planes))
        assert search.net() == 0
    assert search.simulations() == 90
    assert len(asked) <= 81  # the large tree looks where the small one has been


def test_a_method_of_three_stages_is_refused_by_a_game_of_one() -> None:
    options = SearchConfig().native(noise=False, plan=find_method("three-stage").plan())
    with pytest.raises(BoardZeroError, match="divides a game into 3 stages; this one has 1"):
        _core.make_search(make("gomoku:size=6,line=4").start().native, options, [MOVER] * 2, seed=1)


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (SearchPlan(trees=(TreePlan(nets=(1,)),)), "a tree has no net"),
        (SearchPlan(trees=(TreePlan(nets=(-1,)),)), "a tree has no net"),
        (SearchPlan(turns=(1,)), "belongs to no tree"),
        (SearchPlan(trees=(TreePlan(follows=1),)), "follows one that is not there"),
    ],
)
def test_a_plan_that_does_not_fit_its_nets_is_refused(plan: SearchPlan, sentence: str) -> None:
    options = SearchConfig().native(noise=False, plan=plan)
    with pytest.raises(BoardZeroError, match=sentence):
        _core.make_search(make("english").start().native, options, MOVER, seed=1)


def test_noise_at_the_root_survives_the_sharing_of_priors() -> None:
    root = make("gomoku:size=6,line=4").start()
    search = SearchConfig(simulations=1, noise_weight=0.25)
    nets = small_and_large(root)
    plan = find_method("mpv").plan()
    priors = []
    for noise in (False, True):
        found = _core.make_search(
            root.native, search.native(noise=noise, plan=plan), [MOVER, MOVER], seed=1
        )
        while (planes := found.collect()) is not None:
            found.receive(*nets[found.net()](planes))
        priors.append([{c.action: c.prior for c in found.candidates(t)} for t in (0, 1)])
    assert priors[0][0] == priors[0][1] == priors[1][1]
    assert priors[1][0] != priors[1][1]
    assert sum(priors[1][0].values()) == pytest.approx(1, abs=1e-5)
