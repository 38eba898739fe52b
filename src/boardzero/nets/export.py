"""From a trained torch net to the ONNX file that plays.

Whatever its heads look like inside, an exported net has one input `planes` [batch, planes, rows,
columns] and two outputs: `policy` logits [batch, policy] and `value` [batch, players] in the order
of play from the mover, each in [-1, 1].
"""

import copy
import logging
import warnings
from io import BytesIO

import torch
from torch import Tensor, nn

from boardzero.nets.residual import ResidualNet

__all__ = ["onnx_bytes"]


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
