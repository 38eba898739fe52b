"""Every knob of a model reaches the compiled core: by its name, and no list of names anywhere."""

from collections.abc import Iterator
from enum import Enum
from typing import get_args

import pytest
from pydantic import BaseModel

from boardzero import _core
from boardzero.models import SearchConfig, SearchPlan, TreePlan
from boardzero.models.native_options import fill
from boardzero.runs.recipe import Recipe, SelfPlayConfig
from boardzero.training.selfplay_worker import selfplay_options


def another(model: type[BaseModel], name: str) -> object:
    """A value of the field that is not its default."""
    field = model.model_fields[name]
    default, words = field.default, get_args(field.annotation)
    if isinstance(default, bool):
        return not default
    if isinstance(default, str):
        return next(word for word in words if word != default)
    if isinstance(default, int):
        return default + 1
    assert isinstance(default, float)
    return default + 0.125 if default < 1 else default - 0.125


def found(struct: object, name: str) -> Iterator[object]:
    """What the struct, or a struct in it, has under this name, as a model would have it."""
    for key in (key for key in dir(struct) if not key.startswith("_")):
        value = getattr(struct, key)
        if key == name:
            yield value.name if isinstance(value, Enum) else value
        elif type(value).__module__ == _core.__name__ and not isinstance(value, Enum):
            yield from found(value, name)


@pytest.mark.parametrize("name", SearchConfig.model_fields)
def test_every_knob_of_a_search_reaches_the_core(name: str) -> None:
    value = another(SearchConfig, name)
    options = SearchConfig.model_validate({name: value}).native(noise=True)
    assert list(found(options, name)) == [value]


@pytest.mark.parametrize("name", SelfPlayConfig.model_fields)
def test_every_knob_of_self_play_reaches_the_core_or_is_for_python(name: str) -> None:
    value = another(SelfPlayConfig, name)
    play = SelfPlayConfig.model_validate({name: value})
    options = selfplay_options(Recipe(name="x", game="gomoku", selfplay=play), 1, SearchPlan())
    assert list(found(options, name)) == ([value] if hasattr(options, name) else [])


def test_a_plan_reaches_the_core() -> None:
    plan = SearchPlan(
        trees=(TreePlan(), TreePlan(nets=(0, 1), follows=0, value_share=0.25, prior_share=0.75)),
        turns=(1, 0, 0),
    )
    options = SearchConfig(simulations=7).native(noise=False, plan=plan)
    assert options.turns == [1, 0, 0]
    assert options.simulations == 21
    for tree, wanted in zip(options.trees, plan.trees, strict=True):
        for name in TreePlan.model_fields:
            value = getattr(wanted, name)
            assert getattr(tree, name) == (list(value) if isinstance(value, tuple) else value)


def test_a_contest_takes_openings_budget_and_noise_from_the_gate() -> None:
    recipe = Recipe.model_validate(
        {
            "name": "x",
            "game": "gomoku",
            "search": {"simulations": 9, "noise_weight": 0.25, "forced_playouts": 2.0},
            "selfplay": {"opening_steps": 5, "full_share": 0.5, "early_games": 7},
            "replay": {"surprise": 0.5},
            "gate": {"opening_steps": 3, "simulations": 4},
        }
    )
    alone = selfplay_options(recipe, 1, SearchPlan())
    contest = selfplay_options(recipe, 2, SearchPlan())
    assert (alone.opening_steps, alone.full_share, alone.early_games) == (5, 0.5, 7)
    assert (contest.opening_steps, contest.full_share, contest.early_games) == (3, 1.0, 0)
    assert (alone.record_surprise, contest.record_surprise) == (True, False)
    assert [side.first_net for side in contest.contestants] == [0, 1]
    for side in contest.contestants:
        search = side.search
        assert (search.simulations, search.noise_weight, search.forced_playouts) == (4, 0.0, 0.0)
    search = alone.contestants[0].search
    assert (search.simulations, search.noise_weight, search.forced_playouts) == (9, 0.25, 2.0)


class Knob(BaseModel):
    considered: int = 3
    c_visit: float = 2.0


def test_a_name_without_a_counterpart_is_an_error_on_either_side() -> None:
    with pytest.raises(TypeError, match=r"nothing says what GumbelOptions\.c_scale is"):
        fill(_core.GumbelOptions(), Knob())
    with pytest.raises(TypeError, match="GumbelOptions has no c_skale"):
        fill(_core.GumbelOptions(), Knob(), c_scale=1.0, c_skale=1.0)
    options = fill(_core.GumbelOptions(), Knob(), c_scale=4.0)
    assert (options.considered, options.c_visit, options.c_scale) == (3, 2.0, 4.0)
