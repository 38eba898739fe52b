"""The compiled PUCT search against a slow reference, visit by visit."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from boardzero import BoardZeroError, Ending, PythonGame, State, _core, make
from boardzero.methods import find_method
from boardzero.models import SearchConfig, UniformNet
from boardzero.models.onnx import Evaluator
from tests.games.tictactoe import TicTacToe
from tests.reference.puct import Options, Puct
from tests.search.mock_net import Floats, MockNet, evaluate

GAMES = ["gomoku:size=6,line=4", "english", "international:endings=meng", "chexers"]
MOVER = ("mover", "flat", 0)


@cache
def positions(spec: str, count: int, *, longest: int = 60) -> list[State]:
    """Positions of random games, none over; in draughts some are in the middle of a capture."""
    rng = random.Random(spec)
    found: list[State] = []
    while len(found) < count:
        state = make(spec).start()
        for _ in range(rng.randrange(longest)):
            if state.outcome() is None:
                state.play_action(rng.choice(state.actions()))
        if state.outcome() is None:
            found.append(state)
    return found


def material(state: State) -> tuple[float, ...]:
    """Meng 2020, eq. 6.1 as one value per seat; a draw in games that have no such rule."""
    if state.game.traits.pdn is None:
        players = state.game.players
        return (float(np.float32(2) / np.float32(players) - np.float32(1)),) * players
    worth = {"man": 1, "king": 2}
    mover = state.to_move
    balance = sum(
        1 if piece.kind == "jumped" else worth[piece.kind] * (1 if piece.owner == mover else -1)
        for piece in state.pieces()
    )
    total = 40 if state.game.name == "international" else 24
    value = float(np.float32(balance) / np.float32(total))
    return (value, -value) if mover == 0 else (-value, value)


def core_search(root: State, options: Options, net: Evaluator) -> _core.NetSearch:
    config = SearchConfig.model_validate(vars(options))
    search = _core.make_search(root.native, config.native(noise=False), MOVER, seed=1)
    run(search, net)
    return search


def run(search: _core.NetSearch, net: Evaluator) -> None:
    while (planes := search.collect()) is not None:
        if len(planes):
            search.receive(*net(planes))


def core_visits(root: State, options: Options, net: Evaluator) -> dict[int, int]:
    visits = {c.action: c.visits for c in core_search(root, options, net).candidates()}
    return {action: visits[action] for action in root.actions()}


def reference_visits(root: State, options: Options, net: MockNet) -> dict[int, int]:
    return Puct(lambda state: evaluate(net, state), material, options).search(root)


def assert_same_visits(spec: str, count: int, options: Options, *, longest: int = 60) -> None:
    shape = make(spec).shape
    for uniform in (False, True):
        net = MockNet(shape.actions, shape.players, uniform=uniform)
        for root in positions(spec, count, longest=longest):
            wanted = reference_visits(root, options, net)
            assert core_visits(root, options, net) == wanted, root


@pytest.mark.parametrize("spec", GAMES)
def test_visits_are_those_of_meng_s_algorithm_1_on_two_hundred_positions(spec: str) -> None:
    assert_same_visits(spec, 50, Options(40))


@pytest.mark.parametrize("spec", GAMES)
def test_visits_are_those_of_alphazeros_formula_on_two_hundred_positions(spec: str) -> None:
    assert_same_visits(spec, 50, Options(40, formula="alphazero", c_puct=1.25, first_play="parent"))


def test_some_of_the_positions_have_the_same_player_moving_twice() -> None:
    inside = [s for s in positions("english", 50) if any(p.kind == "jumped" for p in s.pieces())]
    assert inside


VARIATIONS = {
    "forced skip": Options(forced="skip"),
    "forced heuristic": Options(forced="heuristic"),
    "proven": Options(proven=True),
    "proven and forced skip": Options(proven=True, forced="skip"),
    "first play zero": Options(formula="alphazero", first_play="zero"),
    "transpositions": Options(transpositions=True),
    "transpositions and forced skip": Options(transpositions=True, forced="skip"),
    "transpositions and forced heuristic": Options(transpositions=True, forced="heuristic"),
    "child values": Options(child_values=True),
    "child values and proven": Options(child_values=True, proven=True),
    "child values by alphazero": Options(child_values=True, formula="alphazero", depth_limit=3),
    "depth limit": Options(depth_limit=3),
    "depth limit, transpositions and forced skip": Options(
        depth_limit=4, transpositions=True, forced="skip"
    ),
    "everything of a modern search": Options(
        formula="alphazero", c_puct=1.5, first_play="parent", forced="skip", proven=True
    ),
}


@pytest.mark.parametrize("name", VARIATIONS)
@pytest.mark.parametrize("spec", GAMES)
def test_every_option_visits_what_the_reference_visits(spec: str, name: str) -> None:
    assert_same_visits(spec, 8, replace(VARIATIONS[name], simulations=60))


ENDINGS = {
    "international:endings=meng": ["W:WK5:BK46", "W:WK3,K50:BK21", "B:W31,K5:BK46,16"],
    "english": ["W:WK1,K5:BK32", "B:WK1:BK32,K28", "B:W22,K1:BK32,11"],
    "chexers": [],
}


@pytest.mark.parametrize("forced", ["evaluate", "skip", "heuristic"])
@pytest.mark.parametrize("spec", list(ENDINGS))
def test_positions_that_come_again_and_again_are_searched_like_the_reference(
    spec: str, forced: str
) -> None:
    shape = make(spec).shape
    net = MockNet(shape.actions, shape.players, uniform=True)
    options = Options(150, transpositions=True, forced=forced, depth_limit=30)
    roots = [make(spec).parse_fen(fen) for fen in ENDINGS[spec]] or positions(spec, 3)
    for root in roots:
        assert core_visits(root, options, net) == reference_visits(root, options, net), root


def test_a_position_reached_with_and_without_forced_replies_is_one_that_can_be_played() -> None:
    """Long searches of endings with kings meet forced replies on many ways to one position."""
    root = make("english").parse_fen("B:W22,25,K1:BK32,11,15")
    net = MockNet(root.game.shape.actions, 2)
    options = Options(600, transpositions=True, forced="skip", depth_limit=40)
    assert core_visits(root, options, net) == reference_visits(root, options, net)


# Solving.

BUDGET = 400_000


class DoubleNim(PythonGame[tuple[int, int]]):
    """Each takes one to three stones, twice in a row; who takes the last stone wins."""

    rows = columns = 1
    action_count = 3
    planes = 1

    def initial(self) -> tuple[int, int]:
        return (9, 0)

    def to_move(self, s: tuple[int, int]) -> int:
        return s[1] // 2 % 2

    def actions(self, s: tuple[int, int]) -> list[int]:
        return list(range(min(3, s[0])))

    def play(self, s: tuple[int, int], action: int) -> tuple[int, int]:
        return (s[0] - action - 1, s[1] + 1)

    def outcome(self, s: tuple[int, int]) -> Ending | None:
        return self.win((s[1] - 1) // 2 % 2, "the last stone") if s[0] == 0 else None

    def encode(self, s: tuple[int, int]) -> np.ndarray:
        return np.full((1, 1, 1), s[0] / 9, np.float32)


def solved_value(state: State) -> float:
    """For seat 0, by looking at everything."""

    @cache
    def value(fen: str) -> float:
        here = state.game.parse_fen(fen)
        outcome = here.outcome()
        if outcome is not None:
            return outcome.values[0]
        replies = []
        for action in here.actions():
            there = here.copy()
            there.play_action(action)
            replies.append(value(there.fen()))
        return max(replies) if here.to_move == 0 else min(replies)

    return value(state.fen())


def solve(root: State) -> _core.NetSearch:
    """A search that tries everything: a usual one hardly looks at what is worse than a draw."""
    net = UniformNet(root.game.shape.actions, root.game.players)
    wide = Options(BUDGET, proven=True, formula="alphazero", c_puct=1000, forced="skip")
    return core_search(root, wide, net)


def test_a_uniform_net_and_the_backup_of_proofs_show_tic_tac_toe_a_draw() -> None:
    search = solve(TicTacToe().game().start())
    assert search.values() == [0, 0]
    assert search.simulations() < BUDGET  # a proven root ends the search
    assert any(candidate.proven and candidate.value == 0 for candidate in search.candidates())


def tic_tac_toe_positions() -> Iterator[State]:
    rng = random.Random(5)
    for _ in range(12):
        state = TicTacToe().game().start()
        for _ in range(rng.randrange(2, 6)):
            if state.outcome() is None:
                state.play_action(rng.choice(state.actions()))
        if state.outcome() is None:
            yield state


def test_the_backup_of_proofs_finds_the_value_of_any_position_of_tic_tac_toe() -> None:
    for root in tic_tac_toe_positions():
        value = solved_value(root)
        assert solve(root).values() == [value, -value], root


def test_the_backup_of_proofs_is_right_where_a_player_moves_twice_in_a_row() -> None:
    root = DoubleNim().game().start()
    value = solved_value(root)
    assert solve(root).values() == [value, -value]


def test_a_proven_win_is_listed_first_and_a_proven_loss_last() -> None:
    root = TicTacToe().game().parse_fen("xx.oo....")
    found = solve(root).candidates()
    assert found[0].action == 2
    assert found[0].proven
    assert found[0].value == 1
    root = TicTacToe().game().parse_fen("xx..o....")  # everything but 2 loses
    net = UniformNet(9, 2)
    found = core_search(root, Options(200, proven=True, formula="alphazero"), net).candidates()
    assert found[0].action == 2
    assert all(c.value <= -1 for c in found[1:] if c.proven)


# The seam to Python.


def test_a_search_goes_on_below_the_action_that_was_played() -> None:
    root = make("gomoku:size=6,line=4").start()
    net = MockNet(36, 2)
    search = core_search(root, Options(200), net)
    best = search.candidates()[0]
    search.follow([best.action])
    kept = {c.action: c.visits for c in search.candidates()}
    assert sum(kept.values()) == best.visits - 1  # the first visit made the node
    search.set_simulations(50)
    run(search, net)
    assert search.simulations() == 50
    assert sum(c.visits for c in search.candidates()) == best.visits - 1 + 50


def test_the_expected_line_can_be_played() -> None:
    for spec in GAMES:
        shape = make(spec).shape
        for root in positions(spec, 8):
            net = MockNet(shape.actions, shape.players)
            for candidate in core_search(root, Options(80, forced="skip"), net).candidates():
                state = root.copy()
                for action in candidate.line:
                    assert action in state.actions()
                    state.play_action(action)


def test_noise_changes_the_priors_of_the_root_and_keeps_their_sum() -> None:
    root = make("gomoku:size=6,line=4").start()
    options = SearchConfig(noise_weight=0.25, simulations=1).native(noise=True)
    priors = []
    for seed in (1, 1, 2):
        search = _core.make_search(root.native, options, MOVER, seed=seed)
        run(search, UniformNet(36, 2))
        priors.append([c.prior for c in sorted(search.candidates(), key=lambda c: c.action)])
    assert priors[0] == priors[1]
    assert priors[0] != priors[2]
    assert sum(priors[2]) == pytest.approx(1, abs=1e-5)
    assert min(priors[2]) >= 0.75 / 36 - 1e-6


def test_an_answer_of_another_size_and_an_answer_to_nothing_are_refused() -> None:
    root = make("gomoku:size=6,line=4").start()
    search = _core.make_search(root.native, SearchConfig().native(noise=False), MOVER, seed=1)
    answer = np.zeros((1, 36), np.float32), np.zeros((1, 2), np.float32)
    with pytest.raises(BoardZeroError, match="no state that waits"):
        search.receive(*answer)
    search.collect()
    with pytest.raises(BoardZeroError, match="does not fit the game"):
        search.receive(np.zeros((1, 35), np.float32), answer[1])


def test_an_unknown_encoding_policy_or_history_is_one_sentence() -> None:
    root = make("english").start().native
    options = SearchConfig().native(noise=False)
    for names, sentence in [
        (("wang", "flat", 0), "unknown encoding 'wang'; this game has mover, meng, sun-zhao"),
        (("mover", "flt", 0), "unknown policy 'flt'; this game has flat, absolute"),
        (("mover", "flat", 17), "from 0 to 16"),
    ]:
        with pytest.raises(BoardZeroError, match=sentence):
            _core.make_search(root, options, names, seed=1)


@pytest.mark.parametrize("spec", ["gomoku:size=6,line=4", "english", "chexers"])
def test_leaves_evaluated_together_count_once_and_leave_no_trace(spec: str) -> None:
    """Lines that wait count as lost; that is taken back, or a draw would not stay a draw."""
    root = make(spec).start()
    players = root.game.players
    net = UniformNet(root.game.shape.actions, players)
    draw = np.float32(2 / players - 1)
    config = SearchConfig.model_validate(vars(Options(simulations=200)))
    search = _core.make_search(root.native, config.native(noise=False), MOVER, seed=1)
    batches = []
    while (planes := search.collect(8)) is not None:
        batches.append(len(planes))
        logits, values = net(planes)
        search.receive(logits, np.full_like(values, draw))
    assert batches[0] == 1  # the root alone
    assert max(batches) == 8
    assert sum(c.visits for c in search.candidates()) == search.simulations() == 200
    assert all(c.value == pytest.approx(draw) for c in search.candidates() if not c.proven)


def test_a_game_that_is_over_is_not_searched() -> None:
    options = SearchConfig().native(noise=False)
    over = make("english").parse_fen("W:W:B1,2")
    with pytest.raises(BoardZeroError, match="the game is over"):
        _core.make_search(over.native, options, MOVER, seed=1)
    last = TicTacToe().game().parse_fen("xx.oo....")
    search = _core.make_search(last.native, options, MOVER, seed=1)
    search.follow([2])
    with pytest.raises(BoardZeroError, match="the game is over"):
        search.collect()


def test_states_to_be_judged_stay_what_they_are() -> None:
    root = make("gomoku:size=6,line=4").start()
    search = _core.make_search(root.native, SearchConfig().native(noise=False), MOVER, seed=1)
    first = search.collect()
    assert first is not None
    before = first.copy()
    net = UniformNet(36, 2)
    search.receive(*net(first))
    more = search.collect(64)
    assert more is not None
    assert len(more) > 1
    assert np.array_equal(first, before)


def test_a_search_that_needs_no_net_comes_up_for_air() -> None:
    """Three cells are free: soon every line ends in a finished game."""
    root = TicTacToe().game().parse_fen("xoxxox...")
    config = SearchConfig.model_validate(vars(Options(simulations=1_000_000, proven=False)))
    search = _core.make_search(root.native, config.native(noise=False), MOVER, seed=1)
    net = UniformNet(9, 2)
    before = 0
    for _ in range(50):
        planes = search.collect()
        assert planes is not None
        if len(planes):
            search.receive(*net(planes))
        assert 0 < search.simulations() + len(planes) - before <= 1100
        before = search.simulations()
    assert before > 20_000


def test_a_search_ends_when_its_memory_is_full() -> None:
    root = make("gomoku").start()
    options = SearchConfig(simulations=1_000_000).native(noise=False)
    options.memory = 1 << 20
    search = _core.make_search(root.native, options, MOVER, seed=1)
    run(search, UniformNet(64, 2))
    assert 400 < search.simulations() < 2000  # of about 1.5 kilobytes each


def test_a_simulation_with_child_values_evaluates_every_child_of_its_leaf() -> None:
    game = make("gomoku:size=6,line=4")
    net = MockNet(game.shape.actions, 2)
    rows = 0

    def count(planes: Floats) -> tuple[Floats, Floats]:
        nonlocal rows
        rows += len(planes)
        return net(planes)

    core_search(game.start(), Options(1, child_values=True), count)
    assert rows == 1 + 36 + 35  # the root, its children, and those of one of them


def test_analysis_with_child_values_can_be_left_and_gone_on_with_at_any_point() -> None:
    game = make("gomoku:size=6,line=4")
    net = MockNet(game.shape.actions, 2)
    config = SearchConfig(simulations=30, child_values=True, proven=False)
    search = _core.make_search(game.start().native, config.native(noise=False), MOVER, seed=1)
    for _ in range(9):  # in the middle of a node's children
        planes = search.collect(5)
        assert planes is not None
        search.receive(*net(planes))
    search.collect(5)
    search.follow([14])
    run(search, net)
    assert sum(c.visits for c in search.candidates()) >= 30 + 35


def test_equal_edges_are_taken_by_lot_only_if_asked_for() -> None:
    game = make("gomoku")
    net = UniformNet(game.shape.actions, 2)

    def first(seed: int, *, ties: bool) -> int:
        config = SearchConfig(simulations=1, random_ties=ties)
        search = _core.make_search(
            game.start().native, config.native(noise=False), MOVER, seed=seed
        )
        run(search, net)
        return next(c.action for c in search.candidates() if c.visits)

    assert {first(seed, ties=False) for seed in range(20)} == {0}
    assert len({first(seed, ties=True) for seed in range(40)}) > 20


def test_child_values_are_refused_where_they_make_no_sense() -> None:
    with pytest.raises(ValueError, match="no transpositions"):
        SearchConfig(child_values=True, transpositions=True)
    plan = find_method("mpv").plan()
    options = SearchConfig(child_values=True).native(noise=False, plan=plan)
    with pytest.raises(BoardZeroError, match="one tree"):
        _core.make_search(make("gomoku").start().native, options, [MOVER] * 2, seed=1)
