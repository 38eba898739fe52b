"""The levels of a game: players by the names that people choose them by."""

from __future__ import annotations

from dataclasses import dataclass

from boardzero.games import Game
from boardzero.games.traits import LEVEL_NAMES


@dataclass(frozen=True, slots=True)
class Level:
    """A player with a name that says how strong it is."""

    name: str
    spec: str
    rating: float | None = None  # as it was measured


def levels(game: Game) -> list[Level]:
    """The weakest first: the champion's own levels, or classic players where there is none."""
    from boardzero.models import champion_levels  # loads numpy, which many players do not need

    return [Level(level.name, level.player, level.rating) for level in champion_levels(game)] or [
        Level(name, player)
        for name, player in zip(LEVEL_NAMES, game.traits.players.ladder, strict=False)
    ]


def best_player(game: Game) -> str:
    """The strongest player of a game, as a spec: its champion, or else the best without a net."""
    from boardzero.models.kinds import champion_player

    return champion_player(game) or game.traits.players.ladder[-1]


def find_level(name: str, game: Game) -> Level | None:
    """The level of this name."""
    return next((level for level in levels(game) if level.name == name), None)
