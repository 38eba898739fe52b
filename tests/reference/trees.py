"""Several trees on one search, with dictionaries: Meng 2020, algorithm 5.

Each tree is a `Puct` with its own tables of visits, values and priors. What they share: the names
of nodes, what is proven, and, once every tree has a node, their nets' evaluation of it.
"""

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from boardzero import State
from tests.reference.puct import Evaluator, Options, Puct, Values, play_single_replies


class MultiTree:
    """A small tree and a large one: `trees[0]` decides, `trees[1]` follows its visits."""

    def __init__(
        self,
        evaluators: Sequence[Evaluator],  # the small tree's and the large tree's
        heuristic: Callable[[State], Values],
        options: Options,
        *,
        budget: int = 8,
        alpha: float = 0.5,
        beta: float = 0.0,
    ) -> None:
        self.trees = [Puct(evaluate, heuristic, options) for evaluate in evaluators]
        small, large = self.trees
        large.proven, large.children = small.proven, small.children
        self.heuristic = heuristic
        self.options = options
        self.budget = budget
        self.alpha = alpha
        self.beta = beta

    def search(self, root: State) -> None:
        top = self.trees[0].name(root, ())
        for tree in self.trees:
            tree.expand(top, *tree.evaluate(root))
        self.share(top)
        for i in range(self.options.simulations * (self.budget + 1)):
            if top in self.trees[0].proven:
                break
            self.simulate(i % (self.budget + 1) == 0, top, root.copy())

    def simulate(self, is_large: bool, node: Hashable, state: State) -> None:
        tree = self.trees[is_large]
        line: tuple[int, ...] = ()
        steps: list[tuple[Hashable, int, int]] = []
        values: Values | None = None
        while values is None and len(steps) < self.options.depth_limit:
            action = self.choose(is_large, node, state.to_move)
            steps.append((node, state.to_move, action))
            state.play_action(action)
            line += (action,)
            parent, node = node, tree.name(state, line)
            tree.children[parent, action] = node
            if self.options.forced == "skip":
                play_single_replies(state)
            is_new = node not in tree.priors
            values = tree.arrive(node, state)
            if is_new and node in tree.priors:
                self.share(node)
                values = tree.evaluated[node]
        if values is None:
            values = self.heuristic(state)
        for place, mover, action in steps:
            tree.visits[place, action] += 1
            tree.totals[place, action] += values[mover]
            tree.node_visits[place] += 1
        for place, mover, _ in reversed(steps):
            tree.prove(place, mover)

    def choose(self, is_large: bool, node: Hashable, mover: int) -> int:
        """In the large tree, an action that the small tree has tried counts by its visits there."""
        small, tree = self.trees[0], self.trees[is_large]
        best, best_score = -1, float("-inf")
        for action in tree.priors[node]:
            score = tree.score(node, mover, action)
            sure = tree.proven.get(tree.children.get((node, action), "nothing there"))
            lost = sure is not None and sure[mover] <= -1
            if is_large and small.visits[node, action] > 0 and not lost:
                score = small.visits[node, action]
            if score > best_score:
                best, best_score = action, score
        return best

    def share(self, node: Hashable) -> None:
        """Meng 2020, eq. 4.1 and 4.2, once both nets have spoken."""
        small, large = self.trees
        if node not in small.priors or node not in large.priors:
            return
        values = tuple(
            mixed(self.alpha, s, b)
            for s, b in zip(small.evaluated[node], large.evaluated[node], strict=True)
        )
        priors = {
            action: mixed(self.beta, small.priors[node][action], large.priors[node][action])
            for action in small.priors[node]
        }
        for tree in self.trees:
            tree.evaluated[node] = values
            tree.priors[node] = dict(priors)


def mixed(share: float, small: float, large: float) -> float:
    return float(np.float32(share * small + (1 - share) * large))
