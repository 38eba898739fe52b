"""Recorded games taken apart and put together in Python, byte by byte, and pools that make them."""

import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardzero import State, _core, make
from boardzero.models import SearchConfig
from boardzero.models.onnx import Evaluator
from tests.search.mock_net import MockNet

Format = tuple[str, str, int]
MOVER: Format = ("mover", "flat", 0)


@dataclass(frozen=True)
class Choice:
    ply: int
    full: bool
    values: tuple[float, ...]
    policy: tuple[tuple[int, int], ...]  # actions, and shares of 65535 or, in brief, their codes
    brief: bool = False  # then the actions are in order
    surprise: int | None = None  # in thousandths of a nat

    @property
    def shares(self) -> dict[int, float]:
        """The policy in full."""
        if not self.brief:
            return {action: share / 65535 for action, share in self.policy}
        weights = {action: 2 ** (-12 * (255 - code) / 255) for action, code in self.policy}
        return {action: weight / sum(weights.values()) for action, weight in weights.items()}

    @property
    def flags(self) -> int:
        return self.full + 2 * self.brief + 4 * (self.surprise is not None)


def brief_code(share: float) -> int:
    """A share as one byte: 255 is 1, and 0 is 2 to the power of -12."""
    return 255 - min(255, round(-math.log2(share) * 255 / 12))


def packed_number(number: int) -> bytes:
    """Seven bits in each byte, the lowest first; all but the last byte have the highest bit set."""
    if number < 128:
        return bytes([number])
    return bytes([128 + number % 128]) + packed_number(number // 128)


@dataclass(frozen=True)
class Record:
    actions: tuple[int, ...]
    choices: tuple[Choice, ...]
    outcome: tuple[float, ...]
    winner: int = -1
    version: int = 0
    number: int = 0
    fen: bytes = b""

    def pack(self) -> bytes:
        parts = [
            struct.pack("<BBbIIH", self.format, len(self.outcome), *self._head(), len(self.fen)),
            self.fen,
        ]
        parts.append(struct.pack(f"<{len(self.outcome)}f", *self.outcome))
        parts.append(struct.pack(f"<H{len(self.actions)}H", len(self.actions), *self.actions))
        parts.append(struct.pack("<H", len(self.choices)))
        for c in self.choices:
            parts.append(struct.pack(f"<HB{len(c.values)}f", c.ply, c.flags, *c.values))
            if c.surprise is not None:
                parts.append(struct.pack("<H", c.surprise))
            parts.append(struct.pack("<H", len(c.policy)))
            previous = -1
            for action, share in c.policy:
                if c.brief:
                    parts += [packed_number(action - previous - 1), bytes([share])]
                    previous = action
                else:
                    parts.append(struct.pack("<HH", action, share))
        return b"".join(parts)

    @property
    def format(self) -> int:
        return 2 if any(c.brief or c.surprise is not None for c in self.choices) else 1

    def _head(self) -> tuple[int, int, int]:
        return self.winner, self.version, self.number

    @classmethod
    def unpack(cls, data: bytes) -> "Record":
        at = 0

        def take(form: str) -> tuple[Any, ...]:
            nonlocal at
            found = struct.unpack_from(f"<{form}", data, at)
            at += struct.calcsize(f"<{form}")
            return found

        def take_number() -> int:
            (byte,) = take("B")
            return byte if byte < 128 else byte - 128 + 128 * take_number()

        form, players, winner, version, number, length = take("BBbIIH")
        assert form in (1, 2)
        fen = data[at : at + length]
        at += length
        outcome = take(f"{players}f")
        actions = take(f"{take('H')[0]}H")
        choices = []
        for _ in range(take("H")[0]):
            ply, flags = take("HB")
            values = take(f"{players}f")
            surprise = take("H")[0] if flags & 4 else None
            policy: list[tuple[int, int]] = []
            next_action = 0
            for _ in range(take("H")[0]):
                if flags & 2:
                    policy.append((next_action + take_number(), take("B")[0]))
                    next_action = policy[-1][0] + 1
                else:
                    policy.append(take("HH"))
            choices.append(
                Choice(ply, bool(flags & 1), values, tuple(policy), bool(flags & 2), surprise)
            )
        assert at == len(data)
        record = cls(actions, tuple(choices), outcome, winner, version, number, fen)
        assert record.format == form
        return record


def self_play(
    spec: str,
    games: int,
    *,
    simulations: int = 16,
    form: Format = MOVER,
    parallel: int = 8,
    seed: int = 1,
    search: SearchConfig | None = None,
    change: Callable[[_core.SelfPlayOptions], None] | None = None,
) -> list[bytes]:
    """Games by a pool with the mock net, in the order of their numbers."""
    options = _core.SelfPlayOptions()
    contestant = _core.Contestant()
    contestant.search = (search or SearchConfig()).native(noise=True, simulations=simulations)
    options.contestants = [contestant]
    if change is not None:
        change(options)
    formats = [form] * len(options.contestants)
    pool = _core.make_pool(make(spec).start().native, options, formats, parallel, seed)
    nets = [MockNet(pool.policy_size(i), make(spec).players) for i in range(len(formats))]
    return play_out(pool, nets, range(games))


def play_out(pool: _core.Pool, nets: Sequence[Evaluator], numbers: Sequence[int]) -> list[bytes]:
    pool.add(list(numbers))
    finished: list[bytes] = []
    while any(rows := pool.collect()):
        for i, count in enumerate(rows):
            if count:
                pool.receive(i, *nets[i](pool.inputs(i)[:count]))
        finished += pool.take_finished()
    finished += pool.take_finished()
    return sorted(finished, key=lambda data: _core.parse_record(data).number)


@dataclass(frozen=True)
class Drawn:
    inputs: NDArray[np.float32]
    policy: NDArray[np.float32]
    outcome: list[float]
    search: list[float]
    moves_left: float
    ownership: NDArray[np.float32]


def draw(spec: str, record: bytes, rank: int, symmetry: int = 0, form: Format = MOVER) -> Drawn:
    """One training sample."""
    sampler = _core.make_sampler(make(spec).start().native, form)
    inputs = np.full((1, *sampler.input_shape()), np.nan, np.float32)
    policy = np.full((1, sampler.policy_size()), np.nan, np.float32)
    outcome = np.full((1, sampler.players()), np.nan, np.float32)
    search = np.full((1, sampler.players()), np.nan, np.float32)
    left = np.full((1, 1), np.nan, np.float32)
    board = np.full((1, *sampler.board_shape()), np.nan, np.float32)
    sampler.draw(
        [(record, rank, symmetry)],
        inputs,
        policy,
        outcome,
        search,
        moves_left=left,
        ownership=board,
    )
    return Drawn(
        inputs[0], policy[0], outcome[0].tolist(), search[0].tolist(), float(left[0, 0]), board[0]
    )


def planes(state: State, form: Format) -> NDArray[np.float32]:
    """What a net of this format sees of a state without a past."""
    options = SearchConfig().native(noise=False)
    rows = _core.make_search(state.native, options, form, seed=1).collect()
    assert rows is not None
    return rows[0].copy()


def replay(spec: str, record: Record, plies: int) -> State:
    game = make(spec)
    state = game.parse_fen(record.fen.decode()) if record.fen else game.start()
    for action in record.actions[:plies]:
        state.play_action(action)
    return state
