"""Smart Game Format (FF[4], GM[4]): games of gomoku and renju as other programs exchange them.

Reading takes what files hold in practice: older formats with long names of properties, text before
the first parenthesis, either case of points, several games in a file. Marks of quality (`TE`, `BM`,
`IT`, `DO`) are glyphs, `V` an evaluation for black, `AR` and the shapes (`CR`, `TR`, `SQ`, `MA`)
arrows; what SGF has no word for goes into properties of our own (`NAG`, `AC`).
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from boardzero.base.errors import BoardZeroError
from boardzero.games.game import Game, State
from boardzero.games.notation.fen import compose
from boardzero.games.registry import make
from boardzero.games.tree import COLORS, Arrow, Color, Evaluation, GameNode, GameTree, joined

# Our tags and SGF's properties of the whole game.
_TAGS = {
    "Event": "EV",
    "Site": "PC",
    "Date": "DT",
    "Round": "RO",
    "Black": "PB",
    "White": "PW",
    "Annotator": "AN",
}
_GLYPHS = {1: "TE[1]", 3: "TE[2]", 2: "BM[1]", 4: "BM[2]", 5: "IT[]", 6: "DO[]"}
_SHAPES: Mapping[str, Color] = {"CR": "green", "TR": "red", "SQ": "yellow", "MA": "blue"}
_RULES = ("renju", "standard", "freestyle")
_RESULTS = {"1-0": "B+", "0-1": "W+", "1/2-1/2": "0"}

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<mark>[(;)])|(?P<name>[A-Za-z]+)|(?P<value>\[(?:\\.|[^\]\\])*\])|(?P<junk>.)",
    re.DOTALL,
)

Properties = dict[str, list[str]]


@dataclass(slots=True)
class _Node:
    """The properties of one node, and where it stands in the text."""

    at: int
    properties: Properties = field(default_factory=dict)


def looks_like_sgf(text: str) -> bool:
    return re.search(r"\(\s*;[\s;]*[A-Za-z]+\s*\[", text) is not None


def write_tree(tree: GameTree) -> str:
    """A game as SGF; several can follow each other in one file."""
    text = [f"(;{_root(tree)}"]
    for node in _in_order(tree):
        if node is None:
            text.append(")")
            continue
        assert node.parent is not None
        forks = len(node.parent.variations) > 1
        text.append(f"\n{'(' if forks else ''};{_properties(node, tree.game)}")
    return f"{''.join(text)})\n"


def read_trees(
    text: str,
    game: Game | str | None = None,
    *,
    on_error: Callable[[BoardZeroError], None] | None = None,
) -> Iterator[GameTree]:
    """The games of a text. A given `game` decides the rules where board and rule names allow it.

    With `on_error`, the good part of a game is given: a line ends before its first wrong move.
    """
    given = make(game) if isinstance(game, str) else game

    begins = [0, *(found.end() for found in re.finditer("\n", text))]

    def tell(number: int, at: int, reason: object) -> None:
        line = bisect(begins, at)
        place = f"SGF game {number}, line {line}, column {at - begins[line - 1] + 1}"
        problem = BoardZeroError(f"{place}: {reason}")
        if on_error is None:
            raise problem
        on_error(problem)

    reader: _Reader | None = None
    number = 0
    for kind, node in _parse(text):
        if kind == "game":
            number += 1
            reader = _Reader(given, partial(tell, number))
        elif kind == "error":
            tell(max(number, 1), node.at, "".join(node.properties))
        elif reader is not None:
            if kind == "end":
                if reader.tree is not None:
                    yield reader.tree
                reader = None
            else:
                reader.take(kind, node)


# Reading: from text to nodes to a tree. A stack of its own, however deep variations nest.


def _parse(text: str) -> Iterator[tuple[str, _Node]]:
    """`game`, then `open`, `node` and `close` in the order of the text, then `end`; `error`s."""
    begin = re.search(r"\(\s*;", text)
    if begin is None:
        yield "error", _Node(0, {"there is no game in this text: SGF begins with '(;'": []})
        return
    depth, node, values = 0, _Node(0), None
    for found in _TOKEN.finditer(text, begin.start()):
        mark = found["mark"]
        if found["value"] is not None:
            if values is None:
                yield "error", _Node(found.start(), {"a value stands without a property": []})
            else:
                values.append(found["value"][1:-1])
        elif found["name"] is not None and depth:
            name = "".join(c for c in found["name"] if c.isupper()) or found["name"].upper()
            values = node.properties.setdefault(name, [])
        elif mark:
            values = None
            if node.properties:
                yield "node", node
            node = _Node(found.start())
            if mark == "(":
                depth += 1
                yield ("game" if depth == 1 else "open"), node
            elif mark == ")" and depth:
                depth -= 1
                yield ("close" if depth else "end"), node
        elif found["junk"] and depth:
            sentence = f"{found['junk']!r} is not understood"
            if found["junk"] == "[":
                sentence = "a value is not closed with ']'"
            yield "error", _Node(found.start(), {sentence: []})
            if found["junk"] == "[":
                break
    if node.properties:
        yield "node", node
    if depth:
        yield "error", _Node(len(text), {"a game is not closed with ')'": []})
        yield "end", node


class _Reader:
    """Puts the nodes of one game into a tree."""

    def __init__(self, given: Game | None, trouble: Callable[[int, object], None]) -> None:
        self._given = given
        self._trouble = trouble
        self._node: GameNode | None = None  # None where a line has ended before its time
        self._opened: list[GameNode | None] = []
        self.tree: GameTree | None = None

    def take(self, kind: str, node: _Node) -> None:
        if kind == "open":
            self._opened.append(self._node)
        elif kind == "close":
            self._node = self._opened.pop()
        else:
            try:
                self._add(node)
            except BoardZeroError as error:
                self._node = None
                self._trouble(node.at, error)

    def _add(self, node: _Node) -> None:
        if self.tree is None:
            self.tree = self._node = _tree_of(node.properties, self._given)
        if self._node is None:
            return
        if set(node.properties) & {"AB", "AW", "AE"} and self._node.parent is not None:
            raise BoardZeroError("stones can be set up only before the first move")
        for seat, name in enumerate("BW"):
            if name in node.properties:
                self._play(seat, _first(node.properties, name))
        _annotate(self._node, node.properties, self.tree.game)

    def _play(self, seat: int, point: str) -> None:
        assert self._node is not None
        position = self._node.position
        game = position.game
        if position.outcome() is not None:
            raise BoardZeroError("the game is over before this move")
        if position.to_move != seat:
            raise BoardZeroError(f"{game.seats[seat]} moves, and it is the other's turn")
        label = game.geometry.labels[_cell(point, game)]
        self._node = self._node.add_variation(label)


def _tree_of(properties: Properties, given: Game | None) -> GameTree:
    kind = _first(properties, "GM", "4")
    if kind not in ("4", "1"):  # some programs leave Go's number on a board of gomoku
        raise BoardZeroError(f"GM[{kind}] is not gomoku, which is GM[4]")
    game = _game_of(properties, given)
    tags = {tag: _first(properties, name) for tag, name in _TAGS.items() if name in properties}
    result = _result(_first(properties, "RE"))
    return GameTree(game, start=_start(properties, game), tags=tags, result=result)


def _game_of(properties: Properties, given: Game | None) -> Game:
    size = _first(properties, "SZ", "15").partition(":")[0]
    if not _is_small(size):
        raise BoardZeroError(f"SZ[{size[:20]}] is not the size of a board")
    rule = _first(properties, "RU")
    if rule.partition(":")[0] == "gomoku":
        return make(rule)
    named = next((name for name in _RULES if name in rule.lower()), None)
    fits = given is not None and given.traits.sgf and given.geometry.rows == int(size)
    if given is not None and fits and (named is None or f"rule={named}" in given.spec):
        return given
    return make(f"gomoku:size={size}" + (f",rule={named}" if named else ""))


def _start(properties: Properties, game: Game) -> State:
    stones = [
        (cell, seat, "stone")
        for seat, name in enumerate(("AB", "AW"))
        for point in properties.get(name, [])
        for cell in _cells(point, game)
    ]
    mover = _first(properties, "PL").upper()[:1]
    if not stones and mover != "W":
        return game.start()
    black = sum(seat == 0 for _, seat, _ in stones)
    to_move = "BW".index(mover) if mover in ("B", "W") else int(2 * black > len(stones))
    return compose(game, to_move, stones)


def _annotate(node: GameNode, properties: Properties, game: Game) -> None:
    node.comment = joined(node.comment, " ".join(map(_unescaped, properties.get("C", []))))
    for glyph, written in _GLYPHS.items():
        name, value = written[:2], written[3:-1]
        if name in properties and (not value or _first(properties, name, "1") in (value, "")):
            node.nags.append(glyph)
    node.nags += [int(nag) for nag in properties.get("NAG", []) if _is_small(nag)]
    value = _first(properties, "V")
    if re.fullmatch(r"-?[01](\.\d+)?", value) and abs(float(value)) <= 1:
        node.evaluation = Evaluation(0, float(value))
    elif value:
        node.comment = joined(node.comment, f"V[{value}]")
    for name, color in _SHAPES.items():
        for text in properties.get(name, []):
            node.arrows += [Arrow(cell, cell, color) for cell in _cells(text, game)]
    colors = {text.rpartition(":")[0]: text.rpartition(":")[2] for text in properties.get("AC", [])}
    for text in properties.get("AR", []):
        ends = text.split(":")
        color = next((c for c in COLORS if c == colors.get(text)), "green")
        if len(ends) == 2:
            node.arrows.append(Arrow(_cell(ends[0], game), _cell(ends[1], game), color))


def _is_small(number: str) -> bool:
    return number.isascii() and number.isdecimal() and len(number) <= 4


def _first(properties: Properties, name: str, otherwise: str = "") -> str:
    values = properties.get(name) or [otherwise]
    return joined("", _unescaped(values[0]))


def _cell(point: str, game: Game) -> int:
    """`hh`: column and row from the top left, as letters."""
    letters = point.strip().lower()
    size = game.geometry.rows
    numbers = [ord(c) - ord("a") for c in letters]
    if len(numbers) != 2 or not all(0 <= n < size for n in numbers):
        raise BoardZeroError(f"'{point[:20]}' is not a point of a board of {size}")
    return numbers[1] * size + numbers[0]


def _cells(text: str, game: Game) -> list[int]:
    """A point or, as `aa:cc`, all points of a rectangle."""
    first, colon, last = text.partition(":")
    if not colon:
        return [_cell(first, game)]
    size = game.geometry.rows
    (top, left), (bottom, right) = divmod(_cell(first, game), size), divmod(_cell(last, game), size)
    return [
        row * size + column for row in range(top, bottom + 1) for column in range(left, right + 1)
    ]


def _result(text: str) -> str:
    found = {"B": "1-0", "W": "0-1", "0": "1/2-1/2", "D": "1/2-1/2"}
    return found.get(text.strip().upper()[:1], "*")


# Writing.


def _in_order(tree: GameTree) -> Iterator[GameNode | None]:
    """Each node before what follows it; None where a line in parentheses ends."""
    waiting: list[GameNode | None] = [tree]
    while waiting:
        node = waiting.pop()
        if node is not tree:
            yield node
        if node is not None:
            forks = len(node.variations) > 1
            for child in reversed(node.variations):
                waiting += [None, child] if forks else [child]


def _root(tree: GameTree) -> str:
    game = tree.game
    size = game.geometry.rows
    options = dict(part.split("=") for part in game.spec.partition(":")[2].split(",") if part)
    rule = game.spec if "line" in options else options.get("rule", "freestyle")
    text = f"FF[4]GM[4]CA[UTF-8]AP[BoardZero]SZ[{size}]RU[{_escaped(rule)}]"
    text += "".join(
        f"{name}[{_escaped(tree.tags[tag])}]" for tag, name in _TAGS.items() if tree.tags.get(tag)
    )
    if tree.result in _RESULTS:
        text += f"RE[{_RESULTS[tree.result]}]"
    if not tree.begins_as_usual:
        for seat, name in enumerate(("AB", "AW")):
            points = [p.cell for p in tree.position.pieces() if p.owner == seat]
            text += name * bool(points) + "".join(f"[{_point(c, game)}]" for c in points)
        text += f"PL[{'BW'[tree.position.to_move]}]"
    return text + _notes(tree, game)


def _properties(node: GameNode, game: Game) -> str:
    assert node.move is not None
    assert node.parent is not None
    color = "BW"[node.parent.position.to_move]
    return f"{color}[{_point(node.move.path[0], game)}]{_notes(node, game)}"


def _notes(node: GameNode, game: Game) -> str:
    text = ""
    if comment := joined(node.starting_comment, node.comment):
        text += f"C[{_escaped(comment)}]"
    marks: dict[str, int] = {}  # a property stands once in a node
    for nag in (nag for nag in _GLYPHS if nag in node.nags):
        marks.setdefault(_GLYPHS[nag][:2], nag)
    text += "".join(_GLYPHS[nag] for nag in marks.values())
    others = [nag for nag in node.nags if nag not in marks.values()]
    text += "NAG" * bool(others) + "".join(f"[{nag}]" for nag in others)
    if node.evaluation is not None:
        sign = 1 if node.evaluation.seat == 0 else -1
        text += f"V[{sign * node.evaluation.value + 0:.3f}]"
    for name, color in _SHAPES.items():
        cells = [a.tail for a in node.arrows if a.tail == a.head and a.color == color]
        text += name * bool(cells) + "".join(f"[{_point(c, game)}]" for c in cells)
    lines = [a for a in node.arrows if a.tail != a.head]
    ends = [f"{_point(a.tail, game)}:{_point(a.head, game)}" for a in lines]
    text += "AR" * bool(ends) + "".join(f"[{pair}]" for pair in ends)
    colored = [f"[{e}:{a.color}]" for e, a in zip(ends, lines, strict=True) if a.color != "green"]
    return text + "AC" * bool(colored) + "".join(colored)


def _point(cell: int, game: Game) -> str:
    row, column = divmod(cell, game.geometry.rows)
    return chr(ord("a") + column) + chr(ord("a") + row)


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", re.sub(r"\\\n", "", text), flags=re.DOTALL)
