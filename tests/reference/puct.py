"""PUCT search with dictionaries: Meng 2020, algorithm 1 with eq. 2.1 and 2.2.

Slow and without cleverness. Every quantity has one value per player and is never negated. A node
is named by the actions that lead to it, or by its position where equal positions are one node.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import log, sqrt

from boardzero import State

EPS = 1e-8
LOST = -1e6  # puts a lost action below all others

Values = tuple[float, ...]  # one per seat
Evaluator = Callable[[State], tuple[dict[int, float], Values]]  # priors by action, and values


@dataclass(frozen=True)
class Options:
    simulations: int = 50
    formula: str = "meng"
    c_puct: float = 1.0
    c_base: float = 19652
    first_play: str = "zero"
    first_play_reduction: float = 0.2
    forced: str = "evaluate"
    depth_limit: int = 512
    proven: bool = False
    transpositions: bool = False
    child_values: bool = False


class Puct:
    def __init__(self, evaluate: Evaluator, heuristic: Callable[[State], Values], options: Options):
        self.evaluate = evaluate
        self.heuristic = heuristic
        self.options = options
        self.priors: dict[Hashable, dict[int, float]] = {}
        self.evaluated: dict[Hashable, Values] = {}
        self.proven: dict[Hashable, Values] = {}
        self.children: dict[tuple[Hashable, int], Hashable] = {}
        self.node_visits: dict[Hashable, int] = defaultdict(int)
        self.visits: dict[tuple[Hashable, int], int] = defaultdict(int)
        self.totals: dict[tuple[Hashable, int], float] = defaultdict(float)

    def search(self, root: State) -> dict[int, int]:
        """How often each action of the root was tried."""
        top = self.name(root, ())
        self.expand(top, *self.evaluate(root))
        if self.options.child_values:
            self.score_children(top, (), root)
        for _ in range(self.options.simulations):
            if top in self.proven:
                break
            self.simulate(top, root.copy())
        return {action: self.visits[top, action] for action in root.actions()}

    def simulate(self, node: Hashable, state: State) -> None:
        line: tuple[int, ...] = ()
        steps: list[tuple[Hashable, int, int]] = []  # node, its mover, the action taken
        while len(steps) < self.options.depth_limit:
            if self.options.child_values and not self.node_visits[node]:
                self.score_children(node, line, state)
                values = self.evaluated[node]
                break
            action = self.choose(node, state.to_move)
            steps.append((node, state.to_move, action))
            state.play_action(action)
            line += (action,)
            parent, node = node, self.name(state, line)
            self.children[parent, action] = node
            if self.options.forced == "skip":
                play_single_replies(state)
            values = self.arrive(node, state)
            if values is not None:
                break
        else:
            values = self.heuristic(state)
        for place, mover, action in steps:
            self.visits[place, action] += 1
            self.totals[place, action] += values[mover]
            self.node_visits[place] += 1
        for place, mover, _ in reversed(steps):
            self.prove(place, mover)

    def score_children(self, node: Hashable, line: tuple[int, ...], state: State) -> None:
        """Wang 2018, section 4.2.2: each child begins with its own value, as if visited once."""
        for action in self.priors[node]:
            after = state.copy()
            after.play_action(action)
            child = self.children[node, action] = self.name(after, (*line, action))
            values = self.arrive(child, after)
            assert values is not None
            self.visits[node, action] = 1
            self.totals[node, action] = values[state.to_move]
            self.node_visits[node] += 1
        self.prove(node, state.to_move)

    def arrive(self, node: Hashable, state: State) -> Values | None:
        """What ends the simulation here, or None if it goes on."""
        outcome = state.outcome()
        if outcome is not None:
            if self.options.proven:
                self.proven[node] = tuple(outcome.values)
            return tuple(outcome.values)
        if node in self.proven:
            return self.proven[node]
        if node in self.priors:
            return None
        actions = state.actions()
        if len(actions) == 1 and self.options.forced == "heuristic":
            self.expand(node, {actions[0]: 1.0}, self.heuristic(state))
        else:
            self.expand(node, *self.evaluate(state))
        return self.evaluated[node]

    def name(self, state: State, line: tuple[int, ...]) -> Hashable:
        return state.key() if self.options.transpositions else line

    def expand(self, node: Hashable, priors: dict[int, float], values: Values) -> None:
        self.priors[node] = priors
        self.evaluated[node] = values

    def choose(self, node: Hashable, mover: int) -> int:
        """The first of the actions with the highest score."""
        best, best_score = -1, float("-inf")
        for action in self.priors[node]:
            score = self.score(node, mover, action)
            if score > best_score:
                best, best_score = action, score
        return best

    def score(self, node: Hashable, mover: int, action: int, counted: int | None = None) -> float:
        """Q + U; the visits in U are as counted, if something else is than what was tried."""
        prior = self.priors[node][action]
        total, tried = self.node_visits[node], self.visits[node, action]
        counted = tried if counted is None else counted
        sure = self.proven.get(self.children.get((node, action), "nothing there"))
        if self.options.formula == "meng":
            c = self.options.c_puct
            if tried == 0:
                return c * prior * sqrt(total + EPS)  # Meng 2020, eq. 2.2
            q = self.totals[node, action] / tried if sure is None else sure[mover]
            u = c * prior * sqrt(total) / (1 + counted)  # Meng 2020, eq. 2.1
        else:
            c = self.options.c_puct + log((1 + total + self.options.c_base) / self.options.c_base)
            if tried == 0:
                q = self.first_play(node, mover)
            else:
                q = self.totals[node, action] / tried if sure is None else sure[mover]
            u = prior * (c * sqrt(max(total, 1))) / (1 + counted)
        return q + u + (LOST if sure is not None and sure[mover] <= -1 else 0)

    def first_play(self, node: Hashable, mover: int) -> float:
        if self.options.first_play == "zero":
            return 0.0
        known = sum(p for a, p in self.priors[node].items() if self.visits[node, a])
        return self.evaluated[node][mover] - self.options.first_play_reduction * sqrt(known)

    def prove(self, node: Hashable, mover: int) -> None:
        """A node is certain if its mover has a sure win, or if every reply is certain."""
        replies = [self.proven.get(self.children.get((node, a), "")) for a in self.priors[node]]
        sure = [values for values in replies if values is not None]
        best = max(sure, key=lambda values: values[mover], default=None)
        if best is not None and (best[mover] >= 1 or len(sure) == len(replies)):
            self.proven[node] = best


def play_single_replies(state: State) -> None:
    while state.outcome() is None and len(state.actions()) == 1:
        state.play_action(state.actions()[0])
