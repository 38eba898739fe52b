"""The players that can be made by name.

Families register themselves here; layers above (`protocols`, `learn`) add theirs the same way.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from boardzero.errors import BoardZeroError, nearest
from boardzero.games import Game
from boardzero.players.player import Player
from boardzero.specs import Option, Spec, Value, parse_spec, read_options

__all__ = ["PlayerFamily", "make_player", "player_families", "register_player"]


@dataclass(frozen=True, slots=True)
class PlayerFamily:
    """A kind of player before its options are chosen."""

    name: str
    summary: str
    options: tuple[Option, ...]
    make: Callable[[str, Game, Mapping[str, Value]], Player]  # (canonical spec, game, options)
    seats: tuple[int, int] = (2, 4)  # smallest and largest number of players of a game it can play


_families: dict[str, PlayerFamily] = {}


def register_player(family: PlayerFamily) -> None:
    """Add a family; a second one of the same name replaces the first."""
    _families[family.name] = family


def player_families() -> list[PlayerFamily]:
    """All kinds of player, in the order in which they were registered."""
    return list(_families.values())


def make_player(spec: str, game: Game) -> Player:
    """The player that a spec string names, ready for one game."""
    parsed = parse_spec(spec)
    family = _families.get(parsed.name)
    if family is None:
        raise nearest("player", parsed.name, _families)
    low, high = family.seats
    if not low <= game.players <= high:
        raise BoardZeroError(
            f"{parsed.name} cannot play {game.name}: it has {game.players} players"
        )
    options = read_options(parsed, family.options)
    given = {
        option.name: parsed.options[option.name]
        for option in family.options
        if option.name in parsed.options
    }
    return family.make(str(Spec(parsed.name, given)), game, options)
