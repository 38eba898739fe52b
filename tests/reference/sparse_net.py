"""A sparse net in numpy, straight from its file: the oracle for the core's kernels.

Nothing here is shared with the core but the format of the file and the list of active rows.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import exp as exponential
from math import floor, log1p

import numpy as np
from numpy.typing import NDArray

MAGIC = b"BoardZero sparse net\n"
LAYER = 32


@dataclass(frozen=True, slots=True)
class Layers:
    first: NDArray[np.int32]  # [hidden, LAYER]
    first_bias: NDArray[np.int32]
    second: NDArray[np.int32]
    second_bias: NDArray[np.int32]
    output: NDArray[np.int32]  # [outputs, LAYER]
    output_bias: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Policy:
    contexts: list[tuple[NDArray[np.int32], NDArray[np.int32]]]  # by bucket: [hidden, LAYER], bias
    moves: NDArray[np.int32]  # [rows, LAYER]
    bias: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class SparseNet:
    inputs: str
    players: int
    accumulator_shift: int
    deep: NDArray[np.int32]  # [rows, hidden]
    bias: NDArray[np.int32]
    linear: NDArray[np.int32]  # [rows, 2]
    buckets: list[Layers]
    policy: Policy | None

    def move_logits(self, deep: list[int], bucket: int, moves: list[list[int]]) -> list[int]:
        """Of each move, told by its rows; in units of 1/256."""
        assert self.policy is not None
        weights, bias = self.policy.contexts[bucket]
        x = np.clip((self.bias + self.deep[deep].sum(axis=0)) >> self.accumulator_shift, 0, 127)
        x = np.clip((x @ weights + bias) >> 6, 0, 127)
        rows = self.policy.moves[moves] @ x + (self.policy.bias[moves] << 4)
        return [int(logit) for logit in rows.sum(axis=1) >> 6]

    def logits(self, deep: list[int], linear: list[int], bucket: int, phase: int) -> list[int]:
        """That the mover wins, the next seat, ..., nobody; in units of 1/256."""
        layers = self.buckets[bucket]
        sums = self.bias + self.deep[deep].sum(axis=0)
        assert np.abs(sums).max() < 2**15
        x = np.clip(sums >> self.accumulator_shift, 0, 127)
        x = np.clip((x @ layers.first + layers.first_bias) >> 6, 0, 127)
        x = np.clip((x @ layers.second + layers.second_bias) >> 6, 0, 127)
        logits = (layers.output @ x + layers.output_bias) >> 6
        begins, ends = self.linear[linear].sum(axis=0) if linear else (0, 0)
        advantage = int(begins * phase + ends * (64 - phase)) >> 8
        logits[0] += advantage
        logits[1 : self.players] -= advantage
        return [int(x) for x in logits]


def digest(data: bytes) -> int:
    """The last eight bytes of a file, of all that comes before."""
    whole = 2**64 - 1

    def mix(x: int) -> int:
        x ^= x >> 30
        x = x * 0xBF58476D1CE4E5B9 & whole
        x ^= x >> 27
        x = x * 0x94D049BB133111EB & whole
        return x ^ x >> 31

    result = len(data)
    for (word,) in struct.iter_unpack("<Q", data + bytes(-len(data) % 8)):
        result = mix((result * 0x9E3779B97F4A7C15 + word + 0x632BE59BD9B4E019) & whole)
    return result


def with_random_weights(data: bytes, seed: int) -> bytes:
    """A file of the same shape, with weights up to the largest that are allowed."""
    dice = np.random.default_rng(seed)
    (length,) = struct.unpack_from("<I", data, len(MAGIC) + 4)
    at = len(MAGIC) + 8 + length
    rows, active, linear_rows, buckets, players, hidden, _ = struct.unpack_from("<7i", data, at)
    move_rows = _move_rows(data, at)
    deep = 32767 // (active + 1)
    head = data[: at + (32 if move_rows else 28)]

    def some(kind: str, count: int, limit: int) -> bytes:
        return dice.integers(-limit, limit, count, kind, endpoint=True).tobytes()

    body = some("<i2", rows * hidden, deep) + some("<i2", hidden, deep)
    body += some("<i2", 2 * linear_rows, 300)
    for _ in range(buckets):
        body += some("<i1", hidden * LAYER, 127) + some("<i4", LAYER, 30_000)
        body += some("<i1", LAYER * LAYER, 127) + some("<i4", LAYER, 30_000)
        body += some("<i2", (players + 1) * LAYER, 300) + some("<i4", players + 1, 30_000)
    for _ in range(buckets if move_rows else 0):
        body += some("<i1", hidden * LAYER, 127) + some("<i4", LAYER, 30_000)
    body += some("<i2", move_rows * LAYER, 300) + some("<i2", move_rows, 3000)
    assert len(head + body) + 8 == len(data)
    return head + body + struct.pack("<Q", digest(head + body))


def _move_rows(data: bytes, shape: int) -> int:
    """How many rows moves may have: told by a net with a policy, whose format is the second."""
    (file_format,) = struct.unpack_from("<I", data, len(MAGIC))
    return int(struct.unpack_from("<i", data, shape + 28)[0]) if file_format == 2 else 0


def parse(data: bytes) -> SparseNet:
    assert data.startswith(MAGIC)
    at = len(MAGIC)

    def take(kind: str, *shape: int) -> NDArray[np.int32]:
        nonlocal at
        count = int(np.prod(shape))
        array = np.frombuffer(data, kind, count, at).reshape(shape)
        at += array.nbytes
        return array.astype(np.int32)

    def layer(inputs: int) -> NDArray[np.int32]:
        """Stored four inputs at a time."""
        return take("<i1", inputs // 4, LAYER, 4).transpose(0, 2, 1).reshape(inputs, LAYER)

    _, length = struct.unpack_from("<II", data, at)
    at += 8
    name = data[at : at + length].decode()
    at += length
    rows, _, linear_rows, buckets, players, hidden, shift = struct.unpack_from("<7i", data, at)
    move_rows = _move_rows(data, at)
    at += 32 if move_rows else 28
    deep = take("<i2", rows, hidden)
    bias = take("<i2", hidden)
    linear = take("<i2", linear_rows, 2)
    outputs = players + 1
    layers = [
        Layers(
            layer(hidden),
            take("<i4", LAYER),
            layer(LAYER),
            take("<i4", LAYER),
            take("<i2", outputs, LAYER),
            take("<i4", outputs),
        )
        for _ in range(buckets)
    ]
    policy = None
    if move_rows:
        contexts = [(layer(hidden), take("<i4", LAYER)) for _ in range(buckets)]
        policy = Policy(contexts, take("<i2", move_rows, LAYER), take("<i2", move_rows))
    assert data[at:] == struct.pack("<Q", digest(data[:at]))
    return SparseNet(name, players, shift, deep, bias, linear, layers, policy)


def log_odds(logits: list[int]) -> int:
    """Of the points to be expected, a draw being half a point: what alpha-beta counts in."""

    def either(a: int, b: int) -> int:
        apart = abs(a - b)
        more = floor(log1p(exponential(-apart / 256)) * 256 + 0.5) if apart < 8 * 256 else 0
        return max(a, b) + more

    win, loss, draw = logits
    return either(win + 177, draw) - either(loss + 177, draw)
