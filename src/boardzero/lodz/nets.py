"""Nets that pick a piece, then its move, to be trained: Ocheretian 2022's single and double nets.

    single   board -> 64 -> 128 -> 64 -> two heads: the piece's square, the square to move it to
    double   board -> 64 -> 128 -> 64 -> the piece's square
             board and piece -> 64 -> 128 -> 64 -> the square to move it to

Boards are rows of levels (`lodz/board_view.py`), 32 numbers on an 8x8 board; a piece is a one
among 32 zeros. Sizes other than those of Ocheretian 2022, figure 5.3, are options.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from boardzero.base.sections import Section
from boardzero.lodz.board_view import Floats, Input, Levels, Orientation, as_input, with_piece
from boardzero.lodz.dense_net import DenseNet, DenseShape, Output
from boardzero.models.card import NetCard


class PickingConfig(Section):
    """The [net] section of a recipe; the defaults are those of Ocheretian 2022."""

    style: Literal["single", "double"] = "double"  # one net with two heads, or two nets
    hidden: tuple[int, ...] = Field((64, 128, 64), max_length=10)  # neurons of each inner layer
    input: Input = "levels"  # a number for each square, or five with a single one
    output: Output = "softmax"  # of the last layer
    view: Orientation = "turned"  # to the mover, or as the board lies

    @model_validator(mode="after")
    def _sizes(self) -> PickingConfig:
        if not all(1 <= size <= 8192 for size in self.hidden):
            raise ValueError("hidden layers have 1 to 8192 neurons")
        return self


class PickingNets:
    """One net or two. As a `Picker` they can play while they learn."""

    def __init__(self, config: PickingConfig, squares: int, seed: int) -> None:
        self.config = config
        self.squares = squares
        width = squares * (5 if config.input == "one-hot" else 1)
        names = ["net"] if config.style == "single" else ["piece", "move"]
        self.nets = {
            name: DenseNet.fresh(self._shape(name, width), seed + place)
            for place, name in enumerate(names)
        }

    @property
    def orientation(self) -> Orientation:
        return self.config.view

    @property
    def parameters(self) -> int:
        return sum(net.shape.parameters for net in self.nets.values())

    def inputs(self, boards: Levels) -> Floats:
        """What the first net takes."""
        return as_input(boards, self.config.input)

    def move_inputs(self, inputs: Floats, pieces: NDArray[np.integer]) -> Floats:
        """What the second net takes."""
        return with_piece(inputs, pieces, self.squares)

    def pieces(self, boards: Levels) -> Floats:
        first = self.nets["net" if self.config.style == "single" else "piece"]
        return first.predict(self.inputs(boards))[:, : self.squares]

    def targets(self, boards: Levels, pieces: NDArray[np.integer]) -> Floats:
        inputs = self.inputs(boards)
        if self.config.style == "single":
            return self.nets["net"].predict(inputs)[:, self.squares :]
        return self.nets["move"].predict(self.move_inputs(inputs, pieces))

    def tensors(self) -> dict[str, Floats]:
        """For a file, with the optimisers."""
        return {k: t for name, net in self.nets.items() for k, t in net.tensors(name).items()}

    def load(self, tensors: Mapping[str, Floats]) -> None:
        for name, net in self.nets.items():
            net.load(name, tensors)

    def cards(self) -> tuple[NetCard, ...]:
        """How players find the files that `write_onnx` writes."""
        config = self.config
        policies = {"net": "piece and move", "piece": "piece", "move": "move"}
        return tuple(
            NetCard(
                file=f"{name}.onnx",
                encoding=f"{config.input}/{config.view}",
                policy=policies[name],
                parameters=net.shape.parameters,
            )
            for name, net in self.nets.items()
        )

    def write_onnx(self, folder: Path) -> None:
        for name, net in self.nets.items():
            (folder / f"{name}.onnx").write_bytes(net.onnx())

    def _shape(self, name: str, width: int) -> DenseShape:
        inputs = width + (self.squares if name == "move" else 0)
        heads = 2 if name == "net" else 1
        sizes = (inputs, *self.config.hidden, heads * self.squares)
        return DenseShape(sizes, self.config.output, heads)
