"""Switches of the recipe that change what is learned: surprises and further heads."""

from pathlib import Path

import numpy as np
import pytest
import torch

from boardzero import BoardZeroError, make
from boardzero.models import UniformNet
from boardzero.runs.events import LossMeasured, of_type
from boardzero.runs.recipe import Recipe, load_recipe, validate
from boardzero.runs.replay import Replay
from boardzero.training.sampling import draw_indices
from boardzero.training.selfplay_worker import selfplay_pool
from boardzero.training.train import train
from boardzero.training.trainer import Trainer
from tests.search.stored import Choice, Record, play_out, self_play
from tests.training.tiny import check, tiny

SPEC = "gomoku:size=5,line=4"


def trainer_of(recipe: Recipe) -> Trainer:
    return Trainer(make(recipe.game), recipe)


# Surprises.


def record_with(number: int, surprises: list[int] | None) -> bytes:
    """A game of six steps; those with a surprise, in thousandths, are learned."""
    notes = surprises or [None] * 6
    choices = tuple(
        Choice(ply, True, (0.0, 0.0), ((ply, 65535),), surprise=note)
        for ply, note in enumerate(notes)
    )
    return Record(tuple(range(6)), choices, (0.0, 0.0), number=number).pack()


SURPRISES = [[0, 0, 3000, 0, 1000, 0], [500] * 6, None, [0] * 6]


@pytest.fixture
def replay(tmp_path: Path) -> Replay:
    replay = Replay(tmp_path / "replay")
    for number, surprises in enumerate(SURPRISES):
        assert replay.append(record_with(number, surprises), iteration=1)
    return replay


def weights_by_hand(share: float) -> list[float]:
    weights = []
    for surprises in SURPRISES:
        total = sum(surprises or [])
        for rank in range(6):
            by_surprise = 6 * surprises[rank] / total if surprises and total else 1.0
            weights.append((1 - share) * 1.0 + share * by_surprise)
    return weights


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_a_share_of_each_games_weight_goes_by_surprise(replay: Replay, share: float) -> None:
    trainer = trainer_of(tiny(replay__surprise=share))
    games = replay.window()
    found = trainer._surprises.weights(replay, games, trainer._examples(replay, games))
    assert found.tolist() == pytest.approx(weights_by_hand(share))
    for game in range(4):  # which game counts how much does not change
        assert found[6 * game : 6 * game + 6].sum() == pytest.approx(6)


def test_what_surprised_more_is_drawn_more_often(replay: Replay) -> None:
    trainer = trainer_of(tiny(replay__surprise=0.5, replay__symmetries="none"))
    games, rounds = replay.window(), 400
    plan = trainer._plan(replay, games, 0, np.random.default_rng(1), passes=rounds)
    assert len(plan) == rounds * 24
    counts = np.zeros((4, 6))
    np.add.at(counts, (plan[:, 0], plan[:, 1]), 1 / rounds)
    assert counts.ravel().tolist() == pytest.approx(weights_by_hand(0.5), abs=0.1)


def test_in_one_pass_a_sample_comes_as_often_as_its_weight_rounded_up_or_down() -> None:
    weights = np.array([0.0, 0.5, 1.0, 2.3, 1.2])
    rng, lengths = np.random.default_rng(1), set()
    for _ in range(300):
        state = rng.bit_generator.state
        length = len(np.repeat(weights, np.floor(weights + rng.random(5)).astype(int)))
        rng.bit_generator.state = state
        counts = np.bincount(draw_indices(5, length, rng, weights), minlength=5)
        assert all(np.floor(weights) <= counts)
        assert all(counts <= np.ceil(weights))
        lengths.add(length)
    assert lengths == {4, 5, 6, 7}


def test_without_the_switch_samples_are_drawn_as_ever(replay: Replay) -> None:
    trainer = trainer_of(tiny(replay__symmetries="all"))
    games = replay.window()
    plan = trainer._plan(replay, games, 0, np.random.default_rng(7), passes=9)
    rng = np.random.default_rng(7)
    wanted = np.concatenate([rng.permutation(8 * 24), rng.permutation(8 * 24)])[: 9 * 24]
    assert np.array_equal(plan, np.stack([wanted % 24 // 6, wanted % 6, wanted // 24], axis=1))


def test_only_a_recipe_that_wants_surprises_has_them_recorded() -> None:
    for share in (0.0, 0.5):
        recipe = tiny(replay__surprise=share)
        pool = selfplay_pool(recipe, [recipe.format.names])
        (data,) = play_out(pool, [UniformNet(25, 2)], [0])
        noted = [choice.surprise is not None for choice in Record.unpack(data).choices]
        assert set(noted) == {share > 0}


# Further heads.


def test_losses_of_further_heads_are_logged_and_the_model_stays_as_it_is(tmp_path: Path) -> None:
    data = tiny(replay__surprise=0.5, search__forced_playouts=2.0).model_dump()
    data["net"] |= {"reply": True, "moves_left": True, "ownership": True}
    data["learn"] |= {"reply_weight": 0.1, "moves_left_weight": 0.1, "ownership_weight": 0.5}
    run = train(validate(data, source="tiny"), run=tmp_path / "a", cores=1)
    check(run.path)
    heads = {"policy", "value", "reply", "moves_left", "ownership"}
    losses = of_type(run.read_log(), LossMeasured)
    assert losses
    assert all(event.losses.keys() == heads for event in losses)


@pytest.mark.parametrize("name", ["reply", "moves_left", "ownership"])
def test_a_head_learns_if_its_loss_has_a_weight(name: str, tmp_path: Path) -> None:
    replay = Replay(tmp_path / "replay")
    for data in self_play(SPEC, 12, simulations=8):
        replay.append(data, iteration=1)
    data = tiny().model_dump()
    data["net"][name] = True
    losses = {}
    for weight in (0.0, 1.0):
        data["learn"] |= {f"{name}_weight": weight, "lr": 0.01}
        trainer = trainer_of(validate(data, source="tiny"))
        games = replay.window()
        list(trainer.fit(replay, games, fresh=0, seed=1, passes=8))
        losses[weight] = loss_of(trainer, replay, name)
    assert losses[1.0] < 0.97 * losses[0.0]


def loss_of(trainer: Trainer, replay: Replay, name: str) -> float:
    games = replay.window()
    plan = trainer._plan(replay, games, 0, np.random.default_rng(1), passes=1)
    inputs, _, _, targets = trainer._draw(replay, games, plan)
    with torch.no_grad():
        _, _, further = trainer.net.eval().forward_all(inputs)
    (head,) = trainer.net.auxiliaries
    return float(head.loss(further[name], targets[name]))


def test_impossible_values_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(f'game = "{SPEC}"\n')
    for change, sentence in {
        "replay.surprise=1.5": "replay.surprise: Input should be less than or equal to 1",
        "search.forced_playouts=-1": "search.forced_playouts: Input should be greater than",
        "learn.ownership_weight=-1": "learn.ownership_weight: Input should be greater than",
        "net.moves_left=7": "net.moves_left: Input should be a valid boolean",
    }.items():
        with pytest.raises(BoardZeroError, match=sentence):
            load_recipe(str(path), [change])
