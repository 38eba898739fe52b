"""Files that were written before today's words go on loading, and are written anew in today's."""

import json
from pathlib import Path

import pytest

from boardzero.models import ModelCard
from boardzero.runs.recipe import Recipe, load_recipe
from boardzero.runs.run_folder import RunFolder

OLD = Path(__file__).parents[1] / "data" / "old"  # as a run of the hybrid method wrote them
OLD_WORDS = ("merge", "exact", "thesis", "judge")


def loaded(folder: Path, text: str, *changes: str) -> Recipe:
    file = folder / "mine.toml"
    file.write_text(text)
    recipe = load_recipe(str(file), changes)
    assert isinstance(recipe, Recipe)
    return recipe


def test_the_recipe_of_an_old_run_loads_and_means_the_same() -> None:
    assert all(word in (OLD / "recipe.toml").read_text() for word in OLD_WORDS)
    recipe = load_recipe(str(OLD / "recipe.toml"))
    assert isinstance(recipe, Recipe)
    search = recipe.search
    assert (search.transpositions, search.proven) == (True, False)
    assert (search.formula, search.forced) == ("meng", "evaluate")
    assert recipe.method_options == {"budget": 5, "alpha": 0.25, "beta": 0.0}
    assert recipe.plan == ModelCard.model_validate_json((OLD / "card.json").read_text()).plan


def test_the_folder_of_an_old_run_is_read_with_its_recipe() -> None:
    assert RunFolder.open(OLD).recipe() == load_recipe(str(OLD / "recipe.toml"))


def test_what_is_written_anew_is_in_the_words_of_today(tmp_path: Path) -> None:
    recipe = load_recipe(str(OLD / "recipe.toml"))
    card = ModelCard.model_validate_json((OLD / "card.json").read_text())
    assert card.search.transpositions
    for text in (recipe.toml(), card.model_dump_json()):
        assert not [word for word in OLD_WORDS if word in text]
    (tmp_path / "recipe.toml").write_text(recipe.toml())
    assert load_recipe(str(tmp_path / "recipe.toml")) == recipe
    assert ModelCard.model_validate_json(card.model_dump_json()) == card


@pytest.mark.parametrize("card", sorted(OLD.glob("champions/*.json")), ids=lambda path: path.stem)
def test_a_champion_of_old_is_searched_as_its_card_says(card: Path) -> None:
    written = json.loads(card.read_text())["search"]
    search = ModelCard.model_validate_json(card.read_text()).search
    assert search.proven == written["exact"]
    assert search.transpositions == written["merge"]


def test_an_old_recipe_overrides_the_one_it_extends(tmp_path: Path) -> None:
    old = 'extends = "meng-mpv"\n[search]\nmerge = false\nexact = true\nbudget = 4\n'
    recipe = loaded(tmp_path, old)
    assert (recipe.search.transpositions, recipe.search.proven) == (False, True)
    assert recipe.method_options == {"budget": 4, "alpha": 0.5, "beta": 0.0}


def test_changes_in_old_words_are_understood(tmp_path: Path) -> None:
    text = 'extends = "meng-mpv"\n'
    recipe = loaded(tmp_path, text, "search.merge=false", "search.alpha=0.75")
    assert recipe.search.transpositions is False
    assert recipe.method_options["alpha"] == 0.75


def test_a_saved_recipe_without_mpv_loses_the_options_that_it_never_used(tmp_path: Path) -> None:
    never_used = "[search]\nbudget = 8\nalpha = 0.5\nbeta = 0.0\n"
    for method in ("baseline", "three-stage", "mine.py:MINE"):
        recipe = loaded(tmp_path, f'game = "gomoku"\nmethod = "{method}"\n{never_used}')
        assert recipe.method_options == {}


def test_the_method_gumbel_is_the_baseline_with_a_gumbel_root(tmp_path: Path) -> None:
    recipe = loaded(tmp_path, 'game = "gomoku"\nmethod = "gumbel"\n')
    assert (recipe.method, recipe.search.root) == ("baseline", "gumbel")
    given = loaded(tmp_path, 'game = "gomoku"\n', "method=gumbel")
    assert (given.method, given.search.root) == ("baseline", "gumbel")
    # A saved run says what its root was, and goes on so.
    saved = loaded(tmp_path, 'game = "gomoku"\nmethod = "gumbel"\n[search]\nroot = "puct"\n')
    assert (saved.method, saved.search.root) == ("baseline", "puct")


def test_a_card_of_the_method_gumbel_is_one_of_the_baseline() -> None:
    card = json.loads((OLD / "champions" / "gomoku.json").read_text())
    assert ModelCard.model_validate({**card, "method": "gumbel"}).method == "baseline"
