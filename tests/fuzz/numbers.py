"""Numbers that people may write anywhere: tried one by one, in a process that may die of them.

    python -m tests.fuzz.numbers players
    python -m tests.fuzz.numbers recipes

Prints what is tried before it is tried, so that whoever started it knows what killed it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

from pydantic import BaseModel

from boardzero import BoardZeroError, make
from boardzero.base.specs import Option
from boardzero.models import UniformNet
from boardzero.players import Limit, make_player, player_families
from boardzero.runs.recipe import Recipe, validate
from boardzero.training.selfplay_worker import evaluate_once, selfplay_pool

NUMBERS = ("inf", "-inf", "nan", "1e308", "-1e308", "1e999", "5e-324", "-1", "0", "1", "7")
LARGE = tuple(str(sign * 2**bits) for bits in (15, 16, 31, 32, 53, 63, 64, 70) for sign in (1, -1))
GAMES = ("english", "gomoku:size=5,line=4", "chexers")
_SMALL = {"selfplay": {"parallel": 2, "games": 2}, "search": {"simulations": 2}}


def players() -> Iterator[str]:
    """Every number for every numeric option of every family that starts no program."""
    for family in player_families():
        if family.runs_programs:
            continue
        for option in family.options:
            if isinstance(option.default, bool | str) or option.choices:
                continue
            for number in (*NUMBERS, *LARGE, *_ends(option)):
                yield f"{family.name}:{option.name}={number}"


def _ends(option: Option) -> Iterator[str]:
    for end in (option.low, option.high):
        if end is not None:
            yield f"{end:.0f}" if isinstance(option.default, int) else repr(float(end))


def try_player(spec: str) -> str:
    for name in GAMES:
        game = make(name)
        try:
            player = make_player(spec, game)
        except BoardZeroError as error:
            outcome = str(error)
            continue
        choice = player.choose(game.start(), Limit(time=0.02, depth=2, simulations=20))
        player.close()
        assert choice.move.text
        return "played"
    return outcome


def recipes(model: type[BaseModel] = Recipe, place: str = "") -> Iterator[str]:
    """Every number for every numeric field of every section."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from recipes(kind, f"{place}{name}.")
        elif kind in (int, float, int | None, float | None):
            bounds = [
                getattr(m, end) for m in field.metadata for end in ("le", "ge") if hasattr(m, end)
            ]
            for number in (*NUMBERS, *LARGE, *map(str, bounds)):
                yield f"{place}{name}={number}"


def try_recipe(change: str) -> str:
    place, _, text = change.partition("=")
    number = float(text)
    value = int(text) if text.lstrip("-").isdigit() else number
    data: dict[str, object] = {"name": "x", "game": "gomoku:size=5,line=4"}
    data |= {key: dict(section) for key, section in _SMALL.items()}
    data["learn"] = {} if place in ("learn.steps", "learn.epochs", "learn.uses") else {"uses": 1}
    *sections, last = place.split(".")
    inner = data
    for section in sections:
        inner = inner.setdefault(section, {})  # type: ignore[assignment]
    inner[last] = value
    try:
        recipe = validate(data, source="recipe")
    except BoardZeroError as error:
        return str(error)
    assert isinstance(recipe, Recipe)
    assert math.isfinite(number)
    try:
        pool = selfplay_pool(recipe, [recipe.format.names])
        pool.add([0, 1])
        net = UniformNet(pool.policy_size(0), 2)
        for _ in range(20):
            evaluate_once(pool, [net])
    except BoardZeroError as error:
        return str(error)
    return "played"


def main() -> None:
    kind, *rest = sys.argv[1:]
    skip = int(rest[0]) if rest else 0
    attempts, attempt = (
        (list(players()), try_player) if kind == "players" else (list(recipes()), try_recipe)
    )
    for number, text in enumerate(attempts[skip:], start=skip):
        print(f"{number}\t{text}", flush=True)
        outcome = attempt(text)
        assert outcome
        assert "\n" not in outcome, outcome
    print(f"all {len(attempts)}", flush=True)


if __name__ == "__main__":
    main()
