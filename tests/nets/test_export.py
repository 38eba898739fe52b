"""Nets as ONNX files."""

import numpy as np
import torch

from boardzero.models import OnnxNet
from boardzero.nets.config import NetConfig
from boardzero.nets.export import int8_bytes, onnx_bytes
from boardzero.nets.residual import NetShape, ResidualNet


def test_a_net_in_eight_bits_answers_nearly_the_same() -> None:
    torch.manual_seed(1)
    net = ResidualNet(NetConfig(blocks=2, channels=16), NetShape(3, 8, 8, 64, 2))
    rng = np.random.default_rng(1)
    boards = (rng.random((256, 3, 8, 8)) < 0.3).astype(np.float32)
    exact = onnx_bytes(net)
    rough = OnnxNet(int8_bytes(exact, boards[:128]))
    for wanted, found in zip(OnnxNet(exact)(boards), rough(boards), strict=True):
        spread = float(np.std(wanted))
        assert 0 < np.abs(wanted - found).mean() < 0.1 * spread
