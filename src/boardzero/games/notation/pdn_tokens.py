"""PDN as text: from lines to tokens to the tags and the moves of each game.

Nothing here knows a rule of draughts. What cannot be understood becomes a token of the kind
"error", so that whoever reads the games can name the one that it spoils and go on with the next.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from boardzero.base.errors import BoardZeroError

SQUARE = re.compile(r"[a-j]\d{1,2}|\d{1,2}", re.IGNORECASE)

# The order matters: "1-0" and "1." come before moves, "(!)" before variations. A star ends a game
# unless it sticks to a move, which it marks as forced. Spaces may surround "-", "x" and ":".
_PATTERN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<tag>\[\s*(?P<name>[A-Za-z]\w*)\s*
        "(?P<value>(?:\\["\\]|\\(?!["\\])|[^"\\]|"(?!\s*\]))*)"\s*\])
    | (?P<brace>\{)
    | (?P<rest>[;%].*)
    | (?P<strength>\([!?]+\)|[!?]+)
    | (?P<left>\()
    | (?P<right>\))
    | (?P<nag>\$\d{1,4})
    | (?P<result>(?:0\s*-\s*[012]|1\s*-\s*[01]|2\s*-\s*0|1/2\s*-\s*1/2|½\s*-\s*½)(?![\w/])|\*)
    | (?P<number>\d+\s*\.+|\.+)
    | (?P<move>(?:SQUARE)(?:(?:\s*[-x:]\s*|\*)(?:SQUARE))+|(?:[a-h][1-8]){2,}|\d{4})(?!\w)
        (?P<forced>\*)?
    | (?P<setup>/\s*FEN\s*"(?P<fen>[^"/]*)"\s*/)
    | (?P<junk>\[?[^\s(){}]+|.)
    """.replace("SQUARE", SQUARE.pattern),
    re.VERBOSE | re.IGNORECASE,
)


class Token(NamedTuple):
    """A tag, move, comment, nag, strength, setup or result, or an error: what is wrong.

    Left opens a variation, right closes it.
    """

    kind: str
    text: str
    line: int
    column: int
    name: str = ""  # of a tag


@dataclass(slots=True)
class RawGame:
    """The tags of one game and its moves, not both empty."""

    tags: dict[str, Token] = field(default_factory=dict)
    body: list[Token] = field(default_factory=list)  # the main line
    tree: list[Token] = field(default_factory=list)  # the same with all variations

    @property
    def first(self) -> Token:
        return next(iter((*self.tags.values(), *self.body)))

    def holds(self, *kinds: str) -> bool:
        return any(token.kind in kinds for token in self.body)


def split_games(source: str | Path | Iterable[str]) -> Iterator[RawGame]:
    """The games of a text, a file or some lines, read no further than the game asked for.

    A game ends at a result, or where the tags of the next begin.
    """
    raw = RawGame()
    for token, in_variation in _with_depth(_scan(_lines(source))):
        if token.kind == "tag":
            if raw.holds("move", "setup", "nag", "strength") or token.name in raw.tags:
                yield raw
                raw = RawGame()
            raw.tags[token.name] = token
            continue
        raw.tree.append(token)
        if in_variation:
            continue
        raw.body.append(token)
        if token.kind == "result":
            # A second mark of the end, as in "2-0 *", is no game.
            if raw.tags or len(raw.body) > 1:
                yield raw
            raw = RawGame()
    if raw.tags or raw.holds("move", "setup", "nag", "strength", "error"):
        yield raw


def _lines(source: str | Path | Iterable[str]) -> Iterator[str]:
    if isinstance(source, str):
        yield from io.StringIO(source, newline=None)
    elif not isinstance(source, Path):
        yield from source
    else:
        try:
            with source.open("rb") as file:
                yield from map(_decoded, file)
        except OSError as error:
            raise BoardZeroError(f"cannot read '{source}': {error.strerror}") from None


def _decoded(line: bytes) -> str:
    """UTF-8, as PDN 3.0 wants it, or Latin-1, as older files are."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _scan(lines: Iterable[str]) -> Iterator[Token]:
    """The tokens of a text, without spaces and move numbers."""
    comment: list[str] = []  # the lines so far of one that is not closed
    opened = Token("comment", "", 0, 0)
    for number, line in enumerate(lines, 1):
        position = 1 if number == 1 and line.startswith("\ufeff") else 0
        while position < len(line):
            if comment:
                body, brace, _ = line[position:].partition("}")
                comment.append(body)
                position += len(body) + len(brace)
                if brace:
                    yield opened._replace(text=_one_line("".join(comment)))
                    comment = []
                continue
            found = _PATTERN.match(line, position)
            assert found is not None, "junk is whatever nothing else matches"
            here = Token("error", "", number, position + 1)
            position = found.end()
            if found["space"] or found["number"]:
                continue
            if found["junk"]:
                yield here._replace(text=f"{found[0][:30]!r} is not understood")
            elif found["brace"]:
                comment = [""]
                opened = here._replace(kind="comment")
            else:
                yield from _tokens(found, here)
    if comment:
        yield opened._replace(kind="error", text="a comment is not closed with '}'")


def _tokens(found: re.Match[str], here: Token) -> Iterator[Token]:
    """What a match stands for: a token, a move and its strength, or nothing."""
    if found["tag"]:
        value = re.sub(r'\\(["\\])', r"\1", found["value"])
        name = found["name"][0].upper() + found["name"][1:]
        yield here._replace(kind="tag", text=_one_line(value), name=name)
    elif found["rest"]:
        # What follows a % is for other programs.
        if found["rest"].startswith(";"):
            yield here._replace(kind="comment", text=_one_line(found["rest"][1:]))
    elif found["setup"]:
        yield here._replace(kind="setup", text=found["fen"])
    elif found["move"]:
        yield here._replace(kind="move", text=found["move"])
        if found["forced"]:
            yield here._replace(kind="strength", text="*")
    else:
        yield here._replace(kind=str(found.lastgroup), text="".join(found[0].split()))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _with_depth(tokens: Iterable[Token]) -> Iterator[tuple[Token, bool]]:
    """Each token and whether it belongs to a variation.

    It counts parentheses, so that they may nest as deep as they like.
    """
    depth = 0
    opened = Token("error", "a variation is not closed with ')'", 0, 0)
    for token in tokens:
        if token.kind == "left":
            if depth == 0:
                opened = opened._replace(line=token.line, column=token.column)
            depth += 1
            yield token, True
        elif token.kind == "right":
            if depth == 0:
                yield token._replace(kind="error", text="')' closes nothing"), False
            else:
                depth -= 1
                yield token, True
        elif depth and token.kind == "tag":  # no variation holds tags, so it was never closed
            depth = 0
            yield opened, False
            yield token, False
        else:
            yield token, depth > 0
    if depth:
        yield opened, False
