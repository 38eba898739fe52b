"""Forced playouts and the pruning of their targets, with dictionaries.

Section 3.2 of Wu, "Accelerating self-play learning in Go": at the root a child with a visit gets at
least sqrt(k P N) of them; a target leaves out the forced ones that PUCT would not have made.
"""

from collections.abc import Callable, Hashable
from math import sqrt

from boardzero import State
from tests.reference.puct import Evaluator, Options, Puct, Values

TOP: Hashable = ()


class ForcedPlayouts(Puct):
    def __init__(
        self,
        evaluate: Evaluator,
        heuristic: Callable[[State], Values],
        options: Options,
        strength: float,
    ):
        super().__init__(evaluate, heuristic, options)
        self.strength = strength

    def choose(self, node: Hashable, mover: int) -> int:
        if node == TOP:
            for action in self.priors[TOP]:
                sure = self.proven.get(self.children.get((TOP, action), "nothing there"))
                lost = sure is not None and sure[mover] <= -1
                if 0 < self.visits[TOP, action] < self.forced(action) and not lost:
                    return action
        return super().choose(node, mover)

    def forced(self, action: int) -> float:
        return sqrt(self.strength * self.priors[TOP][action] * self.node_visits[TOP])

    def target(self, mover: int) -> dict[int, float]:
        """The policy to learn, without zeros."""
        tried = {action: self.visits[TOP, action] for action in self.priors[TOP]}
        most = max(tried, key=lambda action: tried[action])  # the first of them
        bar = self.score(TOP, mover, most)
        kept = {most: tried[most]}
        for action, visits in tried.items():
            if action == most or visits == 0:
                continue
            removed = 0
            while (
                removed < visits
                and removed < self.forced(action)
                and self.score(TOP, mover, action, visits - removed - 1) < bar
            ):
                removed += 1
            if visits - removed > 1:
                kept[action] = visits - removed
        return {action: visits / sum(kept.values()) for action, visits in kept.items()}
