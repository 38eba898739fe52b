"""Plug-ins: what is loaded by name, when somebody asks for it.

A layer must not import the layers above it, and nothing is loaded before it is needed. So what
lives above the registry that lists it stands in the table below, as `module:OBJECT`:

    games      families of games                     a `Family` or a class of a `PythonGame`
    players    families of players                   a `PlayerFamily`
    models     models by the method of their cards   a `ModelKind`
    recipes    recipes by their method               a class of an `AnyRecipe`
    trainers   who trains by them                    a class of a `TrainingSession`

Other packages add theirs with entry points of the groups `boardzero.games`, `boardzero.players` and
so on.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pkgutil import resolve_name
from typing import Generic, Literal, TypeVar

from boardzero.base.errors import BoardZeroError, nearest

T = TypeVar("T")
Group = Literal["games", "players", "models", "recipes", "trainers"]

_TABLE: Mapping[Group, Mapping[str, str]] = {
    "games": {
        "openspiel": "boardzero.protocols.openspiel:FAMILY",
    },
    "players": {
        "hub": "boardzero.protocols.hub_player:FAMILY",
        "gomocup": "boardzero.protocols.gomocup_player:FAMILY",
        "chexers": "boardzero.protocols.chexers_player:FAMILY",
        "net": "boardzero.lodz.player:FAMILY",
    },
    "models": {
        "single": "boardzero.lodz.picker:PICKED",
        "double": "boardzero.lodz.picker:PICKED",
        "nnue": "boardzero.models.sparse:SPARSE",
    },
    "recipes": {
        "supervised": "boardzero.lodz.recipes:SupervisedRecipe",
        "dqn": "boardzero.lodz.recipes:DqnRecipe",
        "nnue": "boardzero.runs.sparse_recipe:SparseRecipe",
    },
    "trainers": {
        "sync": "boardzero.training.residual_run:ResidualInTurns",
        "async": "boardzero.training.side_by_side:SideBySide",
        "supervised": "boardzero.lodz.supervised:SupervisedRun",
        "dqn": "boardzero.lodz.dqn:DqnRun",
        "nnue": "boardzero.training.sparse_run:SparseRun",
    },
}


class PluginError(BoardZeroError):
    """A plug-in that cannot be loaded."""


class PluginWarning(UserWarning):
    """What needs such a plug-in was left out."""


def all_that_load(names: Iterable[str], load: Callable[[str], T]) -> dict[str, T]:
    """What is loaded, by name. Of what needs a plug-in that cannot be loaded there is a warning."""
    found = {}
    for name in names:
        try:
            found[name] = load(name)
        except PluginError as error:
            warnings.warn(str(error), PluginWarning, stacklevel=1)
    return found


def instance_of(kind: type[T]) -> Callable[[str, object], T]:
    """For a registry whose things are instances of a class."""

    def accept(_: str, thing: object) -> T:
        if not isinstance(thing, kind):
            raise BoardZeroError(f"{thing!r} is not a {kind.__name__}")
        return thing

    return accept


def subclass_of(kind: type[T]) -> Callable[[str, object], type[T]]:
    """For a registry whose things are subclasses of a class."""

    def accept(_: str, thing: object) -> type[T]:
        if not (isinstance(thing, type) and issubclass(thing, kind)):
            raise BoardZeroError(f"{thing!r} is not a subclass of {kind.__name__}")
        return thing

    return accept


class Registry(Generic[T]):
    """Things of one kind by name: those that were registered, and plug-ins.

    A plug-in that cannot be loaded is an error for who asks for it, and a warning for who asks for
    all: the others are there.
    """

    def __init__(self, group: Group, noun: str, accept: Callable[[str, object], T]) -> None:
        """`accept` makes a thing of a plug-in's name and what its place holds, or raises."""
        self._group: Group = group
        self._noun = noun
        self._accept = accept
        self._loaded: dict[str, T] = {}

    def register(self, name: str, thing: T) -> None:
        """Add a thing; a second one of the same name replaces the first."""
        self._loaded[name] = thing

    def __contains__(self, name: str) -> bool:
        return name in self._loaded or self._place(name) is not None

    def __getitem__(self, name: str) -> T:
        """The thing of this name; the error names the nearest one."""
        if name not in self._loaded:
            place = self._place(name)
            if place is None:
                raise nearest(self._noun, name, {*self._loaded, *self._plugins()})
            self._loaded[name] = self._load(name, place)
        return self._loaded[name]

    def get(self, name: str, default: T) -> T:
        """The thing of this name, or the default if nobody has named one so."""
        return self[name] if name in self else default  # noqa: SIM401  # this is `get`

    def all(self) -> list[T]:
        """Registered things in their order, then the plug-ins."""
        all_that_load(self._plugins(), self.__getitem__)
        return list(self._loaded.values())

    def _place(self, name: str) -> str | None:
        return _TABLE[self._group].get(name) or _entry_points(self._group).get(name)

    def _plugins(self) -> list[str]:
        return list(dict.fromkeys([*_TABLE[self._group], *_entry_points(self._group)]))

    def _load(self, name: str, place: str) -> T:
        try:
            return self._accept(name, resolve_name(place))
        except Exception as error:
            raise PluginError(
                f"the {self._noun} '{name}' ({place}) cannot be loaded: "
                f"{type(error).__name__}: {error}"
            ) from error


@cache
def _entry_points(group: Group) -> dict[str, str]:
    """What other packages add: names, and where the things are."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    return {plugin.name: plugin.value for plugin in entry_points(group=f"boardzero.{group}")}
