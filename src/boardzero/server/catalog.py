"""What the page may choose from: games, players with friendly levels, and nothing else.

A spec string from a browser may name only the families listed here, with bounded options: no spec
can start a program, read a file or occupy the machine. Programs that the server's owner has given a
name (`boardzero serve --engine`) may be chosen by it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.specs import Spec, parse_spec, read_options
from boardzero.games import Family, Game, families, make
from boardzero.models import champion, read_model
from boardzero.models.kinds import champion_player, kind_of
from boardzero.players import Level, levels, make_player, player_families, player_family

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
    "margin": None,
    "mode": None,
    "hash": 64,
    "run": None,
    "version": None,
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


def offered_levels(game: Game) -> list[Level]:
    """The players to choose from: the game's levels, then those that the owner has named."""
    ladder = levels(game)
    for level in ladder:
        check_player(level.spec, game)
    named = [Level(name, name) for name in _named_by_owner()]
    return [level for level in (*ladder, *named) if _plays(level.spec, game)]


def analysts(game: Game) -> list[str]:
    """Players for study and hints, the best first."""
    own = champion_player(game)
    first = () if own is None else (own,)
    return [spec for spec in (*first, *game.traits.players.analysts) if _plays(spec, game)]


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
    read_options(parsed, player_family(parsed.name).options)
    _check_model(parsed, game)
    return str(parsed)


def _named_by_owner() -> list[str]:
    return [family.name for family in player_families() if family.stands_for]


def game_families() -> list[Family]:
    """The games that the page offers."""
    return [family for family in families() if family.for_strangers]


def open_game(spec: str) -> Game:
    """The game, if it is one of those that came with the program."""
    known = [family.name for family in game_families()]
    name = parse_spec(spec).name
    if name not in known or not name.isidentifier():
        raise nearest("game", name, known)
    return make(spec)


def _plays(spec: str, game: Game) -> bool:
    family = player_family(parse_spec(spec).name)
    try:
        family.check_plays(game)
        if family.stands_for:  # which starts no program yet
            make_player(spec, game).close()
    except BoardZeroError:
        return False
    return True


def _check_model(spec: Spec, game: Game) -> None:
    """A player with a net needs one: of a run, or the champion that came with the program."""
    if not player_family(spec.name).needs_model or "run" in spec.options:
        return
    own = champion(game)
    if own is None or spec.name not in kind_of(read_model(own)).players:
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
