"""What is said about a move, as the words of a comment: `[%eval white 0.350] [%cal G32>28]`.

Evaluations name the seat that they are for: `[%eval 0.35]` of other programs counts in other units
and stays in the comment as it is. Arrows (`%cal`) and marked cells (`%csl`) are those of the chess
world, with a `>` between cells, because those of Chexers have commas and minus signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from boardzero.games.tree import COLORS, Arrow, Evaluation, joined

if TYPE_CHECKING:
    from boardzero.games.game import Game
    from boardzero.games.tree import GameNode

# Marks of strength and their glyph numbers; a star marks a forced move.
STRENGTHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "*": 7}

_EVAL = re.compile(r"\[%eval (\w+) (-?[01](?:\.\d+)?)\]")
_SHAPES = re.compile(r"\[%c[as]l ([^\[\]]*)\]")
_COLORS = {color[0].upper(): color for color in COLORS}


def comment_text(node: GameNode, game: Game) -> str:
    """The comment of a node with its evaluation and its arrows."""
    return " ".join(_parts(node, game))


def read_comment(node: GameNode, game: Game, text: str) -> None:
    """Add what a comment says to a node; what is no evaluation and no arrow stays text."""

    def evaluation(found: re.Match[str]) -> str:
        if found[1] not in game.seats or abs(float(found[2])) > 1:
            return found[0]
        node.evaluation = Evaluation(game.seats.index(found[1]), float(found[2]))
        return ""

    def shapes(found: re.Match[str]) -> str:
        words = found[1] if game.geometry.kind == "hexes" else found[1].replace(",", " ")
        arrows = [_arrow(word, game) for word in words.split()]
        known = [arrow for arrow in arrows if arrow is not None]
        if len(known) < len(arrows):
            return found[0]
        node.arrows += [arrow for arrow in known if arrow not in node.arrows]
        return ""

    one_line = " ".join(text.split())
    node.comment = joined(node.comment, _SHAPES.sub(shapes, _EVAL.sub(evaluation, one_line)))


def _parts(node: GameNode, game: Game) -> Iterator[str]:
    if comment := " ".join(node.comment.split()):
        yield comment
    if node.evaluation is not None:
        seat, value = game.seats[node.evaluation.seat], node.evaluation.value
        yield f"[%eval {seat} {value + 0:.3f}]"
    labels = game.geometry.labels
    cells = [a for a in node.arrows if a.tail == a.head]
    lines = [a for a in node.arrows if a.tail != a.head]
    if cells:
        yield f"[%csl {' '.join(a.color[0].upper() + labels[a.tail] for a in cells)}]"
    if lines:
        words = (f"{a.color[0].upper()}{labels[a.tail]}>{labels[a.head]}" for a in lines)
        yield f"[%cal {' '.join(words)}]"


def _arrow(word: str, game: Game) -> Arrow | None:
    """`G32>28` or `R19`; also `G32-28` and `G3228`, as other programs write them."""
    color = _COLORS.get(word[:1])
    cells = {label: cell for cell, label in game.geometry.labels.items()}
    halves = word[1:].split(">")
    if game.geometry.kind != "hexes":
        halves = re.split(r"[->]", word[1:])
        if re.fullmatch(r"\d{4}|(?:[a-z]\d){2}", word[1:]):
            halves = [word[1:3].lstrip("0"), word[3:].lstrip("0")]
    if color is None or len(halves) > 2 or not all(half in cells for half in halves):
        return None
    return Arrow(cells[halves[0]], cells[halves[-1]], color)
