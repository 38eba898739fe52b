"""The residual nets as torch modules.

Input [batch, planes, rows, columns]. Output: policy logits [batch, policy size] and what `Value`
describes. Viewpoint: the side to move.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn

from boardzero.base.errors import BoardZeroError
from boardzero.nets.auxiliary import Auxiliary, auxiliaries
from boardzero.nets.config import NetConfig
from boardzero.nets.shape import NetShape

__all__ = ["NetShape", "ResidualNet"]


def _activation(config: NetConfig) -> nn.Module:
    return nn.ReLU() if config.activation == "relu" else nn.LeakyReLU(config.slope)


def _conv(inputs: int, outputs: int, kernel: int) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, kernel, padding="same", bias=False)


class _BoardPooling(nn.Module):
    """Adds to every cell a bias that depends on the whole board."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.mix = nn.Linear(2 * channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        summary = torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)
        return x + cast(Tensor, self.mix(summary))[:, :, None, None]


class _Block(nn.Module):
    def __init__(self, config: NetConfig, *, pooling: bool) -> None:
        super().__init__()
        channels = config.channels
        self.first = nn.Sequential(_conv(channels, channels, 3), nn.BatchNorm2d(channels))
        self.pooling = _BoardPooling(channels) if pooling else nn.Identity()
        self.second = nn.Sequential(_conv(channels, channels, 3), nn.BatchNorm2d(channels))
        self.activation = _activation(config)
        self.activates_before = config.activate == "before"

    def forward(self, x: Tensor) -> Tensor:
        inner = self.activation(x) if self.activates_before else x
        inner = self.activation(self.pooling(self.first(inner)))
        total = x + self.second(inner)
        return total if self.activates_before else cast(Tensor, self.activation(total))


class ResidualNet(nn.Module):
    """A stem, a tower of blocks and two heads; `auxiliaries` are further ones by name."""

    def __init__(self, config: NetConfig, shape: NetShape) -> None:
        super().__init__()
        self.config = config
        self.shape = shape
        channels = config.channels
        self.stem = nn.Sequential(
            _conv(shape.planes, channels, config.stem_kernel),
            nn.BatchNorm2d(channels),
            *([] if config.activate == "before" else [_activation(config)]),
        )
        self.tower = nn.Sequential(
            *(
                _Block(config, pooling=config.pooling_every > 0 and i % config.pooling_every == 0)
                for i in range(1, config.blocks + 1)
            )
        )
        self.policy_head = self._policy_head()
        self.value_head = self._value_head()
        self.auxiliaries = auxiliaries(config)
        for head in self.auxiliaries:
            self.add_module(f"{head.name}_head", self._auxiliary_head(head))

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Policy logits [batch, policy], and the value head's raw outputs [batch, outputs]."""
        features = self.tower(self.stem(inputs))
        return self.policy_head(features), self.value_head(features)

    def forward_all(self, inputs: Tensor) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        """The same, and what the auxiliary heads give."""
        features = self.tower(self.stem(inputs))
        heads = {head.name: self.get_submodule(f"{head.name}_head") for head in self.auxiliaries}
        further = {name: head(features) for name, head in heads.items()}
        return self.policy_head(features), self.value_head(features), further

    @property
    def value_outputs(self) -> int:
        """How many numbers the value head gives."""
        return {"scalar": 1, "win-draw-loss": 3, "players": self.shape.players}[
            self.config.value.output
        ]

    def expected_values(self, raw: Tensor) -> Tensor:
        """Values [batch, players] in the order of play from the mover, each in [-1, 1]."""
        if self.config.value.output == "players":
            return torch.tanh(raw)
        if self.config.value.output == "scalar":
            own = torch.tanh(raw)
        else:
            chances = torch.softmax(raw, dim=1)
            own = chances[:, :1] - chances[:, 2:]
        return torch.cat([own, -own], dim=1)

    def _policy_head(self) -> nn.Module:
        config, shape = self.config, self.shape
        style, width = config.policy.style, config.policy.channels
        if style == "none":
            return _Indifferent(shape.policy)
        if style == "planes":
            if shape.policy % shape.cells:
                raise BoardZeroError(
                    "a policy head of planes needs a policy made of planes, such as 'planes'; "
                    f"{shape.policy} logits do not divide into boards of {shape.cells} cells"
                )
            return nn.Sequential(*self._to_planes(shape.policy // shape.cells), nn.Flatten())
        return nn.Sequential(
            *self._to_vector(style, width),
            *self._dropout(),
            nn.Linear(self._vector_length(style, width), shape.policy),
        )

    def _value_head(self) -> nn.Module:
        if self.config.value.output != "players" and self.shape.players != 2:
            raise BoardZeroError(
                f"a game of {self.shape.players} players needs net.value.output = 'players'"
            )
        return self._vector_head(self.value_outputs)

    def _auxiliary_head(self, head: Auxiliary) -> nn.Module:
        if head.form == "policy":
            return self._policy_head()
        outputs = head.target(self.shape)[0]
        if head.form == "planes":
            return nn.Sequential(*self._to_planes(outputs))
        return self._vector_head(outputs)

    def _vector_head(self, outputs: int) -> nn.Module:
        config = self.config
        head = config.value
        return nn.Sequential(
            *self._to_vector(head.style, head.channels),
            nn.Linear(self._vector_length(head.style, head.channels), head.hidden),
            _activation(config),
            *self._dropout(),
            nn.Linear(head.hidden, outputs),
        )

    def _to_planes(self, planes: int) -> list[nn.Module]:
        channels = self.config.channels
        return [
            nn.Conv2d(channels, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
            _activation(self.config),
            nn.Conv2d(channels, planes, 1),
        ]

    def _to_vector(self, style: str, width: int) -> list[nn.Module]:
        config = self.config
        if style == "fc":
            return [nn.BatchNorm2d(config.channels), _activation(config), nn.Flatten()]
        narrow: list[nn.Module] = [
            nn.Conv2d(config.channels, width, 1, bias=False),
            nn.BatchNorm2d(width),
            _activation(config),
        ]
        return [*narrow, _Summary() if style == "pooled" else nn.Flatten()]

    def _vector_length(self, style: str, width: int) -> int:
        if style == "fc":
            return self.config.channels * self.shape.cells
        return 2 * width if style == "pooled" else width * self.shape.cells

    def _dropout(self) -> list[nn.Module]:
        return [nn.Dropout(self.config.dropout)] if self.config.dropout > 0 else []


class _Indifferent(nn.Module):
    """The same logit for every action."""

    zeros: Tensor

    def __init__(self, actions: int) -> None:
        super().__init__()
        self.register_buffer("zeros", torch.zeros(1, actions), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        # A product, because an exported net must know its outputs' width.
        return x.flatten(1)[:, :1] * self.zeros


class _Summary(nn.Module):
    """Means and maxima of each channel over the board."""

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3))], dim=1)
