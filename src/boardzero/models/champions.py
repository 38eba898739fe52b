"""The models that come with the program, one folder per game, and the levels of each game.

`levels.json` holds players from the weakest to the strongest, each with the name that people choose
it by, its rating and how it was measured against the one below. It lies beside the champion's card
and net; a game whose best player is written by hand has a folder with nothing else in it.

    {"levels": [{"name": "first", "player": "alphabeta:depth=1,margin=9", "rating": 240},
                {"name": "club", "player": "alphabeta:depth=3,margin=0.1", "rating": 400,
                 "step": {"elo": 160, "low": 122, "high": 199, "games": 340}}]}
"""

import re
from pathlib import Path

from pydantic import ValidationError

from boardzero.base.errors import BoardZeroError, UnknownNameError
from boardzero.base.sections import Section, first_problem
from boardzero.games import Game, plays_alike, without_endings
from boardzero.models.card import read_model

CHAMPIONS = Path(__file__).parent.parent / "champions"


class Difference(Section):
    """By how much a player is stronger than another, with the ends of the 95 % interval."""

    elo: float
    low: float | None  # None has no end: one of them won every game
    high: float | None
    games: int

    def within(self, points: float) -> bool:
        """Whether the interval reaches no further than so many points to each side."""
        return self.low is not None and self.high is not None and self.high - self.low <= 2 * points

    @property
    def text(self) -> str:
        """As people read it."""
        low, high = ("…" if end is None else f"{end:+.0f}" for end in (self.low, self.high))
        return f"{self.elo:+.0f} ({low} to {high}), {self.games} games"


class ChampionLevel(Section):
    """One of the levels of a game."""

    name: str
    player: str  # a spec; without a model, `zero` is the champion itself, and so is eval=champion
    rating: float | None = None
    step: Difference | None = None  # above the level before it
    seconds: float | None = None  # of processor time, the longest thought of those that were timed


class RatedPlayer(Section):
    """A player that is no level, on the same scale."""

    player: str
    rating: float
    level: str  # that it was measured against,
    difference: Difference  # and how much stronger it is than that


class Levels(Section):
    """What `levels.json` holds."""

    levels: tuple[ChampionLevel, ...]
    others: tuple[RatedPlayer, ...] = ()
    cpu_seconds: float | None = None  # that measuring took


def champion(game: Game) -> Path | None:
    """The model folder that came with the program for this game; how it ends does not matter."""
    cards = {path.parent: read_model(path.parent) for path in sorted(CHAMPIONS.glob("*/card.json"))}
    for folder, card in cards.items():
        if plays_alike(card.game, game.spec):
            return folder
    for folder, card in cards.items():
        if any(plays_alike(other, game.spec) for other in card.also):
            return folder
    return None


def folder_name(game: str) -> str:
    """What the folder of a game is called."""
    return re.sub(r"[:,/\\]", "-", game.replace("=", ""))


def levels_file(game: Game) -> Path:
    """Where the levels of a game are, or would be."""
    folder = champion(game)
    if folder is None:
        try:
            folder = CHAMPIONS / folder_name(without_endings(game.spec))
        except UnknownNameError:  # a game that was made without being registered
            folder = CHAMPIONS / folder_name(game.spec)
    return folder / "levels.json"


def read_levels(game: Game) -> Levels | None:
    """The measured levels of a game, if they are."""
    path = levels_file(game)
    if not path.is_file():
        return None
    try:
        return Levels.model_validate_json(path.read_text())
    except ValidationError as error:
        raise BoardZeroError(f"{path} is not a list of levels: {first_problem(error)}") from None


def champion_levels(game: Game) -> tuple[ChampionLevel, ...]:
    """Its measured levels, weakest first; none if they were not measured."""
    found = read_levels(game)
    return () if found is None else found.levels
