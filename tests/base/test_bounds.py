"""Numbers in files that people write: finite, and bounded even where a field names no bounds."""

import tomllib

import pytest
from pydantic import BaseModel, Field, ValidationError

from boardzero import BoardZeroError
from boardzero.base.sections import Section
from boardzero.models.card import ModelCard
from boardzero.runs.recipe import Recipe, validate
from boardzero.training.dataset import DatasetPlan

PLAIN = {"name": "x", "game": "gomoku"}


class Sample(Section):
    count: int = 1
    weight: float = 1.0
    wide: int = Field(1, le=2**62)


@pytest.mark.parametrize(
    "given",
    [
        {"count": 2**31},
        {"count": -(2**31)},
        {"weight": 1e10},
        {"weight": float("inf")},
        {"weight": float("nan")},
        {"wide": 2**62 + 1},
    ],
)
def test_a_number_that_no_search_could_use_is_refused(given: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Sample(**given)  # type: ignore[arg-type]


def test_a_field_may_have_wider_bounds_of_its_own() -> None:
    assert Sample(wide=2**40).wide == 2**40


@pytest.mark.parametrize(
    "change",
    [
        "seed = 1180591620717411303424",
        "seed = -1",
        "search.simulations = 1000000000000",
        "search.c_puct = inf",
        "search.c_puct = nan",
        "search.depth_limit = 2147483648",
        "selfplay.games = 2147483648",
        "selfplay.parallel = 10000000",
        "learn.lr = inf",
        "learn.batch_size = 2147483647",
        "learn.steps = 4294967296",
        "gate.threshold = nan",
        "run.workers = 1000000",
        "cluster.worker.cpus = inf",
    ],
)
def test_a_recipe_with_an_impossible_number_gets_a_sentence(change: str) -> None:
    data = {**PLAIN, **tomllib.loads(change)}
    if "learn" in data and "steps" not in data["learn"]:
        data["learn"]["steps"] = 1
    with pytest.raises(BoardZeroError, match=change.split(" ")[0].split(".")[-1]):
        validate(data, source="recipe.toml")


def _sections(model: type[BaseModel]) -> list[type[BaseModel]]:
    inside = (field.annotation for field in model.model_fields.values())
    below = [t for t in inside if isinstance(t, type) and issubclass(t, BaseModel)]
    return [model, *(found for part in below for found in _sections(part))]


@pytest.mark.parametrize("model", [Recipe, ModelCard, DatasetPlan])
def test_every_section_of_every_file_is_bounded(model: type[BaseModel]) -> None:
    assert all(issubclass(part, Section) for part in _sections(model))
