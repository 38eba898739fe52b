"""The players that can be made by name.

Families register themselves here; those of layers above (`protocols`, `lodz`) and of other packages
are plug-ins (`base/plugins.py`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.plugins import Registry
from boardzero.base.specs import Option, Spec, Value, parse_spec, read_options
from boardzero.games import Game
from boardzero.players.level import find_level, levels
from boardzero.players.player import Player


@dataclass(frozen=True, slots=True)
class PlayerFamily:
    """A kind of player before its options are chosen."""

    name: str
    summary: str
    options: tuple[Option, ...]
    make: Callable[[str, Game, Mapping[str, Value]], Player]  # (canonical spec, game, options)
    seats: tuple[int, int] = (2, 4)  # smallest and largest number of players of a game it can play
    suits: Callable[[Game], bool] = lambda _: True  # whether it knows a game with so many players
    needs_model: bool = False  # plays nothing but models
    runs_programs: bool = False  # starts what its spec says, so a spec from a stranger is not taken
    stands_for: str = ""  # the spec that this is a name for, given by `name_player`

    def check_plays(self, game: Game) -> None:
        """Raise if its players cannot play a game."""
        low, high = self.seats
        if not low <= game.players <= high:
            raise BoardZeroError(
                f"{self.name} cannot play {game.name}: it has {game.players} players"
            )
        if not self.suits(game):
            raise BoardZeroError(f"{self.name} cannot play {game.name}")


# Of every player that draws lots; arenas give each game and seat a seed of its own.
SEED = Option("seed", -1, "start of the random numbers; -1: new each time", low=-1, high=2**63 - 1)


_LARGEST_SEED = 2**48  # of derived ones; an option that sets no bound itself takes less


def _named(name: str, family: object) -> PlayerFamily:
    if not isinstance(family, PlayerFamily):
        raise BoardZeroError(f"{family!r} is not a PlayerFamily")
    return replace(family, name=name)


_families = Registry("players", "player", _named)


def register_player(family: PlayerFamily) -> None:
    """Add a family; a second one of the same name replaces the first."""
    _families.register(family.name, family)


def player_families() -> list[PlayerFamily]:
    """All kinds of player, in the order in which they were registered."""
    return _families.all()


def player_family(name: str) -> PlayerFamily:
    """The kind of player of this name; the error names the nearest one."""
    return _families[name]


def name_player(name: str, spec: str) -> None:
    """Let a name stand for a spec.

    So people may choose a program that they could not start themselves, and do not see its command.
    """
    if not name.isidentifier():
        raise BoardZeroError(f"'{name}' is not a name: it needs letters and digits only")
    if name in _families and not _families[name].stands_for:
        raise BoardZeroError(f"there is a player '{name}' already; take another name")
    parsed = parse_spec(spec)
    family = player_family(parsed.name)
    read_options(parsed, family.options)

    def make(own: str, game: Game, _: Mapping[str, Value]) -> Player:
        player = make_player(spec, game)
        player.spec = own
        return player

    summary = f"what is called so here, by {family.name}"
    register_player(PlayerFamily(name, summary, (), make, family.seats, stands_for=spec))


def with_seed(spec: str, seed: int) -> str:
    """The spec with this seed, if its kind of player takes one and it names none itself."""
    parsed = parse_spec(spec)
    option = next((o for o in player_family(parsed.name).options if o.name == "seed"), None)
    if option is None or "seed" in parsed.options:
        return spec
    fitting = seed if option.high is not None and option.high >= _LARGEST_SEED else seed % 2**31
    return str(Spec(parsed.name, {**parsed.options, "seed": str(fitting)}))


def player_spec(text: str, game: Game) -> Spec:
    """The spec that somebody has written, or that a level of the game stands for."""
    parsed = parse_spec(text)
    if parsed.name in _families:
        return parsed
    level = None if parsed.options else find_level(parsed.name, game)
    if level is None:
        names = {family.name for family in player_families()}
        raise nearest("player", parsed.name, names | {level.name for level in levels(game)})
    return parse_spec(level.spec)


def make_player(spec: str, game: Game) -> Player:
    """The player that a spec string or the name of a level stands for, ready for one game."""
    parsed = player_spec(spec, game)
    family = player_family(parsed.name)
    family.check_plays(game)
    options = read_options(parsed, family.options)
    given = {
        option.name: parsed.options[option.name]
        for option in family.options
        if option.name in parsed.options
    }
    return family.make(str(Spec(parsed.name, given)), game, options)
