"""The shipped recipes: complete, true to their sources, and able to learn."""

import re

import numpy as np
import pytest
import torch

from boardzero import _core
from boardzero.games import make
from boardzero.models.onnx import UniformNet
from boardzero.runs.events import LossMeasured, of_type
from boardzero.runs.recipe import (
    Recipe,
    RenamedWarning,
    load_recipe,
    recipe_names,
    shipped_recipes,
)
from boardzero.training.selfplay_worker import evaluate_once, selfplay_pool
from boardzero.training.train import train
from boardzero.training.trainer import Trainer

THESIS = ["meng-three-stage", "meng-three-stage-large", "meng-mpv", "meng-hybrid"]
SEEDS = ["mann-han-alphaone", "meng-baseline", *THESIS, "sun-zhao", "wang-gomoku"]
MODERN = [f"{name}-modern" for name in SEEDS]
SMALL = [name for name in recipe_names() if name.endswith("-small")]
FAST = [*MODERN, "mann-han-hindsight"]
SELF_PLAY = [name for name in recipe_names() if isinstance(load_recipe(name), Recipe)]

# What the sources print in tables and numbers, by key of the recipe.
STATED: dict[str, dict[str, object]] = {
    "meng-baseline": {  # section 2.3, section 6.2, tables 7.1 and 7.2
        "net.blocks": 10,
        "net.channels": 64,
        "net.policy.channels": 2,
        "net.value.hidden": 128,
        "net.dropout": 0.3,
        "search.simulations": 50,
        "search.c_puct": 1.0,
        "search.formula": "meng",
        "search.depth_limit": 50,
        "selfplay.temperature_steps": 10,
        "selfplay.games": 100,
        "replay.iterations": 5,
        "gate.games": 20,
        "gate.threshold": 0.55,
        "gate.rule": "wins",
        "gate.on_fail": "restore",
        "learn.optimizer": "adam",
        "learn.lr": 0.001,
        "learn.weight_decay": 0.0001,
        "learn.epochs": 10,
        "learn.batch_size": 64,
        "run.mode": "sync",
    },
    "meng-three-stage": {  # section 3.3, table 7.1
        "method": "three-stage",
        "net.blocks": 10,
        "net.value.hidden": 128,
        "nets.early.blocks": 5,
        "nets.early.channels": 64,
        "nets.early.value.hidden": 64,
        "nets.early.dropout": 0.3,
        "nets.early.format.policy": "directions",
        "search.simulations": 50,
    },
    "meng-three-stage-large": {  # section 8.3
        "method": "three-stage",
        "nets.early.blocks": 10,
        "nets.early.value.hidden": 128,
        "nets.early.format.policy": "directions",
        "search.simulations": 50,
    },
    "meng-mpv": {  # sections 4.1, 4.3 and 7.1, table 7.1
        "method": "mpv",
        "net.blocks": 10,
        "net.value.hidden": 128,
        "nets.small.blocks": 5,
        "nets.small.value.hidden": 64,
        "nets.small.format.policy": "absolute",
        "search.simulations": 10,
        "method_options.budget": 8,
        "method_options.alpha": 0.5,
        "method_options.beta": 0.0,
    },
    "meng-hybrid": {  # section 5.3, table 7.1
        "method": "hybrid",
        "net.blocks": 10,
        "nets.early.blocks": 5,
        "nets.early.value.hidden": 64,
        "nets.early.format.policy": "directions",
        "nets.small.blocks": 5,
        "nets.small.value.hidden": 64,
        "nets.small.format.policy": "absolute",
        "search.simulations": 10,
        "method_options.budget": 8,
    },
    "sun-zhao": {  # the slides "Training" and "Joint Training"
        "search.simulations": 20,
        "search.c_puct": 0.1,
        "selfplay.games": 10,
        "learn.lr": 0.01,
        "learn.epochs": 50,
        "run.mode": "async",
        "net.blocks": 10,  # from here on the program that they link to
        "net.channels": 64,
        "net.value.hidden": 128,
        "learn.batch_size": 64,
        "replay.positions": 20_000,
    },
    "wang-gomoku": {  # table 1, sections 5.2 and 7.3
        "net.blocks": 5,
        "net.stem_kernel": 4,
        "net.activation": "leaky-relu",
        "net.activate": "before",
        "net.slope": 0.3,
        "search.child_values": True,
        "search.random_ties": True,
        "selfplay.games": 50,
        "search.simulations": 20,
        "replay.positions": 20_000,
        "search.c_puct": 1.0,
        "search.noise_weight": 0.2,
        "learn.batch_size": 256,
        "learn.weight_decay": 0.0001,
        "learn.optimizer": "sgd",
        "learn.lr": 0.1,
        "learn.momentum": 0.9,
        "learn.steps": 10,
        "learn.policy_weight": 0.5,
        "learn.value_weight": 0.5,
        "gate.games": 20,
        "gate.rule": "ratio",
        "gate.threshold": 1.5,
        "gate.on_fail": "keep",
    },
    "mann-han-alphaone": {  # section B
        "net.blocks": 5,
        "search.simulations": 500,
        "selfplay.early_games": 100,
        "selfplay.early_simulations": 100,
        "run.iterations": 250,
        "net.value.output": "players",
    },
}

SHAPES = {  # planes, rows, columns; policy
    "meng-baseline": ((8, 10, 5), 2501),
    **dict.fromkeys(THESIS, ((8, 10, 5), 2501)),
    "sun-zhao": ((3, 8, 8), 8 * 8 * 4),
    "wang-gomoku": ((3, 8, 8), 64),
    "mann-han-alphaone": ((6, 7, 7), 482),
}


def play(recipe: Recipe, numbers: list[int]) -> list[bytes]:
    """Games of the recipe with nets that know nothing."""
    formats = [section.format.names for section in recipe.sections().values()]
    start = make(recipe.game).start().native
    samplers = [_core.make_sampler(start, names) for names in formats]
    nets = [UniformNet(sampler.policy_size(), sampler.players()) for sampler in samplers]
    pool = selfplay_pool(recipe, formats)
    pool.add(numbers)
    finished: list[bytes] = []
    while pool.left():
        evaluate_once(pool, nets)
        finished += pool.take_finished()
    return finished


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Nets this small are only held up by a second one."""
    torch.set_num_threads(1)


def sampler_of(recipe: Recipe) -> _core.Sampler:
    return _core.make_sampler(make(recipe.game).start().native, recipe.format.names)


def flat(data: dict[str, object], prefix: str = "") -> dict[str, object]:
    """The values of nested sections by their full keys."""
    values: dict[str, object] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            values |= flat(value, f"{prefix}{key}.")
        else:
            values[prefix + key] = value
    return values


def commented(name: str) -> dict[str, bool]:
    """For each key that a recipe's file or one that it extends sets, whether its line says why."""
    found: dict[str, bool] = {}
    section = ""
    for line in shipped_recipes()[name].read_text().splitlines():
        if parent := re.match(r'extends = "(.+)"', line):
            found |= commented(parent[1])
            continue
        if header := re.match(r"\[([\w.]+)\]", line):
            section = f"{header[1]}."
        elif entry := re.match(r"(\w+) *= ", line):
            found[section + entry[1]] = "# " in line
    return found


def test_the_recipes_of_the_sources_are_there_each_in_three_forms():
    small = {f"{name}-small" for name in (*SEEDS, "lodz-single", "lodz-double", "lodz-dqn")}
    assert set(recipe_names()) >= {*SEEDS, *MODERN, *small, "mann-han-hindsight"}


# What says how large a run is and how long it takes.
SIZES = {"blocks", "channels", "games", "early_games", "iterations", "cycles", "positions", "data"}
SCHEDULE = {"explore.from_cycle", "explore.to_cycle"}  # goes with the cycles


@pytest.mark.parametrize("name", SMALL)
def test_a_small_form_changes_size_and_time_alone(name):
    whole = flat(load_recipe(name.removesuffix("-small")).model_dump())
    small = flat(load_recipe(name).model_dump())
    assert whole.keys() == small.keys()
    changed = {key for key in whole if whole[key] != small[key]} - {"name", "about"} - SCHEDULE
    assert changed
    assert {key.split(".")[-1] for key in changed} <= SIZES
    assert not {key for key in changed if "policy." in key or "value." in key or "gate." in key}


@pytest.mark.parametrize("name", SEEDS)
def test_a_recipe_by_its_old_name_is_found_and_says_the_new_one(name):
    with pytest.warns(RenamedWarning, match=f"{name}-quick is now called {name}-modern"):
        assert load_recipe(f"{name}-quick").name == f"{name}-modern"


@pytest.mark.parametrize("name", SELF_PLAY)
def test_a_recipe_is_valid_for_its_game_and_survives_being_saved(name, tmp_path):
    recipe = load_recipe(name)
    trainer = Trainer(make(recipe.game), recipe)
    shape = trainer.shape
    trainer.net.eval()
    with torch.no_grad():
        policy, raw = trainer.net(torch.zeros(2, shape.planes, shape.rows, shape.columns))
    assert policy.shape == (2, shape.policy)
    assert trainer.net.expected_values(raw).shape == (2, shape.players)
    (tmp_path / "saved.toml").write_text(recipe.toml())
    assert load_recipe(str(tmp_path / "saved.toml")) == recipe


@pytest.mark.parametrize("name", SELF_PLAY)
def test_a_recipe_plays_games_that_can_be_learned_from(name):
    small = ["search.simulations=2", "selfplay.early_simulations=2", "selfplay.max_steps=30"]
    recipe = load_recipe(name, small)
    for record in play(recipe, [0, 1]):
        game = _core.parse_record(record)
        assert len(game.actions) <= 30
        sampler_of(recipe).verify(record)


@pytest.mark.parametrize("name", SEEDS)
def test_a_recipe_has_the_values_that_its_source_states(name):
    values = flat(load_recipe(name).model_dump())
    assert {key: values[key] for key in STATED[name]} == STATED[name]


@pytest.mark.parametrize("name", SEEDS)
def test_a_recipe_has_the_inputs_and_actions_of_its_source(name):
    recipe = load_recipe(name)
    sampler = sampler_of(recipe)
    assert (tuple(sampler.input_shape()), sampler.policy_size()) == SHAPES[name]


@pytest.mark.parametrize("name", SEEDS)
def test_every_value_of_a_source_says_where_it_comes_from(name):
    silent = [key for key, says in commented(name).items() if not says]
    assert set(silent) <= {"about", "method"}


@pytest.mark.parametrize("name", SEEDS)
def test_every_change_of_a_modern_form_is_written_down_with_its_reason(name):
    whole = flat(load_recipe(name).model_dump())
    modern = flat(load_recipe(f"{name}-modern").model_dump())
    # None: another key says it instead. No gate: its other keys mean nothing.
    changed = {key for key in whole if whole[key] != modern[key] and modern[key] is not None}
    changed -= {"name", "about", *(key for key in whole if key.startswith("gate."))}
    said = {key for key, says in commented(f"{name}-modern").items() if says}
    for net in load_recipe(name).nets:  # which inherits what is said of all nets
        said |= {f"nets.{net}.{key.removeprefix('net.')}" for key in said}
    assert changed - {"method"} <= said
    assert "gate.games" in said or whole["gate.games"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", FAST)
def test_a_modern_recipe_makes_a_version_from_its_own_games(name, tmp_path):
    changes = [
        "search.simulations=4",
        "selfplay.games=4",
        "selfplay.max_steps=60",
        "learn.batch_size=16",
        "gate.games=0",
        "run.iterations=1",
    ]
    run = train(name, run=tmp_path / "run", changes=changes, cores=1)
    assert run.versions() == [0, 1]
    losses = of_type(run.read_log(), LossMeasured)
    assert losses
    assert all(np.isfinite(event.losses["value"]) for event in losses)


def test_early_games_have_their_own_budget():
    changes = ["search.simulations=40", "selfplay.early_games=1", "selfplay.early_simulations=3"]
    changes += ["selfplay.reuse_tree=false", "selfplay.target=visits", "search.child_values=false"]
    recipe = load_recipe("wang-gomoku", changes)
    games = {game.number: game for game in map(_core.parse_record, play(recipe, [0, 1]))}
    assert {len(d.policy) for d in games[0].decisions[:5]} == {3}
    assert all(len(d.policy) > 3 for d in games[1].decisions[:5])


def test_without_temperature_the_best_target_is_played_whatever_the_target():
    recipe = load_recipe("wang-gomoku", ["selfplay.target=visits_score"])
    (game,) = map(_core.parse_record, play(recipe, [7]))
    for decision in game.decisions:
        best = max(share for _, share in decision.policy)
        assert dict(decision.policy)[game.actions[decision.ply]] == pytest.approx(best)


@pytest.mark.parametrize(
    ("symmetries", "images"), [("none", 1), ("random", 1), ("mirror", 2), ("all", 8)]
)
def test_images_that_are_stored_with_their_positions_count(symmetries, images):
    recipe = load_recipe("wang-gomoku-modern", [f"replay.symmetries={symmetries}"])
    assert Trainer(make(recipe.game), recipe).images == images


def test_a_net_without_a_policy_treats_all_actions_alike():
    recipe = load_recipe("mann-han-hindsight")
    net = Trainer(make(recipe.game), recipe).net.eval()
    policy, raw = net(torch.rand(5, 21, 1, 1))
    assert not policy.any()
    assert raw.unique().numel() > 1


def test_the_features_of_chexers_are_those_worked_out_by_hand():
    recipe = load_recipe("mann-han-hindsight", ["selfplay.max_steps=4", "selfplay.opening_steps=0"])
    (game,) = play(recipe, [0])
    inputs = np.empty((1, 21, 1, 1), np.float32)
    others = [np.empty((1, width), np.float32) for width in (482, 3, 3)]
    sampler_of(recipe).draw([(game, 0, 0)], inputs, *others)
    # Four pieces, no exits, enough to win, 4 times 7 steps to do it, 4 times 6 to the last row,
    # three pairs of neighbours, nobody under attack.
    assert inputs.reshape(3, 7).tolist() == [[1, 0, 1, 1, 1, 0.75, 0]] * 3
