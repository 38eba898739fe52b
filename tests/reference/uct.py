"""Monte-Carlo tree search as plainly as it can be written: a dictionary from paths to nodes.

A path is the tuple of actions from the root. Leaves are evaluated by a function and not by a
roll-out, so that the whole search is determined: it must agree with the fast one to the last visit.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from boardzero import State

Path = tuple[int, ...]
Evaluator = Callable[[State], Sequence[float]]


@dataclass
class Node:
    mover: int
    evaluated: Sequence[float]
    visits: int = 0
    mean: float = 0.0  # for the mover of the parent
    proven: Sequence[float] | None = None
    distance: int = 0  # actions to the end, if proven
    actions: list[int] = field(default_factory=list)


class ReferenceUct:
    def __init__(
        self, root: State, evaluate: Evaluator, *, selection: str, c: float, depth: int
    ) -> None:
        self.root = root
        self.evaluate = evaluate
        self.selection = selection
        self.c = c
        self.depth = depth
        self.nodes: dict[Path, Node] = {}

    def search(self, simulations: int) -> None:
        for _ in range(simulations):
            if () in self.nodes and self.nodes[()].proven:
                return
            self._simulate()

    def _simulate(self) -> None:
        path: Path = ()
        state = self.root.copy()
        while path in self.nodes and not self.nodes[path].proven and len(path) < self.depth:
            node = self.nodes[path]
            if not node.actions:
                node.actions = state.actions()
            action = max(node.actions, key=lambda a, path=path: self._score(path, a))
            state.play_action(action)
            path = (*path, action)
        if path not in self.nodes:
            self.nodes[path] = self._leaf(state)
        self._back_up(path)

    def _leaf(self, state: State) -> Node:
        outcome = state.outcome()
        if outcome is None:
            return Node(state.to_move, self.evaluate(state))
        return Node(state.to_move, outcome.values, proven=outcome.values)

    def _score(self, path: Path, action: int) -> float:
        parent = self.nodes[path]
        child = self.nodes.get((*path, action))
        visits = child.visits if child else 0
        mean = child.mean if child else parent.evaluated[parent.mover]
        if child and child.proven:
            return mean
        if self.selection == "ucb1":
            width = 1 / math.sqrt(visits) if visits else 1e9
            return mean + self.c * math.sqrt(math.log(parent.visits)) * width
        bonus = self.c
        if self.selection == "puct":
            bonus = self.c * math.sqrt(parent.visits) / len(parent.actions)
        return mean + bonus * (1 / (1 + visits))

    def _back_up(self, path: Path) -> None:
        leaf = self.nodes[path]
        values = leaf.proven or leaf.evaluated
        for length in range(len(path), -1, -1):
            node = self.nodes[path[:length]]
            if not node.proven:
                self._prove(path[:length])
            values = node.proven or values
            node.visits += 1
            chooser = self.nodes[path[: length - 1]].mover if length else node.mover
            node.mean += (values[chooser] - node.mean) / node.visits
            if node.proven:
                node.mean = values[chooser]

    def _prove(self, path: Path) -> None:
        node = self.nodes[path]
        children = [self.nodes.get((*path, a)) for a in node.actions]
        proven = [child for child in children if child and child.proven]
        if not proven:
            return

        def merit(child: Node) -> tuple[float, int]:
            assert child.proven is not None
            value = child.proven[node.mover]
            return value, -child.distance if value > 0 else child.distance

        best = max(proven, key=merit)
        if merit(best)[0] >= 1 or len(proven) == len(node.actions):
            node.proven = best.proven
            node.distance = best.distance + 1
