"""The one family of exceptions for what a user can get wrong.

Each message is one sentence for a person: what was wrong, where, and what would be right. Anything
else that is raised is a bug and may crash loudly.
"""

from collections.abc import Iterable

from boardzero._core import BoardZeroError

__all__ = ["BoardZeroError", "UnknownNameError", "nearest"]

_LONGEST = 2000  # characters of a message


def _sentence(error: BaseException) -> str:
    """The message on one line: many quote what a stranger wrote, line breaks and all."""
    text = Exception.__str__(error)
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}..."
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


# The class comes from the core, which raises it too: here is the one place that all messages pass.
BoardZeroError.__str__ = _sentence  # type: ignore[method-assign]
BoardZeroError.__doc__ = "What a user can get wrong; the message is one sentence for a person."


class UnknownNameError(BoardZeroError):
    """A name of something (a game, an option, a player) that does not exist."""


def nearest(
    kind: str, name: str, known: Iterable[str], *, list_all: bool = False
) -> UnknownNameError:
    """The error for an unknown name, with the nearest valid one or, failing that, all of them."""
    from difflib import get_close_matches  # slow to load, and most programs never need it

    names = sorted(known)
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    if close and list_all:
        hint = f"did you mean '{close[0]}'? There are {', '.join(names)}"
    elif close:
        hint = f"did you mean '{close[0]}'?"
    elif names:
        hint = f"there are {', '.join(names)}"
    else:
        hint = "there are none"
    return UnknownNameError(f"unknown {kind} '{name}'; {hint}")
