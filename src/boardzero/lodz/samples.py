"""The games of a data set as rows: a board, and the step that was chosen there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardzero.lodz.board_view import Levels, Orientation, ShownBoard, squares_of, step_of
from boardzero.training.dataset import DataSet


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions with the steps that were chosen in them, no two rows the same."""

    boards: Levels  # [rows, squares]
    pieces: NDArray[np.uint8]  # [rows]: the square that the step starts from
    targets: NDArray[np.uint8]  # and the one that it ends on
    results: NDArray[np.float32]  # mean result of the games for the mover, in [-1, 1]
    counts: NDArray[np.int32]  # how often the row came

    def __len__(self) -> int:
        return len(self.boards)

    @property
    def total(self) -> int:
        """With those that came again."""
        return int(self.counts.sum())

    @property
    def positions(self) -> int:
        """Boards, whatever was chosen there."""
        return len(np.unique(self.boards, axis=0)) if len(self) else 0


def samples_of(data: DataSet, orientation: Orientation = "turned") -> Samples:
    """All positions with their steps; what came more than once is one row."""
    squares = squares_of(data.game)
    rows: list[bytes] = []
    results: list[float] = []
    for record in data.records():
        state = data.game.start(record.fen).native.clone()
        choices = {decision.ply for decision in record.decisions}
        for ply, action in enumerate(record.actions):
            if ply in choices:
                step = step_of(state, action, squares, orientation)
                rows.append(ShownBoard.of(state, orientation).board.tobytes() + bytes(step))
                results.append(record.outcome[state.to_move])
            state.play(action)
    return _distinct(rows, results, squares)


def _distinct(rows: list[bytes], results: list[float], squares: int) -> Samples:
    table = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), squares + 2)
    # In the order of their first coming, so that equal data sets give equal samples.
    keys = np.ascontiguousarray(table).view(f"V{squares + 2}").ravel()
    _, first, inverse, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    sums = np.bincount(inverse, weights=results, minlength=len(first))
    order = np.argsort(first)
    chosen = table[first[order]]
    return Samples(
        boards=np.ascontiguousarray(chosen[:, :squares]),
        pieces=chosen[:, squares].copy(),
        targets=chosen[:, squares + 1].copy(),
        results=(sums / counts)[order].astype(np.float32),
        counts=counts[order].astype(np.int32),
    )
