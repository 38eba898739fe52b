"""Runs of nets that pick a piece, then its move: they learn, resume, and can be played."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from boardzero import BoardZeroError, make, make_player
from boardzero.lodz.events import ChoicesTested, EpochFitted, SamplesSplit
from boardzero.lodz.recipes import DqnRecipe, ExploreConfig, SupervisedRecipe
from boardzero.runs.curves import plot_run
from boardzero.runs.events import Stopped, of_type
from boardzero.runs.recipe import load_recipe, validate
from boardzero.runs.run_folder import Progress
from boardzero.training.dataset import DataSet, DatasetPlan, Games
from boardzero.training.train import train

GAME = "english:endings=ocheretian"
STYLES = ["single", "double"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of 30 games."""
    games = (Games(players=("alphabeta:depth=2", "random"), count=30),)
    made = DataSet.create(
        tmp_path_factory.mktemp("data") / "set",
        DatasetPlan(name="t", game=GAME, games=games, opening_plies=2),
    )
    made.make(workers=1)
    return made.path


def supervised(data: Path, **changes: object) -> SupervisedRecipe:
    learn = {"epochs": 4, "versions": 2, "holdout": 0.1}
    top = {"name": "t", "game": GAME, "method": "supervised", "data": str(data), "learn": learn}
    recipe = validate({**top, **changes}, source="t")
    assert isinstance(recipe, SupervisedRecipe)
    return recipe


def dqn(**changes: object) -> DqnRecipe:
    top = {
        "name": "t",
        "game": GAME,
        "method": "dqn",
        "stores": {"bad": 2000, "good": 500, "bad_samples": 64, "good_samples": 32},
        "run": {"cycles": 12, "parallel": 3, "test_every": 4, "archive_every": 6},
    }
    recipe = validate({**top, **changes}, source="t")
    assert isinstance(recipe, DqnRecipe)
    return recipe


@pytest.mark.parametrize("style", STYLES)
def test_a_net_learns_from_a_data_set_and_plays(style: str, data: Path, tmp_path: Path) -> None:
    run = train(supervised(data, net={"style": style}), run=tmp_path / "run")
    assert run.versions() == [0, 2, 4]
    fits = of_type(run.read_log(), EpochFitted)
    key = "net" if style == "single" else "piece"
    assert fits[-1].losses[key] < fits[0].losses[key]
    game = make(GAME)
    player = make_player(f"net:run={run.path}", game)
    assert player.spec.rpartition("=")[0] == f"net:run={run.path},version"
    state = game.start()
    while state.outcome() is None and len(state.history) < 60:
        state.play(player.choose(state).move)


def test_a_run_of_epochs_that_was_cut_ends_like_one_that_was_not(
    data: Path, tmp_path: Path
) -> None:
    whole = train(supervised(data), run=tmp_path / "whole")
    cut = tmp_path / "cut"
    train(supervised(data), run=cut, minutes=0)  # one epoch, then the time is over
    log = train(supervised(data), run=cut).read_log()
    assert [event.reason for event in of_type(log, Stopped)] == ["time", "done"]
    files = [run / "versions" / "0004" / "piece.onnx" for run in (whole.path, cut)]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_what_was_learned_when_the_time_was_over_can_be_played(data: Path, tmp_path: Path) -> None:
    learn = {"epochs": 100_000, "versions": 1}
    run = train(supervised(data, learn=learn), run=tmp_path / "run", minutes=0.01)
    assert 0 < run.versions()[-1] == run.progress().iteration - 1 < 100_000


def test_whatever_a_kill_left_undone_is_made_up_for(data: Path, tmp_path: Path) -> None:
    whole = train(supervised(data), run=tmp_path / "whole")
    cut = train(supervised(data), run=tmp_path / "cut", minutes=0)
    cut.save_progress(Progress(iteration=1))  # the epoch was saved, and that was not noted
    train(supervised(data), run=cut.path)
    shutil.rmtree(cut.version_folder(4))  # the last epoch was noted, and not archived
    train(supervised(data), run=cut.path)
    assert cut.versions() == [0, 1, 2, 4]  # 1: where the time was over
    files = [run.version_folder(4) / "piece.onnx" for run in (whole, cut)]
    assert files[0].read_bytes() == files[1].read_bytes()
    learned = train(dqn(), run=tmp_path / "dqn", minutes=0)
    learned.save_progress(replace(learned.progress(), version=0))  # archived, and not noted
    train(dqn(), run=learned.path)
    shutil.rmtree(learned.version_folder(3))
    train(dqn(), run=learned.path)
    assert learned.versions() == [0, 1, 2, 3]


def test_a_card_counts_games_of_people_too_without_replaying_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "club.pdn").write_text('[GameType "21"]\n[Result "1-0"]\n1. 11-15 23-19 1-0\n')
    plan = DatasetPlan(name="t", game=GAME, pdn=(str(tmp_path / "club.pdn"),))
    made = DataSet.create(tmp_path / "set", plan)
    monkeypatch.delattr(DataSet, "summary")
    run = train(supervised(made.path), run=tmp_path / "run")
    assert run.model()[1].games == 1


def test_the_data_set_must_be_of_the_game(data: Path, tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match="the data set"):
        train(supervised(data, game="international"), run=tmp_path / "run")


def test_a_net_that_picks_squares_needs_draughts(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match="is not draughts"):
        train(dqn(game="gomoku"), run=tmp_path / "run")


def test_q_learning_runs_tests_archives_and_resumes(tmp_path: Path) -> None:
    recipe = dqn()
    train(recipe, run=tmp_path / "run", minutes=0)
    first = json.loads((tmp_path / "run" / "progress.json").read_text())["iteration"]
    assert 1 < first < 12
    run = train(recipe, run=tmp_path / "run")
    assert run.progress().iteration == 13
    assert run.versions() == [0, 1, 2, 3]  # the first when the time was over
    tests = of_type(run.read_log(), ChoicesTested)
    assert [event.iteration for event in tests] == [4, 8, 12]
    game = make(GAME)
    make_player(f"net:run={run.path},version=2", game).choose(game.start())


def test_a_model_tells_which_kind_of_player_it_needs(tmp_path: Path) -> None:
    run = train(dqn(), run=tmp_path / "run")
    with pytest.raises(BoardZeroError, match=r"^zero cannot play .*, but net:model=.* can$"):
        make_player(f"zero:run={run.path}", make(GAME))
    with pytest.raises(BoardZeroError, match="holds a model for english"):
        make_player(f"net:run={run.path}", make("russian"))


def test_exploration_is_half_for_half_a_million_cycles_and_then_falls_to_a_fifth() -> None:
    schedule = ExploreConfig()
    cycles = (1, 500_000, 750_000, 1_000_000, 2_000_000)
    assert [schedule.at(cycle) for cycle in cycles] == pytest.approx([0.5, 0.5, 0.35, 0.2, 0.2])


def test_the_shipped_recipes_have_the_thesis_s_values() -> None:
    single, double = (load_recipe(f"lodz-{name}") for name in STYLES)
    for recipe, style in ((single, "single"), (double, "double")):
        assert isinstance(recipe, SupervisedRecipe)
        assert (recipe.net.style, recipe.net.hidden) == (style, (64, 128, 64))
        assert (recipe.learn.epochs, recipe.learn.batch_size, recipe.learn.loss) == (50, 32, "mse")
    learned = load_recipe("lodz-dqn")
    assert isinstance(learned, DqnRecipe)
    assert learned.net.hidden == (64, 128, 64)
    stores = learned.stores
    assert (stores.bad, stores.good) == (10**5, 10**4)
    assert (stores.bad_samples, stores.good_samples) == (2**12, 2**9)
    assert (learned.run.cycles, learned.run.test_every, learned.learn.batch_size) == (10**6, 10, 32)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"net": {"style": "single"}}, "double net"),
        ({"learn": {"double": True}}, "double needs target_every"),
        ({"explore": {"from_cycle": 5, "to_cycle": 5}}, "less than to_cycle"),
        ({"net": {"hiden": [1]}}, "did you mean 'hidden'"),
        ({"search": {}}, "unknown key"),
    ],
)
def test_a_recipe_that_cannot_be_is_refused(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(BoardZeroError, match=sentence):
        dqn(**change)


def test_positions_can_be_limited_to_a_number(data: Path, tmp_path: Path) -> None:
    run = train(supervised(data, positions=100), run=tmp_path / "run")
    (told,) = of_type(run.read_log(), SamplesSplit)
    assert (told.learned, told.held) == (90, 10)
    assert told.there > 100


def test_the_story_of_such_runs_can_be_drawn(data: Path, tmp_path: Path) -> None:
    learned = train(dqn(), run=tmp_path / "dqn")
    files = sorted(plot_run(learned, tmp_path / "plots"))
    assert [file.name for file in files] == ["choices.csv", "choices.png"]
    lines = files[0].read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["cycle", "4", "8", "12"]
    taught = train(supervised(data), run=tmp_path / "taught")
    assert [file.name for file in plot_run(taught, tmp_path / "more", "svg")] == [
        "loss.svg",
        "matches.svg",
    ]
