"""The nets of the earlier systems: their shapes, and their parameters counted by hand."""

import numpy as np
import pytest
import torch

from boardzero import BoardZeroError, _core, make
from boardzero.models import OnnxNet
from boardzero.nets.config import NetConfig, PolicyHead, ValueHead
from boardzero.nets.export import onnx_bytes
from boardzero.nets.residual import NetShape, ResidualNet


def shape_of(spec: str, encoding: str, policy: str, history: int = 0) -> NetShape:
    sampler = _core.make_sampler(make(spec).start().native, (encoding, policy, history))
    planes, rows, columns = sampler.input_shape()
    return NetShape(planes, rows, columns, sampler.policy_size(), sampler.players())


def parameters(net: ResidualNet) -> int:
    return sum(p.numel() for p in net.parameters())


# Parameters of the usual layers. Convolutions that a norm follows have no bias.


def conv_norm(inputs: int, outputs: int, kernel: int) -> int:
    return inputs * outputs * kernel * kernel + 2 * outputs


def linear(inputs: int, outputs: int) -> int:
    return inputs * outputs + outputs


def block(channels: int) -> int:
    return 2 * conv_norm(channels, channels, 3)


def test_the_net_of_meng_s_baseline() -> None:
    """Section 2.3: 10 blocks of 64; policy conv 2 + FC 2501; value conv 1 + FC 128 + FC 1."""
    shape = shape_of("international:endings=meng", "meng", "absolute")
    assert shape == NetShape(planes=8, rows=10, columns=5, policy=2501, players=2)
    net = ResidualNet(NetConfig(blocks=10, channels=64, dropout=0.3), shape)
    tower = conv_norm(8, 64, 3) + 10 * block(64)
    policy = conv_norm(64, 2, 1) + linear(2 * 50, 2501)
    value = conv_norm(64, 1, 1) + linear(50, 128) + linear(128, 1)
    assert parameters(net) == tower + policy + value == 1_004_032


def test_the_small_net_of_the_three_stage_method() -> None:
    """Chapter 3: 5 blocks, value FC 64, ten by five by four directions and one."""
    shape = shape_of("international:endings=meng", "meng", "directions")
    assert shape.policy == 201
    net = ResidualNet(NetConfig(blocks=5, channels=64, value=ValueHead(hidden=64)), shape)
    tower = conv_norm(8, 64, 3) + 5 * block(64)
    policy = conv_norm(64, 2, 1) + linear(100, 201)
    value = conv_norm(64, 1, 1) + linear(50, 64) + linear(64, 1)
    assert parameters(net) == tower + policy + value == 398_484


def test_the_net_of_the_english_draughts_report() -> None:
    """8x8x3 in; 8x8x4 directions out; heads of a convolution and fully connected layers."""
    shape = shape_of("english", "sun-zhao", "sun-zhao")
    assert shape == NetShape(planes=3, rows=8, columns=8, policy=256, players=2)
    net = ResidualNet(NetConfig(blocks=4, channels=32), shape)
    tower = conv_norm(3, 32, 3) + 4 * block(32)
    policy = conv_norm(32, 2, 1) + linear(2 * 64, 256)
    value = conv_norm(32, 1, 1) + linear(64, 128) + linear(128, 1)
    assert parameters(net) == tower + policy + value


GOMOKU = NetConfig(
    blocks=5,
    channels=75,
    stem_kernel=4,
    activation="leaky-relu",
    activate="before",
    policy=PolicyHead(style="fc"),
    value=ValueHead(style="fc", hidden=20),
)


def test_the_net_of_wang() -> None:
    """Section 5.2: a 4x4 stem, 5 blocks, heads that begin with a norm; 64 moves out."""
    shape = shape_of("gomoku:size=8", "wang", "flat")
    assert shape == NetShape(planes=3, rows=8, columns=8, policy=64, players=2)
    net = ResidualNet(GOMOKU, shape)
    tower = conv_norm(3, 75, 4) + 5 * block(75)
    policy = 2 * 75 + linear(75 * 64, 64)
    value = 2 * 75 + linear(75 * 64, 20) + linear(20, 1)
    assert parameters(net) == tower + policy + value


def test_a_block_of_wang_leaves_its_last_activation_to_the_next() -> None:
    net = ResidualNet(GOMOKU, shape_of("gomoku:size=8", "wang", "flat")).eval()
    features = net.tower(net.stem(torch.randn(4, 3, 8, 8)))
    assert (features < -0.05).any()  # a leaky ReLU at the end would leave a hundredth of that
    usual = NetConfig(blocks=5, channels=75)
    after = ResidualNet(usual, shape_of("gomoku:size=8", "wang", "flat")).eval()
    assert (after.tower(after.stem(torch.randn(4, 3, 8, 8))) >= 0).all()


def test_the_net_of_the_chexers_report_has_a_value_for_each_of_three_players() -> None:
    shape = shape_of("chexers", "mover", "flat")
    assert (shape.planes, shape.rows, shape.columns, shape.players) == (6, 7, 7, 3)
    config = NetConfig(blocks=5, channels=32, value=ValueHead(output="players"))
    net = ResidualNet(config, shape)
    tower = conv_norm(6, 32, 3) + 5 * block(32)
    policy = conv_norm(32, 2, 1) + linear(2 * 49, shape.policy)
    value = conv_norm(32, 1, 1) + linear(49, 128) + linear(128, 3)
    assert parameters(net) == tower + policy + value
    with pytest.raises(BoardZeroError, match="a game of 3 players needs"):
        ResidualNet(NetConfig(), shape)


def test_seven_earlier_positions_make_eight_times_the_planes() -> None:
    assert shape_of("international:endings=meng", "meng", "absolute", 7).planes == 64


def test_a_policy_of_planes_refuses_a_policy_that_is_not_made_of_planes() -> None:
    config = NetConfig(policy=PolicyHead(style="planes"))
    with pytest.raises(BoardZeroError, match="2501 logits do not divide"):
        ResidualNet(config, shape_of("international", "mover", "flat"))


SMALL = NetShape(planes=3, rows=5, columns=4, policy=40, players=2)
HEADS = {
    f"{policy}, {value}, {output}, {activate}": NetConfig(
        blocks=2,
        channels=8,
        stem_kernel=4 if activate == "before" else 3,
        activation="leaky-relu" if activate == "before" else "relu",
        activate=activate,
        pooling_every=pooling,
        dropout=0.3,
        policy=PolicyHead(style=policy),
        value=ValueHead(style=value, output=output, hidden=16),
    )
    for policy, value, output, activate, pooling in [
        ("conv-fc", "conv-fc", "scalar", "after", 0),
        ("fc", "fc", "scalar", "before", 0),
        ("planes", "pooled", "win-draw-loss", "after", 2),
        ("planes", "conv-fc", "players", "before", 0),
        ("none", "fc", "scalar", "after", 0),
    ]
}


@pytest.mark.parametrize("name", HEADS)
def test_the_exported_net_answers_like_the_torch_net_at_any_batch_size(name: str) -> None:
    torch.manual_seed(1)
    net = ResidualNet(HEADS[name], SMALL)
    net.train()
    net(torch.randn(32, 3, 5, 4))  # so that the norms have something to remember
    net.eval()
    exported = OnnxNet(onnx_bytes(net))
    for batch in (1, 3, 64, 3):
        planes = torch.randn(batch, 3, 5, 4)
        with torch.no_grad():
            policy, raw = net(planes)
            wanted = net.expected_values(raw)
        logits, values = exported(planes.numpy())
        np.testing.assert_allclose(logits, policy.numpy(), atol=1e-5)
        np.testing.assert_allclose(values, wanted.numpy(), atol=1e-5)
        assert values.shape == (batch, 2)
        assert np.abs(values).max() <= 1


@pytest.mark.parametrize(
    ("every", "pooled"), [(0, []), (1, [0, 1, 2, 3, 4]), (2, [1, 3]), (3, [2])]
)
def test_every_so_many_blocks_look_at_the_whole_board(every: int, pooled: list[int]) -> None:
    net = ResidualNet(NetConfig(blocks=5, channels=4, pooling_every=every), SMALL)
    assert [
        i for i, part in enumerate(net.tower) if any(True for _ in part.pooling.parameters())
    ] == pooled


def test_exporting_leaves_the_net_in_training() -> None:
    net = ResidualNet(NetConfig(blocks=1, channels=4), SMALL).train()
    onnx_bytes(net)
    assert net.training


def test_a_win_draw_loss_head_expects_the_chance_of_winning_less_that_of_losing() -> None:
    net = ResidualNet(HEADS["planes, pooled, win-draw-loss, after"], SMALL)
    values = net.expected_values(torch.log(torch.tensor([[0.5, 0.3, 0.2]])))
    torch.testing.assert_close(values, torch.tensor([[0.3, -0.3]]))


def test_values_of_a_scalar_head_are_opposite() -> None:
    net = ResidualNet(NetConfig(blocks=0, channels=4), SMALL)
    values = net.expected_values(torch.tensor([[0.7]]))
    torch.testing.assert_close(values, torch.tensor([[0.7], [-0.7]]).T.tanh())
