"""Dense nets of the core: the same numbers as torch's, and the thesis's sizes."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from boardzero import BoardZeroError
from boardzero.lodz.dense_net import DenseNet, DenseShape, Output
from boardzero.lodz.nets import PickingConfig, PickingNets
from boardzero.models.onnx import OnnxSession

ROWS = 50  # not a multiple of the batch


def in_torch(net: DenseNet) -> nn.Sequential:
    parts: list[nn.Module] = []
    for weights, biases in net.layers():
        layer = nn.Linear(*weights.shape)
        layer.weight.data = torch.from_numpy(weights.T.copy())
        layer.bias.data = torch.from_numpy(biases.copy())
        parts += [layer, nn.ReLU()]
    return nn.Sequential(*parts[:-1])


def answers(net: DenseNet, logits: torch.Tensor) -> torch.Tensor:
    if net.shape.output == "linear":
        return logits
    heads = logits.reshape(len(logits), net.shape.heads, -1)
    return heads.softmax(dim=2).reshape(logits.shape)


@pytest.mark.parametrize(
    ("shape", "weighted"),
    [
        (DenseShape((32, 64, 128, 64, 32)), False),
        (DenseShape((32, 64, 128, 64, 64), heads=2), False),
        (DenseShape((50, 37, 50), "linear"), True),
    ],
)
def test_squared_errors_are_learned_as_by_torch_s_rmsprop(
    shape: DenseShape, weighted: bool
) -> None:
    rng = np.random.default_rng(1)
    net = DenseNet.fresh(shape, 1)
    twin = in_torch(net)
    inputs = rng.random((ROWS, shape.sizes[0]), np.float32)
    targets = rng.random((ROWS, shape.sizes[-1]), np.float32)
    weights = (rng.random(targets.shape) < 0.3).astype(np.float32) if weighted else None
    optimizer = torch.optim.RMSprop(twin.parameters(), lr=0.001, alpha=0.9, eps=1e-7)
    width = shape.sizes[-1] // shape.heads
    for epoch in range(3):
        net.fit(inputs, targets, batch=16, lr=0.001, weights=weights)
        for start in range(0, ROWS, 16):
            given = torch.from_numpy(inputs[start : start + 16])
            wanted = torch.from_numpy(targets[start : start + 16])
            said = answers(net, twin(given))
            errors = (said - wanted) ** 2
            if weights is not None:
                errors = errors * torch.from_numpy(weights[start : start + 16])
            total = errors.sum() / (len(given) * width)
            optimizer.zero_grad()
            torch.autograd.backward(total)
            optimizer.step()
        with torch.no_grad():
            expected = answers(net, twin(torch.from_numpy(inputs))).numpy()
        # RMSprop divides by tiny roots: where they are tiny, the order of sums shows.
        assert np.abs(net.predict(inputs) - expected).max() < 2e-3, epoch


def test_cross_entropy_learns_distributions_as_torch_does() -> None:
    rng = np.random.default_rng(2)
    net = DenseNet.fresh(DenseShape((32, 64, 32)), 1)
    twin = in_torch(net)
    inputs = rng.random((32, 32), np.float32)
    places = rng.integers(32, size=32)
    targets = np.eye(32, dtype=np.float32)[places]
    optimizer = torch.optim.RMSprop(twin.parameters(), lr=0.001, alpha=0.9, eps=1e-7)
    for _ in range(5):
        said = net.fit(inputs, targets, batch=32, lr=0.001, loss="cross-entropy")
        loss = nn.functional.cross_entropy(twin(torch.from_numpy(inputs)), torch.tensor(places))
        assert said == pytest.approx(float(loss.detach()), abs=1e-3)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()


@pytest.mark.parametrize("output", ["softmax", "linear"])
def test_an_exported_net_gives_the_same_answers(output: Output, tmp_path: Path) -> None:
    net = DenseNet.fresh(DenseShape((32, 24, 64), output, 2), 3)
    (tmp_path / "net.onnx").write_bytes(net.onnx())
    inputs = np.random.default_rng(1).random((7, 32), np.float32)
    session = OnnxSession(tmp_path / "net.onnx", takes="input", gives=["output"])
    assert np.allclose(session.run(inputs)[0], net.predict(inputs), atol=1e-5)


def test_the_thesis_s_nets_have_its_sizes() -> None:
    single = PickingNets(PickingConfig(style="single"), 32, 1)
    assert {name: net.shape.sizes for name, net in single.nets.items()} == {
        "net": (32, 64, 128, 64, 64)
    }
    assert single.parameters == 22_848
    double = PickingNets(PickingConfig(), 32, 1)
    assert {name: net.shape.sizes for name, net in double.nets.items()} == {
        "piece": (32, 64, 128, 64, 32),
        "move": (64, 64, 128, 64, 32),
    }
    assert double.parameters == 20_768 + 22_816


def test_answers_are_one_distribution_for_each_head() -> None:
    nets = PickingNets(PickingConfig(style="single"), 32, 1)
    boards = np.full((3, 32), 2, np.uint8)
    assert nets.pieces(boards).shape == (3, 32)
    assert np.allclose(nets.pieces(boards).sum(axis=1), 1, atol=1e-5)
    assert np.allclose(nets.targets(boards, np.zeros(3, int)).sum(axis=1), 1, atol=1e-5)


def test_nets_begin_as_keras_s_do() -> None:
    net = DenseNet.fresh(DenseShape((100, 200, 32)), 1)
    for weights, biases in net.layers():
        bound = np.sqrt(6 / sum(weights.shape))
        assert np.abs(weights).max() <= bound
        assert weights.std() == pytest.approx(bound / np.sqrt(3), rel=0.05)
        assert not biases.any()


def test_arrays_that_do_not_fit_are_refused() -> None:
    net = DenseNet.fresh(DenseShape((32, 8, 32)), 1)
    with pytest.raises(BoardZeroError, match="do not fit"):
        net.predict(np.zeros((2, 31), np.float32))
    with pytest.raises(BoardZeroError, match="do not fit"):
        net.fit(np.zeros((2, 32), np.float32), np.zeros((3, 32), np.float32), batch=2, lr=0.1)
