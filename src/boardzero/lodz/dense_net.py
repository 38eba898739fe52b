"""Small nets of fully connected layers, trained by the compiled core; no torch.

All parameters are one array: for each layer its weights [inputs, outputs], then its biases. They
begin as Keras's do (Glorot's uniform distribution, biases of zero), and learn by Keras's RMSprop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from boardzero import _core
from boardzero.base.errors import BoardZeroError

Floats = NDArray[np.float32]
Output = Literal["softmax", "linear"]
Loss = Literal["mse", "cross-entropy"]


@dataclass(frozen=True, slots=True)
class DenseShape:
    """Sizes from input to output; hidden layers have ReLU."""

    sizes: tuple[int, ...]
    output: Output = "softmax"
    heads: int = 1  # the output is so many distributions side by side

    @property
    def layers(self) -> Iterator[tuple[int, int]]:
        """Inputs and outputs of each layer."""
        return zip(self.sizes, self.sizes[1:], strict=False)

    @property
    def parameters(self) -> int:
        return sum((inputs + 1) * outputs for inputs, outputs in self.layers)


class DenseNet:
    """A net and the mean squares of its optimiser."""

    def __init__(self, shape: DenseShape, parameters: Floats, squares: Floats) -> None:
        self.shape = shape
        self.parameters = parameters
        self.squares = squares

    @classmethod
    def fresh(cls, shape: DenseShape, seed: int) -> DenseNet:
        rng = np.random.default_rng(seed)
        parts = []
        for inputs, outputs in shape.layers:
            bound = np.sqrt(6 / (inputs + outputs))
            parts += [rng.uniform(-bound, bound, inputs * outputs), np.zeros(outputs)]
        parameters = np.concatenate(parts).astype(np.float32)
        return cls(shape, parameters, np.zeros_like(parameters))

    def copy(self) -> DenseNet:
        return DenseNet(self.shape, self.parameters.copy(), self.squares.copy())

    def predict(self, inputs: Floats) -> Floats:
        """Outputs [rows, outputs] for inputs [rows, inputs]."""
        shape = self.shape
        outputs = np.empty((len(inputs), shape.sizes[-1]), np.float32)
        _core.dense_predict(
            shape.sizes, shape.output, shape.heads, self.parameters, inputs, outputs
        )
        return outputs

    def fit(
        self,
        inputs: Floats,
        targets: Floats,
        *,
        batch: int,
        lr: float,
        loss: Loss = "mse",
        weights: Floats | None = None,
        decay: float = 0.9,
        epsilon: float = 1e-7,
    ) -> float:
        """Learn the rows in their order; the mean loss on the way. `weights` are of each error."""
        shape = self.shape
        return _core.dense_fit(
            shape.sizes,
            shape.output,
            shape.heads,
            loss,
            self.parameters,
            self.squares,
            inputs,
            targets,
            weights,
            batch,
            lr,
            decay,
            epsilon,
        )

    def layers(self) -> Iterator[tuple[Floats, Floats]]:
        """Weights [inputs, outputs] and biases of each layer, not copied."""
        at = 0
        for inputs, outputs in self.shape.layers:
            weights = self.parameters[at : at + inputs * outputs].reshape(inputs, outputs)
            at += inputs * outputs
            yield weights, self.parameters[at : at + outputs]
            at += outputs

    def tensors(self, name: str) -> dict[str, Floats]:
        """For a file, with the optimiser."""
        return {f"{name}.parameters": self.parameters, f"{name}.squares": self.squares}

    def load(self, name: str, tensors: Mapping[str, Floats]) -> None:
        """Take back what `tensors` gave."""
        for key, mine in (
            (f"{name}.parameters", self.parameters),
            (f"{name}.squares", self.squares),
        ):
            if key not in tensors or tensors[key].shape != mine.shape:
                raise BoardZeroError(f"the file holds no net '{name}' of the recipe's shape")
            mine[:] = tensors[key]

    def onnx(self) -> bytes:
        """As an ONNX model: `input` [batch, inputs] to `output` [batch, outputs]."""
        from onnx import TensorProto, helper, numpy_helper

        nodes, constants, last = [], [], "input"
        shape = self.shape
        depth = len(shape.sizes) - 1
        for number, (weights, biases) in enumerate(self.layers(), start=1):
            constants += [
                numpy_helper.from_array(weights.copy(), f"weights{number}"),
                numpy_helper.from_array(biases.copy(), f"biases{number}"),
            ]
            names = [last, f"weights{number}", f"biases{number}"]
            last = f"layer{number}"
            nodes.append(helper.make_node("Gemm", names, [last]))
            if number < depth:
                nodes.append(helper.make_node("Relu", [last], [f"active{number}"]))
                last = f"active{number}"
        if shape.output == "softmax":
            sides = np.array([-1, shape.heads, shape.sizes[-1] // shape.heads], np.int64)
            constants.append(numpy_helper.from_array(sides, "heads"))
            constants.append(numpy_helper.from_array(np.array([-1, shape.sizes[-1]]), "flat"))
            nodes.append(helper.make_node("Reshape", [last, "heads"], ["apart"]))
            nodes.append(helper.make_node("Softmax", ["apart"], ["shares"], axis=-1))
            nodes.append(helper.make_node("Reshape", ["shares", "flat"], ["output"]))
        else:
            nodes.append(helper.make_node("Identity", [last], ["output"]))
        ends = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", size])
            for name, size in (("input", shape.sizes[0]), ("output", shape.sizes[-1]))
        ]
        graph = helper.make_graph(nodes, "dense", ends[:1], ends[1:], constants)
        opset = helper.make_opsetid("", 17)
        model = helper.make_model(graph, opset_imports=[opset], ir_version=8)
        return bytes(model.SerializeToString())
