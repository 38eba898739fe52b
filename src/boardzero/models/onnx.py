"""A net as a function: a batch of planes in, logits and values out.

Planes are [batch, planes, rows, columns]; logits [batch, policy]; values [batch, players] in the
order of play from the mover, each in [-1, 1].
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from boardzero.base.errors import BoardZeroError

__all__ = ["Floats", "Net", "OnnxNet", "UniformNet"]

Floats = NDArray[np.float32]


class Net(Protocol):
    """Anything that judges states."""

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits and values; the arrays may be used again by the next call."""
        ...


class UniformNet:
    """Knows nothing: all actions alike, every state even. The mock beside the real net."""

    def __init__(self, policy: int, players: int) -> None:
        self._policy = policy
        self._players = players

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        rows = len(planes)
        return (
            np.zeros((rows, self._policy), np.float32),
            np.zeros((rows, self._players), np.float32),
        )


class OnnxNet:
    """An ONNX model in a session of one thread; more threads collapse on a busy machine.

    Outputs are written into the same memory for as long as the batch keeps its size.
    """

    def __init__(self, model: Path | bytes) -> None:
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        source = model if isinstance(model, bytes) else str(model)
        providers = [
            name
            for name in ("CUDAExecutionProvider", "CPUExecutionProvider")
            if name in ort.get_available_providers()
        ]
        try:
            self._session = ort.InferenceSession(source, options, providers=providers)
        except Exception as error:
            name = "the model" if isinstance(model, bytes) else str(model)
            reason = str(error).splitlines()[0]
            raise BoardZeroError(f"{name} cannot be read as a net: {reason}") from None
        self._binding = self._session.io_binding()
        names = [port.name for port in self._session.get_inputs() + self._session.get_outputs()]
        if names != ["planes", "policy", "value"]:
            raise BoardZeroError("the model's inputs and outputs are not those of a playing net")
        self._widths = [int(output.shape[1]) for output in self._session.get_outputs()]
        self._outputs: tuple[Floats, Floats] | None = None

    def fits(self, planes: Sequence[int], policy: int, players: int) -> bool:
        """Whether the net takes such planes [planes, rows, columns] and gives such answers."""
        inputs = self._session.get_inputs()[0].shape[1:]
        return inputs == list(planes) and self._widths == [policy, players]

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        planes = np.ascontiguousarray(planes, np.float32)
        rows = len(planes)
        if self._outputs is None or len(self._outputs[0]) != rows:
            policy, value = (np.empty((rows, width), np.float32) for width in self._widths)
            self._outputs = (policy, value)
            for name, array in zip(("policy", "value"), self._outputs, strict=True):
                self._binding.bind_output(
                    name, "cpu", 0, np.float32, array.shape, array.ctypes.data
                )
        self._binding.bind_input("planes", "cpu", 0, np.float32, planes.shape, planes.ctypes.data)
        self._session.run_with_iobinding(self._binding)
        return self._outputs
