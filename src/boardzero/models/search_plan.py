"""Which nets evaluate for a search, and in which trees: what a method comes to, as plain data.

A model's card carries its plan, so that whoever plays it needs no method.
"""

from pydantic import Field

from boardzero.base.sections import Section


class TreePlan(Section):
    """One tree of a search."""

    nets: tuple[int, ...] = Field((0,), min_length=1)
    # which net evaluates a state, by the game's stage; a single one evaluates all
    follows: int | None = None  # the tree whose visits lead the way in this one
    value_share: float = 1.0  # of its net in the value that all trees share of a state
    prior_share: float = 1.0  # the same of the priors; the trees' shares sum to 1


class SearchPlan(Section):
    """Trees that grow together; the visits of the first one decide."""

    trees: tuple[TreePlan, ...] = Field((TreePlan(),), min_length=1)
    turns: tuple[int, ...] = Field((0,), min_length=1)
    # whose simulation comes next, over and over; once through is one of the recipe's simulations
