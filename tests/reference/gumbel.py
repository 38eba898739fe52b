"""A Gumbel root without noise, with dictionaries: sequential halving over a PUCT tree.

Follows the text of Danihelka and others (2022): rounds in which the actions that are left get equal
numbers of simulations, after each of which the better half stays.
"""

from math import ceil, exp, log, log2

from boardzero import State
from tests.reference.puct import LOST, Puct, Values


class Gumbel(Puct):
    considered = 16
    c_visit = 50.0
    c_scale = 1.0

    def search(self, root: State) -> dict[int, int]:
        self.mover = root.to_move
        self.top = self.name(root, ())
        self.expand(self.top, *self.evaluate(root))
        self.root = root
        left = min(self.considered, len(root.actions()))
        rounds = max(1, ceil(log2(left)))
        few = min(2, left)
        had = 0  # visits of every action that is still in
        while True:
            for _ in range(max(1, self.options.simulations // (rounds * left))):
                for _ in range(left):
                    if self.over():
                        return self.root_visits()
                    equal = [a for a, visits in self.root_visits().items() if visits == had]
                    self.forced_action = max(equal, key=self.rating)
                    self.simulate(self.top, root.copy())
                had += 1
            left = max(few, left // 2)

    def over(self) -> bool:
        spent = sum(self.root_visits().values()) >= self.options.simulations
        return spent or self.top in self.proven

    def root_visits(self) -> dict[int, int]:
        return {action: self.visits[self.top, action] for action in self.root.actions()}

    def choose(self, node: object, mover: int) -> int:
        return self.forced_action if node == self.top else super().choose(node, mover)

    def best(self) -> int:
        """The action to play: the best rated of those tried most."""
        most = max(self.root_visits().values())
        return max(
            (a for a in self.root.actions() if self.visits[self.top, a] == most), key=self.rating
        )

    def policy(self) -> dict[int, float]:
        """What should be learned."""
        ratings = {action: self.rating(action) for action in self.root.actions()}
        top = max(ratings.values())
        total = sum(exp(r - top) for r in ratings.values())
        return {action: exp(r - top) / total for action, r in ratings.items()}

    def rating(self, action: int) -> float:
        sure = self.sure(action)
        lost = LOST if sure is not None and sure[self.mover] <= -1 else 0.0
        most = max(self.root_visits().values())
        tried = self.visits[self.top, action] > 0
        value = self.value(action) if tried else self.value_of_untried()
        weight = (self.c_visit + most) * self.c_scale
        return log(self.priors[self.top][action]) + weight * (value + 1) / 2 + lost

    def sure(self, action: int) -> Values | None:
        return self.proven.get(self.children.get((self.top, action), "nothing there"))

    def value(self, action: int) -> float:
        sure = self.sure(action)
        if sure is not None:
            return sure[self.mover]
        return self.totals[self.top, action] / self.visits[self.top, action]

    def value_of_untried(self) -> float:
        priors = self.priors[self.top]
        tried = [action for action in priors if self.visits[self.top, action]]
        evaluated = self.evaluated[self.top][self.mover]
        if not tried:
            return evaluated
        mean = sum(priors[a] * self.value(a) for a in tried) / sum(priors[a] for a in tried)
        visits = sum(self.root_visits().values())
        return (evaluated + visits * mean) / (1 + visits)
