"""The models that come with the program, one folder per game, and the levels made from each.

Beside its card and net, a champion has `levels.json`: players from the weakest to the strongest,
each with the name that people choose it by and its measured rating:

    {"levels": [{"name": "beginner", "player": "random", "rating": 0},
                {"name": "club", "player": "zero:sims=8", "rating": 900}]}
"""

from pathlib import Path

from pydantic import ValidationError

from boardzero.base.errors import BoardZeroError
from boardzero.base.sections import Section, first_problem
from boardzero.games import Game, plays_alike
from boardzero.models.card import read_model

CHAMPIONS = Path(__file__).parent.parent / "champions"


class ChampionLevel(Section):
    """One of the levels of a game."""

    name: str
    player: str  # a spec; without a model, `zero` is the champion itself, and so is eval=champion
    rating: float | None = None


class Levels(Section):
    """What `levels.json` holds."""

    levels: tuple[ChampionLevel, ...]


def champion(game: Game) -> Path | None:
    """The model folder that came with the program for this game; how it ends does not matter."""
    for card in sorted(CHAMPIONS.glob("*/card.json")):
        if plays_alike(read_model(card.parent).game, game.spec):
            return card.parent
    return None


def champion_levels(game: Game) -> tuple[ChampionLevel, ...]:
    """Its levels, weakest first; none if the game has no champion."""
    folder = champion(game)
    if folder is None or not (folder / "levels.json").is_file():
        return ()
    path = folder / "levels.json"
    try:
        return Levels.model_validate_json(path.read_text()).levels
    except ValidationError as error:
        raise BoardZeroError(f"{path} is not a list of levels: {first_problem(error)}") from None
