"""Evaluators: a batch of planes in, logits and values out; the nets among them are ONNX models.

Planes are [batch, planes, rows, columns]; logits [batch, policy]; values [batch, players] in the
order of play from the mover, each in [-1, 1].
"""

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from boardzero.base.errors import BoardZeroError

Floats = NDArray[np.float32]


class Evaluator(Protocol):
    """Anything that maps states to priors and values: a net, a heuristic, a mock."""

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits and values; the arrays may be used again by the next call."""


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


class HashNet:
    """Hashes what it sees: fixed answers without a net, of which no sum depends on rounding."""

    def __init__(self, policy: int, players: int, *, salt: int = 0) -> None:
        self._policy = policy
        self._players = players
        self._salt = salt

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        values = np.zeros((len(planes), self._players), np.float32)
        for row, state in enumerate(planes):
            code = zlib.crc32(state.tobytes(), self._salt)
            values[row] = [((code >> (8 * seat)) % 63 - 31) / 32 for seat in range(self._players)]
        if self._players == 2:
            values[:, 1] = -values[:, 0]
        return np.zeros((len(planes), self._policy), np.float32), values


class OnnxSession:
    """An ONNX model of one input in a session of one thread; more collapse on a busy machine.

    Outputs are written into the same memory for as long as the batch keeps its size.
    """

    def __init__(self, model: Path | bytes, *, takes: str, gives: Sequence[str]) -> None:
        """`takes` and `gives` are the names that the model's input and outputs must have."""
        import onnxruntime as ort

        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        name = "the model" if isinstance(model, bytes) else str(model)
        providers = [
            name
            for name in ("CUDAExecutionProvider", "CPUExecutionProvider")
            if name in ort.get_available_providers()
        ]
        try:
            # Never by its path: a file may refer to others, and would be given what they hold.
            source = model if isinstance(model, bytes) else model.read_bytes()
            self._session = ort.InferenceSession(source, options, providers=providers)
        except Exception as error:
            reason = str(error).splitlines()[0]
            raise BoardZeroError(f"{name} cannot be read as a net: {reason}") from None
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        ports = [port.name for port in inputs + outputs]
        if ports != [takes, *gives]:
            found, wanted = ", ".join(ports), ", ".join([takes, *gives])
            raise BoardZeroError(f"{name} has the inputs and outputs {found}, and not {wanted}")
        self.input_shape: list[int] = inputs[0].shape[1:]  # of one row
        self.widths = [int(output.shape[1]) for output in outputs]
        self._name = name
        self._names = (takes, *gives)
        self._binding = self._session.io_binding()
        self._outputs: tuple[Floats, ...] = ()

    def run(self, rows: Floats) -> tuple[Floats, ...]:
        """The outputs, each [rows, width]."""
        rows = np.ascontiguousarray(rows, np.float32)
        takes, *gives = self._names
        if not self._outputs or len(self._outputs[0]) != len(rows):
            self._outputs = tuple(np.empty((len(rows), width), np.float32) for width in self.widths)
            for name, array in zip(gives, self._outputs, strict=True):
                self._binding.bind_output(
                    name, "cpu", 0, np.float32, array.shape, array.ctypes.data
                )
        self._binding.bind_input(takes, "cpu", 0, np.float32, rows.shape, rows.ctypes.data)
        try:
            self._session.run_with_iobinding(self._binding)
        except Exception as error:
            reason = str(error).splitlines()[0]
            raise BoardZeroError(f"{self._name} cannot be evaluated: {reason}") from None
        return self._outputs


class OnnxNet:
    """A net that plays with a search, from an ONNX model."""

    def __init__(self, model: Path | bytes) -> None:
        self._session = OnnxSession(model, takes="planes", gives=("policy", "value"))

    def fits(self, planes: Sequence[int], policy: int, players: int) -> bool:
        """Whether the net takes such planes [planes, rows, columns] and gives such answers."""
        session = self._session
        return session.input_shape == list(planes) and session.widths == [policy, players]

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        logits, values = self._session.run(planes)
        return logits, values
