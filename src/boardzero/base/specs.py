"""Spec strings: how games and players are written everywhere.

A spec is a name and options, `gomoku:size=15,rule=renju`. A value that holds a comma, a colon or
an equals sign stands in double quotes: `hub:cmd="engine -x 1,2"`. Some names have one option that
may be written as it is, without its name: `openspiel:hex(board_size=5)`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from boardzero.base.errors import BoardZeroError, nearest

Value = int | float | bool | str

# Specs come from browsers and files too: no text makes these patterns look at a character twice.
_LONGEST = 10_000  # characters
_KEY = re.compile(r"\s*([A-Za-z_][\w-]*)\s*=")
_QUOTED = re.compile(r'\s*"((?:[^"\\]|\\.)*)"\s*(?:,|\Z)')
_PLAIN = re.compile(r'([^,"]*)(?:,|\Z)')

# What a numeric option may be where it names no bounds of its own: any search counts in 32 bits.
_LARGEST = {int: 2**31 - 1, float: 1e9}


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game or player: its name, its value when not given, and what is allowed.

    The default's type is the option's type.
    """

    name: str
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    ends_only: bool = False  # of a game: decides when it ends and its worth, not how to play


@dataclass(frozen=True, slots=True)
class Spec:
    """A name and its options, as text. `shorthand` is the option that needs no name, if any."""

    name: str
    options: Mapping[str, str] = field(default_factory=dict)
    shorthand: str = ""

    def __str__(self) -> str:
        if not self.options:
            return self.name
        if self.options.keys() == {self.shorthand}:
            return f"{self.name}:{self.options[self.shorthand]}"
        return f"{self.name}:" + ",".join(f"{k}={_quoted(v)}" for k, v in self.options.items())


def parse_spec(text: str, *, shorthand: str = "") -> Spec:
    """Split a spec string; says what is wrong with one that does not parse."""
    if len(text) > _LONGEST:
        raise BoardZeroError(f"a spec has at most {_LONGEST} characters, not {len(text)}")
    name, colon, rest = text.strip().partition(":")
    if not name:
        raise BoardZeroError(f"'{text}' does not start with a name")
    if shorthand and rest and not rest.lstrip().startswith(f"{shorthand}="):
        return Spec(name, {shorthand: rest.strip()}, shorthand)
    options: dict[str, str] = {}
    position = 0
    while position < len(rest):
        key, value, end = _next_pair(text, rest, position)
        if key in options:
            raise BoardZeroError(f"in '{text}', the option '{key}' is given twice")
        options[key] = value
        position = end
    if colon and not options:
        raise BoardZeroError(f"'{text}' has a colon but no option=value behind it")
    return Spec(name, options, shorthand)


def _next_pair(text: str, rest: str, position: int) -> tuple[str, str, int]:
    """The option that begins here, its value, and where the next one begins."""
    if key := _KEY.match(rest, position):
        if quoted := _QUOTED.match(rest, key.end()):
            return key[1], re.sub(r"\\(.)", r"\1", quoted[1]), quoted.end()
        if plain := _PLAIN.match(rest, key.end()):
            return key[1], plain[1].strip(), plain.end()
    raise BoardZeroError(f"in '{text}', '{rest[position:]}' is not of the form option=value")


def read_options(spec: Spec, options: Iterable[Option]) -> dict[str, Value]:
    """The value of every option, given or default; refuses unknown names and wrong values."""
    known = {option.name: option for option in options}
    for name in spec.options:
        if name not in known:
            raise nearest(f"option of {spec.name}", name, known, list_all=True)
    return {
        name: _convert(spec, option, spec.options[name]) if name in spec.options else option.default
        for name, option in known.items()
    }


def largest(kind: type[int] | type[float]) -> float:
    """The largest number that an option or a recipe may give where nothing else is said."""
    return _LARGEST[kind]


def written(value: Value) -> str:
    """A value as it stands in a spec."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _convert(spec: Spec, option: Option, text: str) -> Value:
    where = f"option '{option.name}' of {spec.name}"
    if option.choices:
        if text not in option.choices:
            raise nearest(f"value of {where}", text, option.choices)
        return type(option.default)(text)
    if isinstance(option.default, bool):
        if text not in ("true", "false"):
            raise BoardZeroError(f"{where} must be true or false, not '{text}'")
        return text == "true"
    if isinstance(option.default, str):
        return text
    kind = type(option.default)
    try:
        value = kind(text)
    except ValueError:
        noun = "a whole number" if kind is int else "a number"
        raise BoardZeroError(f"{where} must be {noun}, not '{text}'") from None
    bound = largest(kind)
    low = -bound if option.low is None else option.low
    high = bound if option.high is None else option.high
    if low <= value <= high:  # which no NaN is
        return value
    allowed = f"at least {low:g}" if value < low else f"at most {high:g}"
    if None not in (option.low, option.high):
        allowed = f"from {low:g} to {high:g}"
    raise BoardZeroError(f"{where} must be {allowed}, not {text}")


def _quoted(value: str) -> str:
    if re.search(r'[,":=\s]', value):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return value
