"""What the page may choose from: games, players with friendly levels, and nothing else.

A spec string from a browser may name only the families listed here, with bounded options: no spec
can start a program, read a file or occupy the machine. Programs that the server's owner has given a
name (`boardzero serve --engine`) may be chosen by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.specs import Spec, parse_spec
from boardzero.games import Family, Game, families, make
from boardzero.models import champion, champion_levels
from boardzero.players import make_player, player_families

__all__ = ["HUMAN", "Level", "analysts", "check_player", "game_families", "levels", "open_game"]

HUMAN = "human"

# Largest value of each option that a browser may give; None for an option without harm.
Bounds = Mapping[str, float | None]
_SEARCH: Bounds = {
    "time": 10,
    "nodes": 50_000_000,
    "eval": None,
    "seed": None,
    "depth": 30,
    "analyse": None,
    "mode": None,
    "hash": 64,
}
_TREE: Bounds = {
    "rollouts": 1_000_000,
    "time": 10,
    "selection": None,
    "c": None,
    "depth": 10_000,
    "memory": 256,
    "seed": None,
    "reuse": None,
    "prune": None,
    "clock": 600,
}
_NO_OPTIONS: Bounds = {}
_NET: Bounds = {"run": None, "version": None, "sims": 5000, "time": 10, "temperature": 10}
_NET_ALONE: Bounds = {"run": None, "version": None}
_FOREIGN = frozenset({"openspiel"})  # games of another library, whose options may name files
_RUN = re.compile(r"^\w[\w.-]*$")  # a name, never a path
_ALLOWED: Mapping[str, Bounds] = {
    "random": {"seed": None},
    "greedy": {"seed": None},
    "minimax": {**_SEARCH, "depth": 8},
    "alphabeta": _SEARCH,
    "maxn": {**_SEARCH, "depth": 6},
    "paranoid": {**_SEARCH, "depth": 6},
    "brs": {**_SEARCH, "depth": 6},
    "mcts": _TREE,
    "alphachexers": _TREE,
    "zero": _NET,
    "net": _NET_ALONE,
}


@dataclass(frozen=True, slots=True)
class Level:
    """A player with the name that people choose it by; names are keys of the page's texts."""

    name: str
    spec: str
    rating: float | None = None  # as it was measured


_TWO_SEATS = (  # greedy is no better than random in English draughts, where captures are forced
    Level("beginner", "random"),
    Level("easy", "alphabeta:depth=1"),
    Level("casual", "alphabeta:depth=3"),
    Level("club", "alphabeta:depth=5"),
    Level("expert", "alphabeta:time=0.3"),
    Level("champion", "alphabeta:time=2"),
)
_LINES = (  # five in a row has no pieces to be greedy for
    Level("beginner", "random"),
    Level("easy", "mcts:rollouts=50"),
    Level("casual", "mcts:rollouts=400"),
    Level("club", "mcts:rollouts=3000"),
    Level("expert", "mcts:time=0.5"),
    Level("champion", "mcts:time=3"),
)
_MANY_SEATS = (
    Level("beginner", "random"),
    Level("easy", "greedy"),
    Level("casual", "maxn:depth=1"),
    Level("club", "maxn:depth=3"),
    Level("expert", "mcts:time=0.5"),
    Level("champion", "alphachexers:time=2"),
)


def levels(game: Game) -> list[Level]:
    """The players to choose from, weakest first: the champion's own levels, if there is one."""
    ladder: Iterable[Level] = [
        Level(level.name, check_player(level.player, game), level.rating)
        for level in champion_levels(game)
    ]
    if not ladder:
        two = _LINES if game.name == "gomoku" else _TWO_SEATS
        ladder = _MANY_SEATS if game.players > 2 else two
    named = [Level(name, name) for name in _named_by_owner()]
    return [level for level in (*ladder, *named) if _plays(level.spec, game)]


def analysts(game: Game) -> list[str]:
    """Players for study and hints, the best first."""
    wanted = ["alphachexers", "alphabeta:analyse=true", "mcts", "random"]
    if champion(game) is not None:
        wanted.insert(0, "zero")
    if game.name == "gomoku":  # of its many moves alpha-beta values few, a tree all of them
        wanted.remove("alphabeta:analyse=true")
    return [spec for spec in wanted if _plays(spec, game)]


def check_player(spec: str, game: Game) -> str:
    """The spec, if a browser may use it in this game."""
    parsed = parse_spec(spec)
    allowed = {**_ALLOWED, **dict.fromkeys(_named_by_owner(), _NO_OPTIONS)}
    if parsed.name not in allowed:
        raise nearest("player on the web", parsed.name, allowed)
    if not _plays(parsed.name, game):
        raise BoardZeroError(f"{parsed.name} cannot play {game.name}")
    bounds = allowed[parsed.name]
    for name, text in parsed.options.items():
        if name not in bounds:
            raise nearest(f"option of {parsed.name} on the web", name, bounds)
        _check_bound(parsed, name, text, bounds[name])
        if name == "run" and not _RUN.match(text):
            raise BoardZeroError("a run is given by its name on the web, not by a path")
    _check_model(parsed, game)
    return str(parsed)


def _named_by_owner() -> list[str]:
    return [family.name for family in player_families() if family.stands_for]


def game_families() -> list[Family]:
    """The games that the page offers."""
    return [family for family in families() if family.name not in _FOREIGN]


def open_game(spec: str) -> Game:
    """The game, if it is one of those that came with the program."""
    known = [family.name for family in game_families()]
    name = parse_spec(spec).name
    if name not in known or not name.isidentifier():
        raise nearest("game", name, known)
    return make(spec)


def _plays(spec: str, game: Game) -> bool:
    name = parse_spec(spec).name
    if name == "alphachexers" and game.name != "chexers":
        return False
    if name in _named_by_owner():
        try:
            make_player(name, game).close()  # which starts no program yet
        except BoardZeroError:
            return False
    return any(
        family.name == name and family.seats[0] <= game.players <= family.seats[1]
        for family in player_families()
    )


def _check_model(spec: Spec, game: Game) -> None:
    """A player with a net needs one: of a run, or the champion that came with the program."""
    if spec.name not in ("zero", "net") or "run" in spec.options:
        return
    if spec.name == "net" or champion(game) is None:
        raise BoardZeroError(f"{game.spec} has no {spec.name} player of its own; name a run")


def _check_bound(spec: Spec, name: str, text: str, bound: float | None) -> None:
    if bound is None:
        return
    try:
        value = float(text)
    except ValueError:
        raise BoardZeroError(
            f"option '{name}' of {spec.name} must be a number, not '{text}'"
        ) from None
    if not value <= bound:
        raise BoardZeroError(f"option '{name}' of {spec.name} may be at most {bound:g} on the web")
