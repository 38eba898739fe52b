"""A net that answers from a hash of its input, and what the search makes of its answers.

Values are multiples of 1/32, so that sums of them are exact. The softmax uses the C library's
`expf`, as the core does, so that priors agree to the last bit.
"""

import ctypes
import zlib
from functools import cache

import numpy as np
from numpy.typing import NDArray

from boardzero import State

_LIBC = ctypes.CDLL("libm.so.6")
_LIBC.expf.argtypes = [ctypes.c_float]
_LIBC.expf.restype = ctypes.c_float

_LOGITS = np.random.default_rng(1).integers(-16, 17, 40_000).astype(np.float32) / 8

Floats = NDArray[np.float32]


class MockNet:
    """A net as the core calls it: planes in, logits and values out."""

    def __init__(self, policy: int, players: int, *, uniform: bool = False, salt: int = 0) -> None:
        self.policy = policy
        self.players = players
        self.uniform = uniform
        self.salt = salt  # another one, another net

    def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
        answers = [self._evaluate(row) for row in planes]
        return np.stack([logits for logits, _ in answers]), np.stack([v for _, v in answers])

    def _evaluate(self, row: Floats) -> tuple[Floats, Floats]:
        code = zlib.crc32(row.tobytes(), self.salt)
        start = 0 if self.uniform else code % (len(_LOGITS) - self.policy)
        logits = (
            np.zeros(self.policy, np.float32) if self.uniform else _LOGITS[start:][: self.policy]
        )
        values = [((code >> (8 * seat)) % 63 - 31) / 32 for seat in range(self.players)]
        if self.players == 2:
            values[1] = -values[0]
        return logits, np.array(values, np.float32)


def evaluate(net: MockNet, state: State) -> tuple[dict[int, float], tuple[float, ...]]:
    """Priors of the legal actions and one value per seat, as the core must read the net."""
    logits, from_mover = net(state.encode()[None])
    actions = state.actions()
    places = [state.native.relative(action) for action in actions]
    priors = softmax(logits[0, places])
    values = [0.0] * net.players
    for turn in range(net.players):
        values[(state.to_move + turn) % net.players] = float(from_mover[0, turn])
    return dict(zip(actions, priors.tolist(), strict=True)), tuple(values)


def softmax(logits: Floats) -> Floats:
    powers = np.array([_expf(float(x)) for x in logits - logits.max()], np.float32)
    return powers / np.cumsum(powers, dtype=np.float32)[-1]


@cache
def _expf(x: float) -> float:
    return float(_LIBC.expf(x))
