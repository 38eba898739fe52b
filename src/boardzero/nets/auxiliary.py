"""What a net may learn beside policy and value: further heads, which only learning uses.

A result says little about a position, and comes late. Such a head asks for something that the game
shows more plainly, so that the tower learns to see it. One more is a line in `AUXILIARIES`, a
switch in `NetConfig`, a weight in `LearnConfig` and a target of that name in the sampler's `draw`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from torch import Tensor
from torch.nn import functional

from boardzero.nets.config import NetConfig
from boardzero.nets.shape import NetShape


@dataclass(frozen=True, slots=True)
class Auxiliary:
    """One such head. Viewpoint: the side to move."""

    name: str
    form: Literal["policy", "vector", "planes"]  # built like the policy's, the value's, or a board
    target: Callable[[NetShape], tuple[int, ...]]  # the shape of one sample's, and of the output
    loss: Callable[[Tensor, Tensor], Tensor]  # of outputs and targets, both [batch, *target]


def _log_length(outputs: Tensor, steps: Tensor) -> Tensor:
    """Outputs are log(1 + steps).

    So two steps for four are as wrong as fifty for a hundred, and games of ten steps and of three
    hundred need no scale of their own. Huber's loss, because a game that drags on tells little.
    """
    return functional.smooth_l1_loss(outputs, steps.log1p())


def _last_board(outputs: Tensor, planes: Tensor) -> Tensor:
    """Squared error, whose best guess at a square is the chance of what will stand there.

    Encodings hold counters too, which are cut off at 1.
    """
    return functional.mse_loss(outputs, planes.clamp(-1, 1))


AUXILIARIES = (
    Auxiliary("reply", "policy", lambda shape: (shape.policy,), functional.cross_entropy),
    Auxiliary("moves_left", "vector", lambda _: (1,), _log_length),
    Auxiliary(
        "ownership",
        "planes",
        lambda shape: (shape.board_planes, shape.rows, shape.columns),
        _last_board,
    ),
)


def auxiliaries(config: NetConfig) -> list[Auxiliary]:
    """Those that a net has."""
    return [head for head in AUXILIARIES if getattr(config, head.name)]
