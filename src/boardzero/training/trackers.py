"""Where the numbers of a run go while it trains.

A tracker takes one number at a time. `scalars.csv` is always written; TensorBoard's files are,
where it is installed. Weights & Biases and MLflow may send a run away from this machine, so they
must be asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Protocol

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.extras import MissingPackageError, needs_extra
from boardzero.base.files import writing
from boardzero.runs.events import Event, Observer, VersionArchived
from boardzero.runs.recipe import AnyRecipe
from boardzero.runs.run_folder import RunFolder


class Tracker(Protocol):
    """Something that keeps numbers of a run."""

    def add(self, tag: str, value: float, step: int) -> None:
        """A number, and where on its curve it belongs."""

    def flush(self) -> None:
        """Let others see what was added so far."""

    def close(self) -> None:
        """The run ends for now."""


class CsvTable:
    """`scalars.csv`: one line per number, for any program that reads tables."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with writing(path):
            self._file = path.open("a", encoding="utf-8", newline="\n")
            if self._file.tell() == 0:
                self._file.write("tag,step,value\n")

    def add(self, tag: str, value: float, step: int) -> None:
        with writing(self._path):
            self._file.write(f"{tag},{step},{value:.6g}\n")

    def flush(self) -> None:
        with writing(self._path):
            self._file.flush()

    def close(self) -> None:
        with writing(self._path):
            self._file.close()


class TensorBoard:
    """Files for TensorBoard."""

    def __init__(self, folder: Path) -> None:
        with needs_extra("train", "a training run"):
            from tensorboard.summary import Writer  # type: ignore[import-untyped]

        self._folder = folder
        with writing(folder):
            self._writer = Writer(str(folder))

    def add(self, tag: str, value: float, step: int) -> None:
        with writing(self._folder):
            self._writer.add_scalar(tag, value, step)

    def flush(self) -> None:
        with writing(self._folder):
            self._writer.flush()

    def close(self) -> None:
        with writing(self._folder):
            self._writer.close()


class WeightsAndBiases:
    """A run at Weights & Biases, as its own settings say; `WANDB_MODE=offline` keeps it here."""

    def __init__(self, run: RunFolder, recipe: AnyRecipe) -> None:
        settings = recipe.model_dump(mode="json")
        self._run = _package("wandb").init(project="boardzero", name=run.name, config=settings)

    def add(self, tag: str, value: float, step: int) -> None:
        # Curves have steps of their own here, batches or iterations, which its one counter has not.
        self._run.log({tag: value, f"{tag}/step": step})

    def flush(self) -> None:
        """It sends by itself."""

    def close(self) -> None:
        self._run.finish()


class MlFlow:
    """A run of MLflow, where `MLFLOW_TRACKING_URI` says."""

    def __init__(self, run: RunFolder, recipe: AnyRecipe) -> None:
        self._mlflow = _package("mlflow")
        self._mlflow.set_experiment("boardzero")
        self._mlflow.start_run(run_name=run.name)
        self._mlflow.log_dict(recipe.model_dump(mode="json"), "recipe.json")

    def add(self, tag: str, value: float, step: int) -> None:
        self._mlflow.log_metric(tag, value, step=step)

    def flush(self) -> None:
        """It sends by itself."""

    def close(self) -> None:
        self._mlflow.end_run()


# By the names that `train --track` takes.
TRACKERS: dict[str, Callable[[RunFolder, AnyRecipe], Tracker]] = {
    "wandb": WeightsAndBiases,
    "mlflow": MlFlow,
}


@contextmanager
def tracked(run: RunFolder, recipe: AnyRecipe, names: Sequence[str] = ()) -> Iterator[Observer]:
    """An observer that gives the numbers of events to all trackers."""
    for name in names:
        if name not in TRACKERS:
            raise nearest("tracker", name, TRACKERS)
    with ExitStack() as stack:
        trackers: list[Tracker] = [CsvTable(run.path / "scalars.csv")]
        try:
            trackers.append(TensorBoard(run.path / "events"))
        except MissingPackageError:
            if "tensorboard" in recipe.packages:
                raise
        trackers += [TRACKERS[name](run, recipe) for name in names]
        for tracker in trackers:
            stack.callback(tracker.close)
        steps: Counter[str] = Counter()  # of numbers that have none of their own

        def observe(event: Event) -> None:
            for tag, value, step in event.scalars():
                if step is None:
                    steps[tag] += 1
                for tracker in trackers:
                    tracker.add(tag, value, steps[tag] if step is None else step)
            if isinstance(event, VersionArchived):
                for tracker in trackers:
                    tracker.flush()

        yield observe


def _package(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise BoardZeroError(f"--track {name} needs that package: pip install {name}") from None
