"""A game with all that is known about it: variations, comments, annotations, evaluations, arrows.

In the manner of python-chess's `Game` and `GameNode` (where `Game` is taken: here that is the
rules). A `GameTree` is the root, before the first move; each `GameNode` is a position and the move
that led to it. The first of a node's variations is the main line.

    tree = GameTree(boardzero.make("international"))
    node = tree.add_variation("32-28")
    node.add_variation("19-23", comment="The Roozenburg.", nags=[1])
    tree.add_variation("33-28")
    print(write_tree(tree))

Nothing here walks a tree by recursion: a line may be as long, and variations as deep, as memory is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from boardzero.base.errors import BoardZeroError

if TYPE_CHECKING:
    from boardzero.games.game import Game, Move, State

Color = Literal["green", "red", "yellow", "blue"]
COLORS: tuple[Color, ...] = ("green", "red", "yellow", "blue")


@dataclass(frozen=True, slots=True)
class Arrow:
    """Drawn from one cell to another, or around a cell that is both."""

    tail: int
    head: int
    color: Color = "green"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a position is worth to a seat, in [-1, 1] as an outcome is."""

    seat: int
    value: float

    def __post_init__(self) -> None:
        if not -1 <= self.value <= 1:
            raise BoardZeroError(f"an evaluation lies in [-1, 1], and {self.value} does not")


class GameNode:
    """A position of a game tree. Made by `add_variation`, never directly."""

    __slots__ = (
        "_position",
        "arrows",
        "comment",
        "evaluation",
        "move",
        "nags",
        "parent",
        "ply",
        "starting_comment",
        "variations",
    )

    def __init__(self, position: State, *, move: Move | None, parent: GameNode | None) -> None:
        self._position = position
        self.move = move  # None at the root
        self.parent = parent
        self.ply: int = 0 if parent is None else parent.ply + 1  # moves since the root
        self.variations: list[GameNode] = []
        self.comment = ""
        self.starting_comment = ""  # before the move, at the beginning of a variation
        self.nags: list[int] = []  # numeric annotation glyphs: 1 is "!", 2 is "?"
        self.evaluation: Evaluation | None = None
        self.arrows: list[Arrow] = []

    # Where it is

    @property
    def position(self) -> State:
        """The position, without what was played before. Not to be changed: `state` gives a copy."""
        return self._position

    def state(self) -> State:
        """The position with its history, as players want it."""
        path = self.path()
        state = path[0].position.copy()
        for node in path[1:]:
            assert node.move is not None
            state = open_again(state)
            state.play(node.move)
        return state

    def path(self) -> list[GameNode]:
        """The nodes from the root to this one."""
        nodes = [self]
        while nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        return nodes[::-1]

    def root(self) -> GameTree:
        """The tree that it belongs to."""
        node = self
        while node.parent is not None:
            node = node.parent
        assert isinstance(node, GameTree)
        return node

    def moves(self) -> list[Move]:
        """The moves that lead here from the root."""
        return [node.move for node in self.path() if node.move is not None]

    # What follows

    def next(self) -> GameNode | None:
        """The next node of the main line."""
        return self.variations[0] if self.variations else None

    def end(self) -> GameNode:
        """The last node of the main line from here."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def mainline(self) -> Iterator[GameNode]:
        """The nodes that follow on the main line."""
        node = self.next()
        while node is not None:
            yield node
            node = node.next()

    def walk(self) -> Iterator[GameNode]:
        """This node and all below it, each before what follows it, main lines first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.variations)

    def is_main_variation(self) -> bool:
        """Whether it is the first of the moves that follow its parent."""
        return self.parent is None or self.parent.variations[0] is self

    def is_mainline(self) -> bool:
        """Whether it is on the main line of the whole game."""
        return all(node.is_main_variation() for node in self.path())

    def variation(self, move: Move | str) -> GameNode:
        """The node that a move leads to."""
        wanted = str(self._parsed(move))
        for node in self.variations:
            if str(node.move) == wanted:
                return node
        raise BoardZeroError(f"there is no variation {wanted} here")

    def has_variation(self, move: Move | str) -> bool:
        """Whether a move from here is in the tree."""
        wanted = str(self._parsed(move))
        return any(str(node.move) == wanted for node in self.variations)

    # Changing it

    def add_variation(
        self,
        move: Move | str,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> GameNode:
        """The node after a legal move, new or, where the move is known, the one that is there."""
        made = self._parsed(move)
        text = str(made)
        node = next((node for node in self.variations if str(node.move) == text), None)
        if node is None:
            after = without_history(open_again(self._position).after(made))
            node = GameNode(after, move=made, parent=self)
            self.variations.append(node)
        node.comment = joined(node.comment, comment)
        node.starting_comment = joined(node.starting_comment, starting_comment)
        node.nags += [nag for nag in nags if nag not in node.nags]
        return node

    def add_main_variation(self, move: Move | str, *, comment: str = "") -> GameNode:
        """The same, and make it the main line."""
        node = self.add_variation(move, comment=comment)
        node.promote_to_main()
        return node

    def add_line(self, moves: Iterable[Move | str], *, comment: str = "") -> GameNode:
        """Moves that follow each other; the comment goes to the last."""
        node = self
        for move in moves:
            node = node.add_variation(move)
        node.comment = joined(node.comment, comment)
        return node

    def promote(self) -> None:
        """One place up among the variations of its parent."""
        if self.parent is not None and not self.is_main_variation():
            among = self.parent.variations
            at = among.index(self)
            among[at - 1], among[at] = self, among[at - 1]

    def demote(self) -> None:
        """One place down."""
        if self.parent is not None and self.parent.variations[-1] is not self:
            among = self.parent.variations
            at = among.index(self)
            among[at + 1], among[at] = self, among[at + 1]

    def promote_to_main(self) -> None:
        """First among the variations of its parent."""
        if self.parent is not None:
            self.parent.variations.remove(self)
            self.parent.variations.insert(0, self)

    def remove(self) -> None:
        """Take it and all that follows out of the tree."""
        if self.parent is None:
            raise BoardZeroError("the beginning of a game cannot be removed")
        self.parent.variations.remove(self)

    def _parsed(self, move: Move | str) -> Move:
        return open_again(self._position).parse(move) if isinstance(move, str) else move

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at ply {self.ply}: {self.move or 'the beginning'}>"


class GameTree(GameNode):
    """A game from its beginning: the rules, the tags (names, date, event) and the result."""

    __slots__ = ("game", "result", "tags")

    def __init__(
        self,
        game: Game,
        *,
        start: State | None = None,
        tags: Mapping[str, str] | None = None,
        result: str = "*",
    ) -> None:
        super().__init__(without_history(start or game.start()), move=None, parent=None)
        self.game = game
        self.tags = dict(tags or {})
        self.result = result  # points of who begins and of the other; "*" while unknown

    @classmethod
    def of(
        cls, state: State, *, tags: Mapping[str, str] | None = None, result: str = "*"
    ) -> GameTree:
        """The game that led to a state."""
        start = state.copy()
        while start.history:
            start.undo()
        moves = start.moves_of(state.played_actions)
        tree = cls(state.game, start=start, tags=tags, result=result)
        tree.add_line(moves)
        return tree

    @property
    def begins_as_usual(self) -> bool:
        """Whether it begins where the game does."""
        return self.position == self.game.start()


def open_again(state: State) -> State:
    """The state or, if it is drawn, its position with all counters at zero.

    People may play on past a draw that nobody claimed.
    """
    outcome = state.outcome()
    drawn = outcome is not None and outcome.winner is None
    return state.game.parse_fen(state.fen()) if drawn else state


def without_history(state: State) -> State:
    """The same position; sharing no list of what came before keeps long lines small."""
    return type(state)(state.game, state.native)


def joined(text: str, more: str) -> str:
    """Two comments as one, spaces made single."""
    return " ".join(f"{text} {more}".split())
