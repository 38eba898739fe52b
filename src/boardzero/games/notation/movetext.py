"""Games as plain text, for those that PDN is not for: in its style, with our own names of moves.

A move may hold spaces and parentheses, as those of Chexers do: reading goes by what is legal, and a
variation is known by the number or comment behind its parenthesis.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator

from boardzero.base.errors import BoardZeroError
from boardzero.games.game import Game
from boardzero.games.notation.annotations import STRENGTHS
from boardzero.games.notation.tree_builder import TreeBuilder
from boardzero.games.notation.tree_text import moves_text, tag_lines
from boardzero.games.registry import make
from boardzero.games.tree import GameTree

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TAG_LINE = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]\s*$', re.MULTILINE)
_NUMBER = re.compile(r"(?:\s|\d+\.+)+")
_RESULT = re.compile(r"(\*|[\d/]+(?:-[\d/]+)+)(?=[\s)]|$)")
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"[^\s(){}]+|.")
_PART = re.compile(r"\w+|[^\w\s]")
_COMMENT = re.compile(r"\{([^}]*)(\}?)|;(.*)")
_GLYPH = re.compile(r"\$(\d{1,4})|([!?]+)")
_OPEN = re.compile(r"\((?=\s*(?:\d+\.|[{;]|$))", re.MULTILINE)


def write_tree(tree: GameTree) -> str:
    """A game with its variations; several can follow each other in one file."""
    tags = {name: value for name, value in tree.tags.items() if name != "FEN"}
    tags |= {"Game": tree.game.spec, "Result": tree.result}
    if not tree.begins_as_usual:
        tags["FEN"] = tree.position.fen()
    return f"{tag_lines(tags)}\n{moves_text(tree, tree.result, str)}\n"


def read_trees(
    text: str,
    game: Game | None = None,
    *,
    on_error: Callable[[BoardZeroError], None] | None = None,
    named: Callable[[str], Game] = make,
) -> Iterator[GameTree]:
    """The games of a text; tags, numbers and a result are optional where `game` is given.

    With `on_error`, the good part of a game is given: a line ends before its first wrong move.
    """
    reader = _Reader(text, game, on_error, named)
    while not reader.is_done:
        if (tree := reader.game()) is not None:
            yield tree


def tag_in(text: str, name: str) -> str | None:
    """The value of a tag, if the text has it."""
    found = (_plain(tag[2]) for tag in _TAG_LINE.finditer(text) if tag[1] == name)
    return next(found, None)


class _Reader:
    """Reads game after game. Variations wait on a stack of its own, however deep they nest."""

    def __init__(
        self,
        text: str,
        given: Game | None,
        on_error: Callable[[BoardZeroError], None] | None,
        named: Callable[[str], Game],
    ) -> None:
        self._named = named
        self._text = text.removeprefix("\ufeff")
        self._given = given
        self._on_error = on_error
        self._lines = [0, *(found.end() for found in re.finditer("\n", self._text))]
        self._at = _skip(_SPACE, self._text, 0)
        self._number = 0

    @property
    def is_done(self) -> bool:
        return self._at >= len(self._text)

    def game(self) -> GameTree | None:
        """The next game, or None where nothing of it can be read."""
        self._number += 1
        begin = self._at
        tags = self._tags()
        try:
            tree = self._tree_of(tags)
        except BoardZeroError as error:
            self._tell(error, begin)
            self._skip_game()
            return None
        self._moves(tree)
        return tree

    def _tags(self) -> dict[str, str]:
        tags: dict[str, str] = {}
        while found := _TAG.match(self._text, self._at):
            tags[found[1]] = _plain(found[2])
            self._at = _skip(_SPACE, self._text, found.end())
        return tags

    def _tree_of(self, tags: dict[str, str]) -> GameTree:
        named = tags.pop("Game", None)
        if named is not None and (self._given is None or self._given.spec != named):
            game = self._named(named)
        elif self._given is not None:
            game = self._given
        else:
            raise BoardZeroError("there is no Game tag that says which game it is")
        fen, result = tags.pop("FEN", ""), tags.pop("Result", "*")
        start = game.parse_fen(fen) if fen else None
        return GameTree(game, start=start, tags=tags, result=result)

    def _moves(self, tree: GameTree) -> None:
        builder = TreeBuilder(tree)
        while (at := self._next()) < len(self._text) and not _TAG.match(self._text, at):
            if result := _RESULT.match(self._text, at):
                self._at = result.end()
                if not builder.in_variation:
                    tree.result = result[1] if tree.result == "*" else tree.result
                    break
            elif not (self._note(builder, at) or self._move(builder, at)):
                self._refuse(builder, at)
        if builder.in_variation:
            self._tell("a variation is not closed with ')'", self._at)
        self._at = _skip(_SPACE, self._text, self._at)

    def _note(self, builder: TreeBuilder, at: int) -> bool:
        """What stands between moves."""
        if comment := _COMMENT.match(self._text, at):
            builder.comment(comment[1] if comment[1] is not None else comment[3])
            self._at = comment.end()
            if comment[2] == "":
                self._tell("a comment is not closed with '}'", at)
        elif glyph := _GLYPH.match(self._text, at):
            builder.nag(int(glyph[1]) if glyph[1] else STRENGTHS.get(glyph[2]))
            self._at = glyph.end()
        elif _OPEN.match(self._text, at):
            self._at = at + 1
            if not builder.open():
                self._tell("a variation needs a move before it", at)
        elif self._text[at] == ")" and builder.in_variation:
            self._at = at + 1
            builder.close()
        else:
            return False
        return True

    def _next(self) -> int:
        self._at = _skip(_NUMBER, self._text, self._at)
        return self._at

    def _move(self, builder: TreeBuilder, at: int) -> bool:
        """The longest legal move that stands here."""
        moves = [] if builder.position is None else builder.position.moves()
        ends = {end: move for move in moves if (end := _end_of(move.text, self._text, at))}
        if ends:
            self._at = max(ends)
            builder.move(ends[self._at])
        return bool(ends)

    def _refuse(self, builder: TreeBuilder, at: int) -> None:
        word = _WORD.match(self._text, at)
        self._at = word.end() if word else at + 1
        position = builder.position
        if position is None:
            return
        builder.lose()
        text = self._text[at : self._at]
        try:
            position.parse(text)
            reason = f"'{text}' is not understood here"
        except BoardZeroError as error:
            reason = str(error)
        self._tell(reason, at)

    def _tell(self, reason: object, at: int) -> None:
        line = bisect(self._lines, at)
        place = f"game {self._number}, line {line}, column {at - self._lines[line - 1] + 1}"
        problem = BoardZeroError(f"{place}: {reason}")
        if self._on_error is None:
            raise problem
        self._on_error(problem)

    def _skip_game(self) -> None:
        """To where tags begin again."""
        found = _TAG_LINE.search(self._text, self._at)
        self._at = found.start() if found else len(self._text)


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _end_of(move: str, text: str, at: int) -> int | None:
    """Where a move that is written at a place ends; spaces between its parts do not matter."""
    for part in _PART.findall(move):
        at = _skip(_SPACE, text, at)
        if not text.startswith(part, at):
            return None
        at += len(part)
    return at if at >= len(text) or text[at] in " \t\r\n\N{NO-BREAK SPACE}){}$!?;" else None


def _plain(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value)
