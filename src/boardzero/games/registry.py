"""The games that can be made by name.

A family is a name with options and a factory. A Python file works as a name too, and packages add
their own games as plug-ins (`base/plugins.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from inspect import getdoc
from pathlib import Path
from typing import Any

from boardzero.base.errors import BoardZeroError
from boardzero.base.plugins import Registry
from boardzero.base.specs import Option, Spec, Value, parse_spec, read_options, written
from boardzero.games import python_file
from boardzero.games.game import Game
from boardzero.games.python_game import PythonGame, game_name, options_of

Options = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Family:
    """A game before its options are chosen."""

    name: str
    title: str
    summary: str
    options: tuple[Option, ...]
    make: Callable[[str, Options], Game]  # (canonical spec, options)
    shorthand: str = ""  # the option that may be written as `name:value`, whatever the value holds
    needs: str = ""  # a package without which its games cannot be made
    for_strangers: bool = True  # False if its options may name files, so that no browser gives them


def register(game: Family | type[PythonGame[Any]]) -> None:
    """Add a game or a family of games; a second one of the same name replaces the first."""
    family = _as_family(game)
    _families.register(family.name, family)


def families() -> list[Family]:
    """All games that can be made here, in the order in which they were registered."""
    return [f for f in _families.all() if not f.needs or find_spec(f.needs)]


def make(spec: str) -> Game:
    """The game that a spec string names, such as `international` or `gomoku:size=15`.

    >>> make("international").start().moves()[0]
    Move('31-26')
    """
    family = _find(spec.partition(":")[0].strip())
    parsed = parse_spec(spec, shorthand=family.shorthand)
    options = read_options(parsed, family.options)
    defaults = {option.name: option.default for option in family.options}
    chosen = {
        name: written(value)
        for name, value in options.items()
        if value != defaults[name] or name == family.shorthand
    }
    canonical = Spec(parsed.name, chosen, shorthand=family.shorthand)
    return family.make(str(canonical), options)


def plays_alike(spec: str, other: str) -> bool:
    """Whether who has learned the one game can play the other: they may differ in how they end.

    Of another name than the other's nothing is loaded, so both need not exist.
    """
    names = [text.partition(":")[0].strip() for text in (spec, other)]
    whole = [Path(name).resolve() if python_file.is_file(name) else name for name in names]
    return whole[0] == whole[1] and _played_by(spec) == _played_by(other)


def without_endings(spec: str) -> str:
    """The spec without what only says how games end: equal for games that play alike."""
    family = _find(spec.partition(":")[0].strip())
    defaults = {option.name: option.default for option in family.options}
    chosen = {
        name: written(value)
        for name, value in _played_by(spec).items()
        if value != defaults[name] or name == family.shorthand
    }
    return str(Spec(family.name, chosen, shorthand=family.shorthand))


def _played_by(spec: str) -> dict[str, Value]:
    """The options that moves depend on."""
    family = _find(spec.partition(":")[0].strip())
    options = read_options(parse_spec(spec, shorthand=family.shorthand), family.options)
    return {o.name: options[o.name] for o in family.options if not o.ends_only}


def home_of(spec: str) -> str | None:
    """The module that registers a game, for other processes to import; a file is no such module."""
    name = spec.partition(":")[0].strip()
    return None if python_file.is_file(name) else _find(name).make.__module__


def _find(name: str) -> Family:
    if python_file.is_file(name):
        return _named(name, python_file.load(name))
    return _families[name]


def _named(name: str, game: object) -> Family:
    return replace(_as_family(game), name=name)


_families = Registry("games", "game", _named)


def _as_family(game: object) -> Family:
    if isinstance(game, Family):
        return game
    if not (isinstance(game, type) and issubclass(game, PythonGame)):
        raise BoardZeroError(f"{game!r} is neither a Family nor a subclass of PythonGame")
    rules = game

    def build(spec: str, options: Options) -> Game:
        try:
            made = rules(**options)
        except Exception as error:
            raise BoardZeroError(f"{spec} cannot be made: {error}") from error
        return made.game(spec)

    build.__module__ = rules.__module__  # for `home_of`
    name = game_name(rules)
    return Family(
        name,
        rules.title or name.replace("_", " ").capitalize(),
        (getdoc(rules) or "").partition("\n")[0],
        options_of(rules),
        build,
    )
