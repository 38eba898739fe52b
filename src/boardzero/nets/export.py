"""From a trained torch net to the ONNX file that plays.

Whatever its heads look like inside, an exported net has one input `planes` [batch, planes, rows,
columns] and two outputs: `policy` logits [batch, policy] and `value` [batch, players] in the order
of play from the mover, each in [-1, 1].
"""

import copy
import logging
import tempfile
import warnings
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from boardzero.nets.residual import ResidualNet


class _Playing(nn.Module):
    def __init__(self, net: ResidualNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        policy, raw = self.net(planes)
        return policy, self.net.expected_values(raw)


def onnx_bytes(net: ResidualNet) -> bytes:
    """The net as an ONNX model with a free batch size."""
    playing = _Playing(copy.deepcopy(net).cpu().float()).eval()
    shape = net.shape
    example = torch.zeros(2, shape.planes, shape.rows, shape.columns)
    buffer = BytesIO()
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            playing,
            (example,),
            buffer,  # type: ignore[arg-type]
            input_names=["planes"],
            output_names=["policy", "value"],
            dynamic_axes={"planes": {0: "batch"}, "policy": {0: "batch"}, "value": {0: "batch"}},
            dynamo=False,
        )
    return buffer.getvalue()


def int8_bytes(model: bytes, examples: NDArray[np.float32]) -> bytes:
    """The same model with its convolutions in eight bits: about twice as fast, nearly as exact.

    `examples` [rows, planes, rows, columns] are inputs as they occur, to see how large the numbers
    inside become. The heads' last layers stay as they are.
    """
    import onnx
    from onnxruntime import quantization
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Examples(quantization.CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self._batches: Iterator[NDArray[np.float32]] = iter(
                np.array_split(examples, -(-len(examples) // 64))
            )

        def get_next(self) -> dict[str, NDArray[np.float32]] | None:
            batch = next(self._batches, None)
            return None if batch is None else {"planes": batch}

    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.ERROR)  # the library tells its steps on the root logger
    try:
        with tempfile.TemporaryDirectory() as folder:
            prepared, result = Path(folder) / "prepared.onnx", Path(folder) / "int8.onnx"
            quant_pre_process(onnx.load_from_string(model), prepared, skip_symbolic_shape=True)
            quantization.quantize_static(
                prepared,
                result,
                Examples(),
                quant_format=quantization.QuantFormat.QDQ,
                activation_type=quantization.QuantType.QUInt8,
                weight_type=quantization.QuantType.QInt8,
                per_channel=True,
                op_types_to_quantize=["Conv", "Add"],
            )
            return result.read_bytes()
    finally:
        root.setLevel(level)
