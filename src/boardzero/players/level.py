"""The levels of a game: players by the names that people choose them by."""

from __future__ import annotations

from dataclasses import dataclass

from boardzero.base.specs import parse_spec
from boardzero.games import Game
from boardzero.games.traits import level_names

_TOP_SIMULATIONS = "400"  # of a champion that plays with PUCT

_TOP_SIMULATIONS = "400"  # of a champion that plays with PUCT


@dataclass(frozen=True, slots=True)
class Level:
    """A player with a name that says how strong it is."""

    name: str
    spec: str
    rating: float | None = None  # as it was measured


def levels(game: Game) -> list[Level]:
    """The weakest first, as they were measured; classic players where they were not."""
    from boardzero.models import champion_levels  # loads numpy, which many players do not need

    found = [Level(level.name, level.player, level.rating) for level in champion_levels(game)]
    return found or unmeasured_levels(game)


def unmeasured_levels(game: Game) -> list[Level]:
    """Classic players that suit the game, weakest first, and its champion if there is one."""
    *below, best = game.traits.players.ladder
    ladder = (*below, top_player(game) or best)
    return [Level(name, spec) for name, spec in zip(level_names(len(ladder)), ladder, strict=True)]


def top_player(game: Game) -> str | None:
    """The champion of a game as its last level plays it; None where there is none.

    It is bounded by positions or simulations and not by time, so that it is as strong on every
    machine as it was where it was measured.
    """
    from boardzero.models.kinds import SEARCHED, champion_player

    own = champion_player(game)
    if own is None:
        return None
    if parse_spec(own).name == SEARCHED.player:
        return champion_player(game, sims=_TOP_SIMULATIONS)
    return champion_player(game, **parse_spec(game.traits.players.summit).options)


def best_player(game: Game) -> str:
    """The strongest player of a game, as a spec: its champion, or else the best without a net."""
    from boardzero.models.kinds import champion_player

    return champion_player(game) or game.traits.players.ladder[-1]


def find_level(name: str, game: Game) -> Level | None:
    """The level of this name."""
    return next((level for level in levels(game) if level.name == name), None)
