"""Puts what a text says, piece by piece, into a tree. Variations wait on a stack, however deep.

A line in which something is wrong ends there; what stands in it later is passed over, and what
stands in other lines is not.
"""

from __future__ import annotations

from boardzero.games.game import Game, Move, State
from boardzero.games.notation.annotations import read_comment
from boardzero.games.tree import GameNode, GameTree, joined, open_again


class TreeBuilder:
    """The tree so far, and where in it the text goes on."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self._node: GameNode | None = tree  # None where a line has ended before its time
        self._opened: list[GameNode | None] = []  # where the lines go on that variations interrupt
        self._starting = ""  # a comment before the first move of a variation
        self._fresh = False  # such a move is next

    @property
    def game(self) -> Game:
        return self.tree.game

    @property
    def in_variation(self) -> bool:
        return bool(self._opened)

    @property
    def has_moves(self) -> bool:
        return bool(self.tree.variations)

    @property
    def position(self) -> State | None:
        """Where the next move is played; None in a line that is lost."""
        return None if self._node is None else open_again(self._node.position)

    def move(self, move: Move) -> None:
        if self._node is not None:
            self._node = self._node.add_variation(move, starting_comment=self._starting)
            self._fresh, self._starting = False, ""
            if not self._opened:  # a variation may have begun with the same move
                self._node.promote_to_main()

    def comment(self, text: str) -> None:
        if self._fresh:
            self._starting = joined(self._starting, text)
        elif self._node is not None:
            read_comment(self._node, self.game, text)

    def nag(self, glyph: int | None) -> None:
        node = self._node
        if node is not None and glyph is not None and not self._fresh and glyph not in node.nags:
            node.nags.append(glyph)

    def open(self) -> bool:
        """A variation begins, with another move than the last one; False if there is none."""
        node = self._node
        self._opened.append(node)
        if node is None:
            return True
        if node.parent is None or self._fresh:
            self.lose()
            return False
        self._node, self._fresh = node.parent, True
        return True

    def close(self) -> None:
        self._node = self._opened.pop()
        self._fresh, self._starting = False, ""

    def lose(self) -> None:
        """This line cannot be followed any more."""
        self._node, self._fresh, self._starting = None, False, ""
