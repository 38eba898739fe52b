"""What a run tells its observers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

__all__ = ["Event", "Observer", "WorkerStats"]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a run.

    Kinds and their fields: `start` (model, or games, positions and left_out), `games` (done, total,
    positions_per_second, evaluations_per_second), `loss` (policy, value, one for each auxiliary
    head, step; net where there are several), `gate` (wins, draws, losses, accepted), `version`
    (version, games), `resumed` (games, version), `damaged` (file), `stopped` (reason).
    Of workers: `refused` (worker, node, count, reason), `dismissed` (worker, node), and on a
    cluster `workers` (workers, nodes, dashboard) and `worker` (the fields of a `WorkerStats`).
    Of nets that pick a piece, then its move: `data` (done, total, positions), `samples` (learned,
    held, there), `fit` (epoch, epochs, a loss for each net, piece_match, move_match) and `cycles`
    (done, total, cycles_per_second, explore, legal, piece, move).
    """

    kind: str
    iteration: int
    fields: Mapping[str, float | int | bool | str] = field(default_factory=dict)


Observer = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class WorkerStats:
    """How one worker is doing."""

    name: str
    node: str
    evaluations_per_second: int
    games: int
    refused: int
