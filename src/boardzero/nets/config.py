"""The options of the one family of residual nets.

Every net here is a stem, a tower of residual blocks, a policy head and a value head; the options
below turn it into each of the earlier systems' nets or into a modern one.
"""

from typing import Literal

from pydantic import Field

from boardzero.base.sections import Section


class PolicyHead(Section):
    """From the tower to one logit per action."""

    style: Literal["conv-fc", "fc", "planes", "none"] = "conv-fc"
    # conv-fc: 1x1 convolution to `channels`, then a fully connected layer
    # fc:      norm and activation of the tower's output, then a fully connected layer
    # planes:  a convolution to one plane per kind of action; the policy must be made of planes
    # none:    every action is as likely as any other: a net of values only
    channels: int = Field(2, ge=1, le=1024)  # between the two layers


class ValueHead(Section):
    """From the tower to what the mover may expect."""

    style: Literal["conv-fc", "fc", "pooled"] = "conv-fc"
    # conv-fc: 1x1 convolution to `channels`, then two fully connected layers
    # fc:      norm and activation of the tower's output, then two fully connected layers
    # pooled:  means and maxima over the board, then two fully connected layers
    channels: int = Field(1, ge=1, le=1024)  # of its convolution
    hidden: int = Field(128, ge=1, le=4096)  # width of its inner layer
    output: Literal["scalar", "win-draw-loss", "players"] = "scalar"
    # one number, three chances, or a number for each player


class NetConfig(Section):
    """One residual net."""

    blocks: int = Field(6, ge=0, le=100)  # residual ones, each of two convolutions
    channels: int = Field(32, ge=1, le=1024)  # of every convolution in the tower
    stem_kernel: int = Field(3, ge=1, le=7)  # of the first convolution
    activation: Literal["relu", "leaky-relu"] = "relu"  # between layers
    slope: float = Field(0.01, ge=0, lt=1)  # of a leaky ReLU below zero
    activate: Literal["after", "before"] = "after"
    # after:  relu(x + f(x)), the usual block
    # before: x + f(relu(x)): a block's last activation is moved into the next
    pooling_every: int = Field(0, ge=0)  # every so many blocks mix in whole-board means; 0: none
    dropout: float = Field(0.0, ge=0.0, lt=1.0)  # before the heads' last layers
    reply: bool = False  # a further head, for learning only: guesses the answer
    moves_left: bool = False  # and one that guesses how many steps are still to come
    ownership: bool = False  # and one that guesses the last board of the game
    policy: PolicyHead = PolicyHead()
    value: ValueHead = ValueHead()
