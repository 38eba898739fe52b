"""Recipes of sparse nets: those that are shipped, and what is refused."""

import pytest
from pydantic import BaseModel

from boardzero import BoardZeroError, make
from boardzero.runs.recipe import load_recipe, recipe_names, validate
from boardzero.runs.sparse_recipe import SparseRecipe

NAMES = [name for name in recipe_names() if name.endswith("-nnue")]
SECTIONS = ("net", "selfplay", "replay", "learn", "gate")


def sections() -> dict[str, type[BaseModel]]:
    fields = SparseRecipe.model_fields
    found = {name: fields[name].annotation for name in SECTIONS}
    return {name: kind for name, kind in found.items() if isinstance(kind, type)}


NUMBERS = [
    f"{section}.{name}"
    for section, kind in sections().items()
    for name, field in kind.model_fields.items()
    if field.annotation in (int, float)
]


def test_there_is_a_recipe_for_every_native_game_and_one_for_all_others() -> None:
    games = "international english russian brazilian pool gomoku8 gomoku15 chexers generic"
    assert {f"{game}-nnue" for game in games.split()} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_recipe_is_valid_and_survives_being_saved(name: str) -> None:
    recipe = load_recipe(name)
    assert isinstance(recipe, SparseRecipe)
    assert validate(dict(recipe.model_dump(exclude_none=True)), source=name) == recipe
    assert recipe.player == ("alphabeta" if make(recipe.game).players == 2 else "maxn")
    assert "nodes" in recipe.versions_as_players()


@pytest.mark.parametrize("key", [*NUMBERS, "seed", "run.iterations", "run.workers"])
@pytest.mark.parametrize("value", [-(2**40), 2**40])
def test_an_extreme_value_is_refused_with_the_bound(key: str, value: int) -> None:
    with pytest.raises(BoardZeroError, match=rf"{key}: .*(than|equal to) -?[\d.]+"):
        load_recipe("international-nnue", (f"{key}={value}",))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("net.hidden=100", "multiple of 32"),
        ("selfplay.least_random=20", "least_random must not be more than most_random"),
        ("gate.games=3", "multiple of 2"),
        ("learn.optimizer=sgd", "optimizer"),
        ("gate.on_fail=explode", "'keep' or 'restore'"),
    ],
)
def test_what_makes_no_sense_is_refused(change: str, why: str) -> None:
    with pytest.raises(BoardZeroError, match=why):
        load_recipe("international-nnue", (change,))
