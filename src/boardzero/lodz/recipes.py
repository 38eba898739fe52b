"""The recipes of nets that pick a piece, then its move: from games of others, or deep Q-learning.

Where a default has no source, it is that of Ocheretian 2022.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from boardzero.base.sections import Section
from boardzero.lodz.dense_net import Loss
from boardzero.lodz.events import ChoicesTested, CyclesDone, DataMade, EpochFitted, SamplesSplit
from boardzero.lodz.nets import PickingConfig
from boardzero.lodz.picker import PICKED
from boardzero.runs.recipe import AnyRecipe


class SupervisedLearnConfig(Section):
    """How the nets are fitted; the defaults are those of Ocheretian 2022 and of Keras."""

    epochs: int = Field(50, ge=1)  # passes over the data
    batch_size: int = Field(32, ge=1, le=65_536)  # positions
    loss: Loss = "mse"  # squared errors, or cross-entropy
    lr: float = Field(0.001, gt=0)  # the learning rate, of RMSprop
    final_lr: float | None = Field(None, gt=0)  # reached in even steps; None: all the same
    decay: float = Field(0.9, ge=0, lt=1)  # of RMSprop's mean squares
    epsilon: float = Field(1e-7, gt=0)  # added to RMSprop's divisor
    holdout: float = Field(0.02, ge=0, lt=1)  # share of positions that is not learned
    versions: int = Field(5, ge=1, le=10_000)  # archived on the way, the last at the end


class SupervisedRecipe(AnyRecipe):
    """A run that learns from a data set."""

    models: ClassVar = PICKED
    events: ClassVar = (DataMade, SamplesSplit, EpochFitted)

    method: Literal["supervised"] = "supervised"  # says that others' games are learned
    data: str  # a data set: one that can be made by name, or a folder
    positions: int | None = Field(None, ge=1)  # take only so many, drawn at random; None: all
    net: PickingConfig = PickingConfig()
    learn: SupervisedLearnConfig = SupervisedLearnConfig()

    @model_validator(mode="after")
    def _possible(self) -> SupervisedRecipe:
        if self.learn.loss == "cross-entropy" and self.net.output != "softmax":
            raise ValueError("cross-entropy needs the output softmax")
        return self


class ExploreConfig(Section):
    """How often a move is random: the same share up to a cycle, then less, evenly, to the last."""

    share: float = Field(0.5, ge=0, le=1)  # of random moves at first
    final: float = Field(0.2, ge=0, le=1)  # of random moves in the end
    from_cycle: int = Field(500_000, ge=0)  # where it begins to fall
    to_cycle: int = Field(1_000_000, ge=1)  # where it ends

    @model_validator(mode="after")
    def _in_order(self) -> ExploreConfig:
        if self.from_cycle >= self.to_cycle:
            raise ValueError("from_cycle must be less than to_cycle")
        return self

    def at(self, cycle: int) -> float:
        """The share of random moves in a cycle."""
        passed = (cycle - self.from_cycle) / (self.to_cycle - self.from_cycle)
        return self.share + (self.final - self.share) * min(1.0, max(0.0, passed))


class StoresConfig(Section):
    """What is remembered, and how much of it is learned in each cycle."""

    bad: int = Field(100_000, ge=1, le=10_000_000)  # illegal choices, of pieces and of moves each
    good: int = Field(10_000, ge=1, le=10_000_000)  # legal steps
    bad_samples: int = Field(4096, ge=0, le=1_000_000)  # illegal choices learned in a cycle
    good_samples: int = Field(512, ge=1, le=1_000_000)  # legal steps learned in a cycle


class DqnLearnConfig(Section):
    """Targets and steps. Of what Ocheretian 2022 does not say, the defaults are Keras's."""

    discount: float = Field(0.95, ge=0, le=1)  # of what comes a step later
    win: float = 1.0  # the target of a won game's last choice
    draw: float = 0.0  # of a drawn one's
    loss: float = -1.0  # of a lost one's
    illegal: float = -1.0  # the target of illegal choices
    illegal_from: Literal["tries", "all"] = "tries"
    # tries: what was tried and found illegal is remembered, and learned by itself
    # all:   with each position all that is illegal in it is learned
    mask: bool = False  # the best next choice is looked for among the legal ones only
    double: bool = False  # double Q-learning: the net chooses, the target net evaluates
    target_every: int = Field(0, ge=0)  # cycles after which the target net is renewed; 0: none
    outcome: float = Field(0.0, ge=0, le=1)  # share of the game's own result in the targets
    batch_size: int = Field(32, ge=1, le=65_536)  # positions
    lr: float = Field(0.001, gt=0)  # the learning rate, of RMSprop
    final_lr: float | None = Field(None, gt=0)  # reached in even steps; None: all the same
    decay: float = Field(0.9, ge=0, lt=1)  # of RMSprop's mean squares
    epsilon: float = Field(1e-7, gt=0)  # added to RMSprop's divisor

    @model_validator(mode="after")
    def _possible(self) -> DqnLearnConfig:
        if self.double and not self.target_every:
            raise ValueError("double needs target_every")
        return self


class DqnConfig(Section):
    """How the work is arranged."""

    cycles: int = Field(1_000_000, ge=1)  # a cycle is a game and what is learned after it
    parallel: int = Field(16, ge=1, le=65_536)  # games that advance together
    test_every: int = Field(10, ge=1)  # cycles from one test game to the next
    archive_every: int = Field(5000, ge=1)  # cycles from one version to the next
    max_steps: int = Field(1000, ge=1, le=60_000)  # a longer game is a draw


class DqnRecipe(AnyRecipe):
    """A run that learns by trial and error."""

    models: ClassVar = PICKED
    events: ClassVar = (CyclesDone, ChoicesTested)

    method: Literal["dqn"] = "dqn"  # says that it is deep Q-learning
    net: PickingConfig = PickingConfig()
    explore: ExploreConfig = ExploreConfig()
    stores: StoresConfig = StoresConfig()
    learn: DqnLearnConfig = DqnLearnConfig()
    run: DqnConfig = DqnConfig()

    @model_validator(mode="after")
    def _double(self) -> DqnRecipe:
        if self.net.style != "double":
            raise ValueError("deep Q-learning is for the double net")
        return self
