"""How a tree is searched with a net: the options that recipes, model cards and players share."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from boardzero import _core
from boardzero.base.sections import Section
from boardzero.models.native_options import fill
from boardzero.models.search_plan import SearchPlan

MOST_SIMULATIONS = 10_000_000  # of a move; no tree of more would fit into memory


class SearchConfig(Section):
    """Options of the PUCT search; a recipe's [search] section and a model card's `search`.

    What each knob does is said by `SearchOptions` in cpp/search/mcts/search.hpp.
    """

    simulations: int = Field(50, ge=1, le=MOST_SIMULATIONS)  # for each move
    formula: Literal["alphazero", "meng"] = "alphazero"  # that selects; Meng 2020 has its own
    c_puct: float = Field(1.25, gt=0)  # weight of exploration against values
    c_base: float = Field(19652, gt=0)  # visits at which that weight begins to grow
    first_play: Literal["parent", "zero"] = "parent"  # the value of what was not tried yet
    first_play_reduction: float = Field(0.2, ge=0)  # what the parent's is lessened by
    root: Literal["puct", "gumbel"] = "puct"
    # gumbel: sampled without replacement and halved by what is found; strong with few simulations
    considered: int = Field(16, ge=2, le=100_000)  # actions that a Gumbel root tries at all
    c_visit: float = Field(50.0, ge=0)  # of a Gumbel root; see `c_scale`
    c_scale: float = Field(1.0, gt=0)  # its values weigh (c_visit + most visits) c_scale
    forced: Literal["skip", "heuristic", "evaluate"] = "skip"  # states with a single action:
    # go on to the next choice, take the game's heuristic value, or ask the net
    depth_limit: int = Field(512, ge=1, le=100_000)  # steps; longer lines get the heuristic value
    proven: bool = True  # back up proven results
    transpositions: bool = False  # one node per position, however reached; leaves `proven` out
    child_values: bool = False  # a new state's children are all evaluated, and begin with that
    # value and one visit (Wang 2018); for methods with one tree
    random_ties: bool = False  # of equally good edges any is taken, not the first
    noise_weight: float = Field(0.0, ge=0, le=1)  # share of noise in a root's priors, in self-play
    noise_alpha: float = Field(0.3, gt=0)  # of that noise, which is Dirichlet's
    forced_playouts: float = Field(0.0, ge=0)  # in self-play with root = "puct", an action of the
    # root that was tried gets sqrt(this * prior * visits) visits; targets leave out what was forced

    @model_validator(mode="after")
    def _fits_together(self) -> SearchConfig:
        if self.child_values and (self.transpositions or self.root != "puct"):
            raise ValueError("child_values needs root = 'puct' and no transpositions")
        return self

    def native(
        self,
        *,
        noise: bool,
        simulations: int | None = None,
        plan: SearchPlan | None = None,
        memory: int = 0,
    ) -> _core.SearchOptions:
        """As the compiled search takes it, with or without noise at the root.

        `memory` bounds the trees, in bytes; 0 does not.
        """
        plan = plan or SearchPlan()
        return fill(
            _core.SearchOptions(),
            self,
            plan,
            simulations=(simulations or self.simulations) * len(plan.turns),
            noise_weight=self.noise_weight if noise else 0.0,
            memory=memory,
        )
