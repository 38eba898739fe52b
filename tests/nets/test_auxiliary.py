"""Heads that only learning uses: their shapes, their losses, and that nothing else feels them."""

import pytest
import torch

from boardzero.nets.auxiliary import AUXILIARIES, auxiliaries
from boardzero.nets.config import NetConfig, PolicyHead, ValueHead
from boardzero.nets.export import onnx_bytes
from boardzero.nets.residual import NetShape, ResidualNet
from boardzero.runs.recipe import LearnConfig

SHAPE = NetShape(planes=9, rows=5, columns=4, policy=40, players=2, history=2)
NAMES = [head.name for head in AUXILIARIES]


def net_with(*names: str, **options: object) -> ResidualNet:
    torch.manual_seed(1)
    switches = dict.fromkeys(names, True)
    return ResidualNet(NetConfig(blocks=1, channels=4, **switches, **options), SHAPE).eval()


@pytest.mark.parametrize("value", ["conv-fc", "fc", "pooled"])
@pytest.mark.parametrize("policy", ["conv-fc", "planes", "none"])
def test_each_head_gives_what_its_target_looks_like(policy: str, value: str) -> None:
    net = net_with(*NAMES, policy=PolicyHead(style=policy), value=ValueHead(style=value))
    _, _, further = net.forward_all(torch.zeros(3, 9, 5, 4))
    assert {name: tuple(rows.shape[1:]) for name, rows in further.items()} == {
        "reply": (40,),
        "moves_left": (1,),
        "ownership": (3, 5, 4),  # one state of the three that the net sees
    }
    assert {head.name: head.target(SHAPE) for head in AUXILIARIES} == {
        name: tuple(rows.shape[1:]) for name, rows in further.items()
    }


def test_every_head_has_a_switch_that_is_off_and_a_weight_that_is_nothing() -> None:
    assert auxiliaries(NetConfig()) == []
    for name in NAMES:
        assert [head.name for head in auxiliaries(NetConfig(**{name: True}))] == [name]
        assert LearnConfig(uses=1).weight_of(name) == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_further_head_changes_nothing_about_the_others(name: str) -> None:
    plain, richer = net_with(), net_with(name)
    own = {key for key in richer.state_dict() if key.startswith(f"{name}_head.")}
    assert own
    assert richer.state_dict().keys() - own == plain.state_dict().keys()
    inputs = torch.rand(2, 9, 5, 4)
    for ours, theirs in zip(plain(inputs), richer.forward_all(inputs)[:2], strict=True):
        assert torch.equal(ours, theirs)
    assert len(onnx_bytes(richer)) == len(onnx_bytes(plain))


LOSSES = {head.name: head.loss for head in AUXILIARIES}


def test_lengths_are_compared_by_their_logarithms() -> None:
    steps = torch.tensor([[9.0], [99.0]])
    exact = (1 + steps).log()
    assert LOSSES["moves_left"](exact, steps) == 0
    twice = (1 + torch.tensor([[19.0], [199.0]])).log()  # as wrong for both
    assert LOSSES["moves_left"](twice, steps).item() == pytest.approx(
        torch.tensor(2.0).log() ** 2 / 2
    )
    assert LOSSES["moves_left"](exact + 10, steps).item() == pytest.approx(9.5)  # not 50


def test_the_best_guess_at_a_square_is_its_chance_and_counters_end_at_one() -> None:
    boards = torch.zeros(4, 1, 1, 2)
    boards[0, 0, 0, 0] = 1
    boards[:, 0, 0, 1] = 70  # a counter
    losses = [
        LOSSES["ownership"](torch.tensor([guess, 1.0]).expand(4, 1, 1, 2), boards).item()
        for guess in (0.15, 0.25, 0.35)
    ]
    assert min(losses) == losses[1]
    assert losses[1] == pytest.approx((0.75**2 + 3 * 0.25**2) / 8)
