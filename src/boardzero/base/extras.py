"""Packages that not everybody needs: each belongs to an extra of the project.

`pip install boardzero` brings what playing needs. Whatever else is used is imported inside
`needs_extra`, so that a missing package is named together with the command that installs it.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Literal

from boardzero.base.errors import BoardZeroError

Extra = Literal["arena", "web", "train", "ray", "openspiel", "pettingzoo"]


class MissingPackageError(BoardZeroError):
    """A package of an extra that is not installed."""


@contextmanager
def needs_extra(extra: Extra, what: str) -> Iterator[None]:
    """Imports of packages that come with an extra; `what` is the subject of the sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package == "boardzero":  # a mistake of ours
            raise
        raise MissingPackageError(
            f"{what} needs '{package}', which is not installed: pip install 'boardzero[{extra}]'"
        ) from None


def look_for(packages: Iterable[str]) -> None:
    """Raise for the first that is not installed, as its import would; none is loaded."""
    for name in packages:
        if find_spec(name) is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
