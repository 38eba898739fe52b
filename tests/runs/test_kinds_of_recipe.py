"""Kinds of recipe are plug-ins: what one declares is used wherever runs are read or trained."""

from pathlib import Path

import pytest

from boardzero import BoardZeroError, make, make_player
from boardzero.base import plugins
from boardzero.base.plugins import PluginWarning
from boardzero.cli import main
from boardzero.models import ModelCard
from boardzero.models import kinds as models
from boardzero.models.kinds import kind_of
from boardzero.players import registry as players
from boardzero.runs import recipe as recipes
from boardzero.runs.recipe import AnyRecipe, list_recipes, load_recipe, validate
from boardzero.runs.run_folder import RunFolder
from boardzero.server.run_player import run_family
from boardzero.training import train as training
from boardzero.training.inspection import inspect
from boardzero.training.train import train
from tests.base.faulty import add_plugins
from tests.runs.counting import Counted, CountingRecipe

HOME = "tests.runs.counting"
RECIPE = 'method = "counting"\ngame = "english"\nto = 2\n'


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with a kind of recipe is installed."""
    add_plugins(
        monkeypatch,
        recipes={"counting": f"{HOME}:CountingRecipe"},
        trainers={"counting": f"{HOME}:CountingRun"},
        models={"counting": f"{HOME}:COUNTED"},
        players={"counter": f"{HOME}:PLAYERS"},
    )
    forget_later(monkeypatch)


def forget_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is loaded now is not there for other tests."""
    for registry in (recipes._kinds, training._trainers, players._families, models._kinds):
        monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))


@pytest.mark.usefixtures("counting")
def test_a_kind_of_another_package_is_trained_logged_checked_and_played(tmp_path: Path) -> None:
    (tmp_path / "count.toml").write_text(RECIPE)
    run = train(str(tmp_path / "count.toml"), run=tmp_path / "run")
    assert run.recipe() == CountingRecipe(name="count", game="english", to=2)
    assert [event.number for event in run.read_log() if isinstance(event, Counted)] == [1, 2]
    inspect(run.path)
    assert run_family(run) == "counter"
    assert make_player(f"counter:run={run.path}", make("english")).choose(make("english").start())
    with pytest.raises(BoardZeroError, match=r"zero cannot play .*, but counter:model=.* can"):
        make_player(f"zero:run={run.path}", make("english"))
    file = run.version_folder(1) / "card.json"
    file.write_text(file.read_text().replace('"games":2', '"games":-2'))
    with pytest.raises(BoardZeroError, match="has counted backwards"):
        inspect(run.path)


@pytest.mark.usefixtures("counting")
def test_the_command_line_shows_its_events_and_how_to_play_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "count.toml").write_text(RECIPE)
    command = ["train", str(tmp_path / "count.toml"), "--run", str(tmp_path / "run")]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert "count    up to 2" in shown
    assert "--seat counter:run=" in shown.replace("'", "").replace("\n", " ")
    assert main([*command, "--cluster", "auto"]) == 2
    assert "the method counting learns on one machine" in capsys.readouterr().err


def test_a_kind_that_cannot_be_loaded_is_named_and_recipes_of_others_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {"lost": "tests.runs.nowhere:Recipe", "wrong": "tests.base.faulty:FAULTY"}
    add_plugins(monkeypatch, recipes=places, trainers=places)
    forget_later(monkeypatch)
    for name, why in [("lost", "No module named"), ("wrong", "not a subclass of AnyRecipe")]:
        with pytest.raises(BoardZeroError, match=f"kind of recipe '{name}' .*: .*{why}"):
            validate({"method": name, "name": "x", "game": "english"}, source="x")
        (tmp_path / name).mkdir()
        (tmp_path / name / "recipe.toml").write_text(f'method = "{name}"\n')
    for run in RunFolder.all_in(tmp_path):  # as the page lists them
        assert run_family(run) == "zero"
        assert run.read_log() == []
    assert load_recipe("lodz-dqn").models.player == "net"


def test_a_list_of_recipes_warns_of_a_kind_that_cannot_be_loaded_and_has_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = {**plugins._TABLE["recipes"], "dqn": "tests.runs.nowhere:Recipe"}
    monkeypatch.setattr(plugins, "_TABLE", {**plugins._TABLE, "recipes": broken})
    monkeypatch.setattr(recipes._kinds, "_loaded", {})
    with pytest.warns(PluginWarning, match="the kind of recipe 'dqn' .* cannot be loaded"):
        found = list_recipes()
    assert "lodz-dqn" not in found
    assert "wang-gomoku" in found


def test_a_trainer_that_cannot_be_loaded_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_plugins(monkeypatch, recipes={"counting": f"{HOME}:CountingRecipe"}, trainers={})
    forget_later(monkeypatch)
    with pytest.raises(BoardZeroError, match="unknown trainer 'counting'"):
        train(CountingRecipe(name="x", game="english"), run=tmp_path / "run")


@pytest.mark.parametrize("method", plugins._TABLE["recipes"])
def test_every_kind_of_ours_has_a_trainer_and_a_player(method: str) -> None:
    kind = recipes._kinds[method]
    assert kind.model_fields["method"].default == method
    assert method in training._trainers
    assert kind.models.player in {family.name for family in players.player_families()}


def test_the_kind_of_a_model_is_that_of_the_recipe_that_made_it() -> None:
    for name in ("lodz-single", "lodz-double", "lodz-dqn"):
        recipe = load_recipe(name)
        style = recipe.model_dump()["net"]["style"]
        assert kind_of(card(style)) is recipe.models
    assert kind_of(card("baseline")) is AnyRecipe.models
    assert kind_of(card("mine.py:MINE")) is AnyRecipe.models


def card(method: str) -> ModelCard:
    return ModelCard(game="english", method=method, nets=())
