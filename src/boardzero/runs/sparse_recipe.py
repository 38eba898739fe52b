"""Recipes of sparse nets (NNUE): games by a fast search in the core, and learning there too.

Everything is counted in games, so that a game is told by its number and a killed run plays the same
ones again; how many positions that is depends on the game. Every number has a bound.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from boardzero.base.sections import Section
from boardzero.games import make
from boardzero.models.search_config import MOST_SIMULATIONS, SearchConfig
from boardzero.models.sparse import SPARSE
from boardzero.runs.recipe import Arrangement, GateRule, SelfPlayRecipe

_MOST_NODES = 1_000_000_000
_MOST_GAMES = 10_000_000


class SparseNetConfig(Section):
    """The net; what it sees is the game's to say."""

    hidden: int = Field(128, ge=32, le=512, multiple_of=32)  # width of the accumulator
    policy: bool = False  # whether it also learns which moves the search likes: priors for PUCT


class ScoredPlayConfig(Section):
    """How games are played for learning. `ScoredGameOptions` in cpp/selfplay has the same names."""

    search: Literal["alphabeta", "puct"] = "alphabeta"  # of more than two players, max^n
    games: int = Field(3000, ge=1, le=_MOST_GAMES)  # per iteration
    nodes: int = Field(500, ge=1, le=_MOST_NODES)  # for each move; of PUCT its simulations
    first_games: int = Field(5000, ge=1, le=_MOST_GAMES)  # of the first iteration
    first_nodes: int = Field(0, ge=0, le=_MOST_NODES)  # for each move of these; 0: at random
    early_iterations: int = Field(2, ge=0, le=1000)  # after the first, with `early_nodes`
    early_nodes: int = Field(125, ge=1, le=_MOST_NODES)  # for each move of these
    least_random: int = Field(6, ge=0, le=200)  # random moves that a game begins with, at least
    most_random: int = Field(12, ge=0, le=200)  # and at most
    lopsided: float = Field(0.8, gt=0, le=1)  # an opening of more value to one side is not played
    decided: float = Field(0.98, gt=0, le=1)  # value to one side that is as good as won
    decided_moves: int = Field(6, ge=1, le=10_000)  # `decided` so long, a game ends
    most_moves: int = Field(400, ge=1, le=20_000)  # a longer game is a draw

    @model_validator(mode="after")
    def _in_order(self) -> ScoredPlayConfig:
        if self.least_random > self.most_random:
            raise ValueError("least_random must not be more than most_random")
        return self


class SparseSearchConfig(Section):
    """PUCT in self-play, in the gate, and as players take it; `SearchConfig` says what is what."""

    c_puct: float = Field(1.25, gt=0, le=1000)  # weight of exploration against values
    first_play_reduction: float = Field(0.2, ge=0, le=10)  # of the value of what was not tried yet
    noise_weight: float = Field(0.25, ge=0, le=1)  # share of noise in priors, in self-play
    noise_alpha: float = Field(0.3, gt=0, le=1000)  # of the noise, which is Dirichlet's

    def full(self, *, simulations: int = 1) -> SearchConfig:
        """With everything else as usual."""
        return SearchConfig(simulations=min(simulations, MOST_SIMULATIONS), **self.model_dump())


class SparseReplayConfig(Section):
    """Which games are learned from: the latest ones."""

    positions: int = Field(3_000_000, ge=1, le=1_000_000_000)  # the latest so many
    first_until: int = Field(3, ge=1, le=65_535)  # the last iteration that learns from the games of
    # the first, which were played at random


class SparseLearnConfig(Section):
    """How the net is fitted to the games."""

    lr: float = Field(0.001, gt=0, le=1)  # the learning rate, of Adam
    final_lr: float = Field(0.0001, gt=0, le=1)  # reached along a cosine, after `decay`
    decay: int = Field(15_000, ge=1, le=1_000_000_000)  # batches until `final_lr`
    batch_size: int = Field(8192, ge=1, le=1_000_000)  # positions
    uses: float = Field(7, gt=0, le=1000)  # how often each position is learned, on average
    result_share: float = Field(0.5, ge=0, le=1)  # of results in targets; the rest is the search's
    weight_decay: float = Field(0.0, ge=0, le=1)  # pulls the patterns' weights towards 0
    policy_weight: float = Field(1.0, ge=0, le=100)  # of the policy's loss beside the value's


class SparseGateConfig(GateRule):
    """The match with the best version: the same search at equal nodes, each opening twice."""

    games: int = Field(200, ge=0, le=100_000, multiple_of=2)  # of the match; 0: no gate
    nodes: int = Field(1000, ge=1, le=_MOST_NODES)  # for each move


class SparseRecipe(SelfPlayRecipe):
    """Everything about a run that trains a sparse net."""

    models: ClassVar = SPARSE
    packages: ClassVar = ()
    has_policies: ClassVar = False

    method: Literal["nnue"] = "nnue"  # says that a sparse net is trained
    seed: int = Field(1, ge=0, le=2**31 - 1)  # of all that is drawn at random
    net: SparseNetConfig = SparseNetConfig()
    selfplay: ScoredPlayConfig = ScoredPlayConfig()
    search: SparseSearchConfig = SparseSearchConfig()
    replay: SparseReplayConfig = SparseReplayConfig()
    learn: SparseLearnConfig = SparseLearnConfig()
    gate: SparseGateConfig = SparseGateConfig()
    run: Arrangement = Arrangement()

    def games_of(self, iteration: int) -> range:
        first, games = self.selfplay.first_games, self.selfplay.games
        if iteration == 1:
            return range(first)
        return range(first + (iteration - 2) * games, first + (iteration - 1) * games)

    def nodes_of(self, number: int) -> int:
        """For each move of the game of this number."""
        play = self.selfplay
        if number < play.first_games:
            return play.first_nodes
        late = (number - play.first_games) // play.games >= play.early_iterations
        return play.nodes if late else play.early_nodes

    @property
    def games_at_once(self) -> int:
        return 16

    @property
    def player(self) -> str:
        if self.selfplay.search == "puct":
            return "zero"
        return "alphabeta" if make(self.game).players == 2 else "maxn"

    def versions_as_players(self, budget: int | None = None) -> dict[str, str]:
        name = "sims" if self.player == "zero" else "nodes"
        return {name: str(self.gate.nodes if budget is None else budget)}
