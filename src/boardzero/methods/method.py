"""What a method says: which nets there are, what each learns, and which trees they evaluate for.

A method is data. It becomes a `SearchPlan` for the compiled search, and tells the trainer which
examples each net learns from; neither knows any method by name.
"""

from collections.abc import Callable
from dataclasses import dataclass

from boardzero.models.search_config import SearchConfig
from boardzero.models.search_plan import SearchPlan, TreePlan

__all__ = ["Method", "Net", "Tree"]


@dataclass(frozen=True, slots=True)
class Net:
    """A net by its role. A recipe's [nets.NAME] says where it differs from [net]."""

    name: str
    stages: tuple[int, ...] | None = None  # of the game, whose examples it learns; None: all


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree of the search."""

    nets: tuple[str, ...]  # which evaluates a state, by the game's stage; a single one all
    turns: int = 1  # simulations in each round
    follows: int | None = None  # the tree whose visits lead the way in this one
    value_share: float = 1.0  # of this tree in the value that all trees share of a state
    prior_share: float = 1.0  # and in the priors


@dataclass(frozen=True, slots=True)
class Method:
    """A way to combine nets and trees.

    The first tree decides: its visits are the search's answer. A round is one of the recipe's
    `simulations`; in it the trees take their turns, the last tree first.
    """

    name: str
    about: str
    nets: tuple[Net, ...]
    trees: Callable[[SearchConfig], tuple[Tree, ...]]

    def plan(self, search: SearchConfig) -> SearchPlan:
        """What the compiled search is told."""
        places = {net.name: place for place, net in enumerate(self.nets)}
        trees = self.trees(search)
        return SearchPlan(
            trees=tuple(
                TreePlan(
                    nets=tuple(places[name] for name in tree.nets),
                    follows=tree.follows,
                    value_share=tree.value_share,
                    prior_share=tree.prior_share,
                )
                for tree in trees
            ),
            turns=tuple(
                place for place, tree in reversed([*enumerate(trees)]) for _ in range(tree.turns)
            ),
        )
