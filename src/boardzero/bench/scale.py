"""What a cluster costs and gains: evaluations per second of the same workers, local and on Ray.

Each turn starts its workers, and Ray where it is used, and ends them again; the turns alternate, so
that all see the same machine. Games are checked and stored as in a run; nobody trains.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from boardzero.bench import Measurement
from boardzero.games import make
from boardzero.models import SearchConfig
from boardzero.runs.recipe import LearnConfig, Recipe, SelfPlayConfig
from boardzero.runs.replay import Replay
from boardzero.training.fleet import Players, SelfPlayFleet
from boardzero.workers.launcher import Launcher, join_cluster
from boardzero.workers.local import LocalLauncher

_ROUNDS = 5
_SECONDS = 8.0  # of each turn, once all workers are at work
_START_SECONDS = 120.0  # in which they must be
_GAME = "gomoku"


def measure() -> Iterator[Measurement]:
    speeds: dict[tuple[str, int], list[float]] = {}
    with TemporaryDirectory(prefix="boardzero-") as scratch:
        model = Path(scratch) / "model"
        write_bench_model(model)
        for turn in range(_ROUNDS):
            for kind in ("local", "ray") if turn % 2 else ("ray", "local"):
                launcher = LocalLauncher() if kind == "local" else join_cluster("local:2")
                with closing(launcher):
                    for workers in (1, 2):
                        folder = Path(scratch) / f"{kind}-{workers}-{turn}"
                        speed = _speed(launcher, workers, model, folder)
                        speeds.setdefault((kind, workers), []).append(speed)
    middle = {key: statistics.median(found) for key, found in speeds.items()}
    for workers in (1, 2):
        name = f"scale ray, {workers} worker(s)"
        value, peer = middle["ray", workers], middle["local", workers]
        yield Measurement(name, value, "evaluations/s", "local", peer)
    for kind in ("local", "ray"):
        name, one = f"scale {kind}, 2 workers", middle[kind, 1]
        yield Measurement(name, middle[kind, 2], "evaluations/s", "1 worker", one)


def _speed(launcher: Launcher, workers: int, model: Path, folder: Path) -> float:
    """Evaluations per second of all workers together."""
    fleet = SelfPlayFleet(Players.with_puct(bench_recipe()), launcher, size=workers)
    replay = Replay(folder)
    try:
        fleet.start([model], range(100_000))
        until = time.monotonic() + _START_SECONDS
        while sum(worker.evaluations_per_second > 0 for worker in fleet.stats()) < workers:
            if time.monotonic() > until:
                raise TimeoutError("the workers do not begin")
            _store(fleet.collect(0.2), replay)
        samples = []
        for _ in range(round(_SECONDS)):
            until = time.monotonic() + 1
            while time.monotonic() < until:
                _store(fleet.collect(0.2), replay)
            samples.append(fleet.rows_per_second)
        return statistics.fmean(samples)
    finally:
        fleet.close()
        replay.close()


def _store(records: Iterator[bytes], replay: Replay) -> None:
    for record in records:
        replay.append(record, 1)


def bench_recipe(*, parallel: int = 64) -> Recipe:
    return Recipe(
        name="bench",
        game=_GAME,
        learn=LearnConfig(uses=1),
        search=SearchConfig(simulations=50, noise_weight=0.25),
        selfplay=SelfPlayConfig(parallel=parallel),
    )


def write_bench_model(folder: Path) -> None:
    """A net with random weights: its speed is that of a trained one."""
    from boardzero.training.model_files import write_model
    from boardzero.training.trainer_group import TrainerGroup  # needs torch

    trainers = TrainerGroup(make(_GAME), bench_recipe())
    write_model(folder, trainers, run="bench", version=0, games=0, minutes=0)
