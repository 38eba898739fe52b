"""Deep Q-learning piece by piece: stores, experience, targets."""

import numpy as np
import pytest

from boardzero import make
from boardzero.lodz.board_view import ShownBoard
from boardzero.lodz.dqn import QLearner
from boardzero.lodz.exploring import Explorers, good_columns, play_test_game
from boardzero.lodz.nets import PickingNets
from boardzero.lodz.recipes import DqnRecipe
from boardzero.lodz.row_store import RowStore
from boardzero.runs.recipe import validate

GAME = make("english:endings=ocheretian")


def learner(**learn: object) -> QLearner:
    net = learn.pop("net", {})
    data = {"name": "t", "game": GAME.spec, "method": "dqn", "learn": learn, "net": net}
    recipe = validate(data, source="t")
    assert isinstance(recipe, DqnRecipe)
    return QLearner(recipe, PickingNets(recipe.net, 32, 1))


@pytest.fixture(scope="module")
def games():
    """Experience of five games."""
    explorers = Explorers(GAME.start().native, learner().nets, squares=32, games=3, max_steps=1000)
    rng = np.random.default_rng(1)
    found = []
    while len(found) < 5:
        found += explorers.advance(rng, 0.5)
    return found


def test_a_full_store_forgets_its_oldest_rows() -> None:
    store = RowStore(5, {"n": (np.int64, ())})
    for start in (0, 3):
        store.add({"n": np.arange(start, start + 3)})
    assert len(store) == 5
    drawn = store.draw(np.random.default_rng(1), 1000)["n"]
    assert set(drawn.tolist()) == {1, 2, 3, 4, 5}
    store.add({"n": np.arange(100, 120)})  # more than it can hold
    drawn = store.draw(np.random.default_rng(1), 1000)["n"]
    assert set(drawn.tolist()) == set(range(115, 120))


def test_a_store_survives_its_file() -> None:
    store, copy = (RowStore(5, {"n": (np.int64, (2,))}) for _ in range(2))
    store.add({"n": np.arange(14).reshape(7, 2)})
    copy.load("s", store.tensors("s"))
    rng = [np.random.default_rng(1) for _ in range(2)]
    assert (store.draw(rng[0], 20)["n"] == copy.draw(rng[1], 20)["n"]).all()


def test_every_good_step_is_legal_and_every_bad_choice_is_not(games) -> None:
    for game in games:
        good = game.good
        rows = np.arange(len(good["piece"]))
        assert good["legal_pieces"][rows, good["piece"]].all()
        assert good["legal_targets"][rows, good["target"]].all()
        legal = {
            bytes(b): set(np.flatnonzero(m))
            for b, m in zip(good["board"], good["legal_pieces"], strict=True)
        }
        for board, piece in zip(*game.bad_pieces.values(), strict=True):
            assert int(piece) not in legal[bytes(board)]


def test_the_next_position_is_the_same_player_s_and_results_are_its_own(games) -> None:
    for game in games:
        good = game.good
        assert good["over"].sum() == 2
        ends = np.flatnonzero(good["over"])
        assert good["left"][ends].tolist() == [0, 0]
        first, second = good["result"][ends]
        assert first == -second
        rows = np.flatnonzero(good["over"] == 0)
        assert (good["next_board"][rows] == good["board"][rows + 1]).all()
        assert (good["left"][rows] == good["left"][rows + 1] + 1).all()


def test_a_capture_of_several_jumps_is_no_choice_of_a_piece(games) -> None:
    assert all(game.decisions == len(game.good["piece"]) for game in games)
    state = GAME.parse_fen("B:W6,14:B1").native
    explorers = Explorers(state, learner().nets, squares=32, games=1, max_steps=10)
    rng = np.random.default_rng(1)
    (game,) = explorers.advance(rng, 0.0) or explorers.advance(rng, 0.0)
    assert game.good["chose_piece"].tolist() == [1, 0]


def rows_of(result: float, *, over: bool, left: int = 0) -> dict[str, np.ndarray]:
    view = ShownBoard.of(GAME.start().native)
    legal = np.zeros((32, 32), bool)
    legal[tuple(zip(*view.steps, strict=True))] = True
    (piece, target), _ = next(iter(view.steps.items()))
    values = {
        "board": view.board,
        "piece": piece,
        "target": target,
        "chose_piece": 1,
        "legal_pieces": legal.any(axis=1),
        "legal_targets": legal[piece],
        "result": result,
        "left": left,
        "over": over,
        "next_board": view.board,
        "next_legal": np.packbits(legal),
    }
    return {name: np.array([values[name]], kind) for name, (kind, _) in good_columns(32).items()}


@pytest.mark.parametrize(("result", "reward"), [(1, 1), (0, 0), (-1, -1)])
def test_a_last_step_is_worth_the_result(result: float, reward: float) -> None:
    piece, move = learner().targets(rows_of(result, over=True))
    assert (piece[0], move[0]) == (reward, reward)


def test_any_other_step_is_worth_the_discounted_best_of_the_next_position() -> None:
    found = learner(discount=0.9)
    rows = rows_of(1, over=False, left=3)
    piece, move = found.targets(rows)
    liked = found.nets.pieces(rows["next_board"])
    best = liked.argmax(axis=1)
    assert piece[0] == pytest.approx(0.9 * liked.max())
    assert move[0] == pytest.approx(0.9 * found.nets.targets(rows["next_board"], best).max())


def test_with_a_mask_only_legal_choices_are_compared() -> None:
    found = learner(discount=1.0, mask=True, net={"output": "linear"})
    rows = rows_of(1, over=False)
    liked = found.nets.pieces(rows["next_board"])[0]
    movable = rows["legal_pieces"][0].astype(bool)
    assert found.targets(rows)[0][0] == pytest.approx(liked[movable].max(), abs=1e-6)


def test_in_double_learning_the_target_net_evaluates_what_the_net_chooses() -> None:
    found = learner(discount=1.0, double=True, target_every=10)
    found.target_nets["piece"].parameters[:] = np.random.default_rng(5).normal(
        size=len(found.target_nets["piece"].parameters), scale=0.1
    )
    rows = rows_of(1, over=False)
    inputs = found.nets.inputs(rows["next_board"])
    choice = int(found.nets.pieces(rows["next_board"]).argmax())
    assert found.targets(rows)[0][0] == pytest.approx(
        float(found.target_nets["piece"].predict(inputs)[0, choice]), abs=1e-6
    )
    found.renew()
    assert (found.target_nets["piece"].parameters == found.nets.nets["piece"].parameters).all()


def test_the_game_s_own_result_can_be_part_of_the_target() -> None:
    found = learner(discount=0.5, outcome=1.0)
    piece, _ = found.targets(rows_of(-1, over=False, left=2))
    assert piece[0] == pytest.approx(-0.25)


def test_illegal_choices_are_taught_minus_one(games) -> None:
    found = learner(net={"output": "linear"}, lr=0.003)
    for game in games:
        found.remember(game)
    rows = found.bad_pieces.draw(np.random.default_rng(2), 500)
    places = np.arange(500), rows["piece"].astype(int)
    before = found.nets.pieces(rows["board"])[places]
    for cycle in range(1, 20):
        found.learn(np.random.default_rng(cycle), cycle)
    after = found.nets.pieces(rows["board"])[places]
    assert np.abs(after + 1).mean() < 0.8 * np.abs(before + 1).mean()


def test_stores_stay_within_their_bounds(games) -> None:
    found = learner()
    for _ in range(60):
        for game in games:
            found.remember(game)
    assert len(found.good) == 10_000
    assert len(found.bad_pieces) <= 100_000


def test_all_that_is_illegal_can_be_taught_at_once(games) -> None:
    found = learner(illegal_from="all", outcome=1.0, illegal=-2.0, net={"output": "linear"})
    for game in games:
        found.remember(game)
    assert len(found.bad_pieces) == 0
    for cycle in range(1, 150):
        found.learn(np.random.default_rng(cycle), cycle)
    rows = found.good.draw(np.random.default_rng(1), 200)
    chose = rows["chose_piece"].astype(bool)
    liked = found.nets.pieces(rows["board"])[chose]
    legal = rows["legal_pieces"][chose].astype(bool)
    chosen = liked[np.arange(len(liked)), rows["piece"][chose]]
    assert liked[~legal].mean() < -1.5
    assert chosen.mean() > liked[~legal].mean() + 0.3


def test_a_test_game_counts_every_try() -> None:
    test = play_test_game(GAME.start().native, learner().nets)
    assert test.decisions > 20
    assert test.first + test.wrong >= test.decisions
    assert test.ratio == test.decisions / test.wrong
