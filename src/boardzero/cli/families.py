"""Families of games or of players as people and machines read them: with their options."""

from __future__ import annotations

from collections.abc import Sequence

from boardzero.base.specs import Option
from boardzero.cli.output import Json, row, screen

_SHOWN = ("name", "default", "help", "choices", "low", "high")  # of an option
Listed = tuple[str, str, Sequence[Option]]  # name, what it is, options


def print_families(families: Sequence[Listed]) -> None:
    """Each with its options below it."""
    console = screen()
    names = max(len(name) for name, _, _ in families)
    texts = [_text(option) for *_, options in families for option in options]
    width = max(map(len, texts), default=0)
    for name, about, options in families:
        row(console, (name, names, "bold"), (about, 0, ""))
        for option in options:
            row(console, ("", names, ""), (_text(option), width, "cyan"), (option.help, 0, "dim"))


def option_record(option: Option) -> dict[str, Json]:
    return {name: getattr(option, name) for name in _SHOWN}


def _text(option: Option) -> str:
    """The option with its default, then what else it can be."""
    default = str(option.default)
    others = [choice for choice in option.choices if choice != default]
    if others:
        return f"{option.name}={'|'.join([default, *others])}"
    if option.low is not None and option.high is not None:
        return f"{option.name}={default} ({option.low:g} to {option.high:g})"
    return f"{option.name}={default}"
