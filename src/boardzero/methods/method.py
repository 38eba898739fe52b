"""What a method says: which nets there are, what each learns, and which trees they evaluate for.

A method is data, and may have options of its own for a recipe to set. It becomes a `SearchPlan` for
the compiled search, and tells the trainer which examples each net learns from; neither knows any
method by name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pydantic import ValidationError

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.sections import Section, first_problem
from boardzero.models.search_plan import SearchPlan, TreePlan


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


class MethodOptions(Section):
    """What a recipe may set in [method_options]; the options of a method are a subclass."""


@dataclass(frozen=True, slots=True)
class Method:
    """A way to combine nets and trees.

    The first tree decides: its visits are the search's answer. A round is one of the recipe's
    `simulations`; in it the trees take their turns, the last tree first.
    """

    name: str
    about: str
    nets: tuple[Net, ...]
    trees: Callable[..., tuple[Tree, ...]]  # called with the options
    options: type[MethodOptions] = MethodOptions

    def read_options(self, given: Mapping[str, object]) -> MethodOptions:
        """The options that a recipe sets, checked, and the defaults of the others."""
        for name in given:
            if name not in self.options.model_fields:
                raise nearest(f"option of the method {self.name}", name, self.options.model_fields)
        try:
            return self.options.model_validate(given)
        except ValidationError as error:
            raise BoardZeroError(first_problem(error)) from None

    def plan(self, options: Mapping[str, object] = MappingProxyType({})) -> SearchPlan:
        """What the compiled search is told, with these options set."""
        places = {net.name: place for place, net in enumerate(self.nets)}
        trees = self.trees(self.read_options(options))
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
