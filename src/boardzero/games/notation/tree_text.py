"""Trees as text in the style of PDN: tags, numbered moves, comments, glyphs, variations.

PDN itself and the plain text of the games that PDN is not for are both written here; they differ
in their tags and in how a move is spelled.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from boardzero.games.game import Move
from boardzero.games.notation.annotations import comment_text
from boardzero.games.tree import GameNode, GameTree

WIDTH = 79
_GLUE = "\N{NO-BREAK SPACE}"  # where a line must not break


def tag_lines(tags: Mapping[str, str]) -> str:
    return "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())


def moves_text(tree: GameTree, result: str, spelled: Callable[[Move], str]) -> str:
    """The moves of all variations with what is said about them, and the result."""
    lines: list[str] = []
    words: list[str] = []
    for word in (*_words(tree, spelled), result):
        if word == ")" and words:
            words[-1] += word
        else:
            words.append(word)
        if word.startswith(";"):  # ends only with its line
            lines += [_filled(words[:-1]), word] if words[:-1] else [word]
            words = []
    return "\n".join([*lines, _filled(words)] if words else lines)


def _filled(words: list[str]) -> str:
    filled = textwrap.fill(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return filled.replace(_GLUE, " ")


def events(root: GameNode) -> Iterator[tuple[Literal["move", "open", "close"], GameNode]]:
    """A tree in the order in which it is written: a move, its alternatives, what follows it."""
    waiting: list[tuple[Literal["rest", "move", "open", "close"], GameNode]] = [("rest", root)]
    while waiting:
        kind, node = waiting.pop()
        if kind != "rest":
            yield kind, node
        elif node.variations:
            main, *others = node.variations
            yield "move", main
            waiting.append(("rest", main))
            for other in reversed(others):
                waiting += [("close", other), ("rest", other), ("move", other), ("open", other)]


def _words(tree: GameTree, spelled: Callable[[Move], str]) -> Iterator[str]:
    game, first = tree.game, tree.position.to_move
    yield from _notes(tree, tree)
    numbered = False  # afresh behind each comment, for whoever reads only from there
    opening = ""
    for kind, node in events(tree):
        if kind == "open":
            opening, numbered = "(", False
        elif kind == "close":
            numbered = False
            yield ")"
        else:
            assert node.move is not None
            if starting := _comment(node.starting_comment):
                yield f"{opening}{starting}" if starting[0] == "{" else f"{opening}"
                if starting[0] == ";":
                    yield starting
                opening, numbered = "", False
            turn = node.ply - 1 + first
            number = ""
            if turn % game.players == 0 or not numbered:
                number = f"{turn // game.players + 1}{'...' if turn % game.players else '.'} "
            move = spelled(node.move).replace(" ", _GLUE)
            yield f"{opening}{number}{move}"
            opening = ""
            notes = list(_notes(node, tree))
            yield from notes
            numbered = not notes


def _notes(node: GameNode, tree: GameTree) -> Iterator[str]:
    for glyph in node.nags:
        yield f"${glyph}"
    if comment := _comment(comment_text(node, tree.game)):
        yield comment


def _comment(text: str) -> str:
    """In braces or, if it holds one, behind a semicolon until the end of its line."""
    text = " ".join(text.split())
    if not text:
        return ""
    return f"; {text}" if "}" in text else f"{{{text}}}"


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", r"\\").replace('"', r"\"")
