"""Learning from other players' games: which piece they moved, and where.

Each pass over the data set is an iteration of the run. A share of the positions is held back, and
tells how often the net would have done what the players did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from boardzero.base.errors import BoardZeroError
from boardzero.games import make
from boardzero.lodz.dense_net import Floats, Loss
from boardzero.lodz.events import DataMade, EpochFitted, SamplesSplit
from boardzero.lodz.nets import PickingConfig
from boardzero.lodz.run import PickingRun
from boardzero.lodz.samples import Samples, samples_of
from boardzero.runs.events import Resumed
from boardzero.runs.recipe import AnyRecipe, Section
from boardzero.training.dataset import DataSet, DatasetProgress, data_home, load_plan, plan_names
from boardzero.training.session import TrainingJob

__all__ = ["SupervisedRecipe", "SupervisedRun"]

_CHUNK = 1 << 13  # rows that are prepared at a time


class SupervisedLearnConfig(Section):
    """How the nets are fitted; the defaults are the thesis's and Keras's."""

    epochs: int = Field(50, ge=1)
    batch_size: int = Field(32, ge=1)
    loss: Loss = "mse"
    lr: float = Field(0.001, gt=0)
    final_lr: float | None = Field(None, gt=0)  # reached in even steps; None: all the same
    decay: float = Field(0.9, ge=0, lt=1)  # of RMSprop's mean squares
    epsilon: float = Field(1e-7, gt=0)
    holdout: float = Field(0.02, ge=0, lt=1)  # share of positions that is not learned
    versions: int = Field(5, ge=1)  # archived on the way, the last at the end


class SupervisedRecipe(AnyRecipe):
    """A run that learns from a data set."""

    events: ClassVar = (DataMade, SamplesSplit, EpochFitted)

    method: Literal["supervised"] = "supervised"
    data: str  # a data set: one that can be made by name, or a folder
    positions: int | None = Field(None, ge=1)  # take only so many, drawn at random; None: all
    net: PickingConfig = PickingConfig()
    learn: SupervisedLearnConfig = SupervisedLearnConfig()

    @model_validator(mode="after")
    def _possible(self) -> SupervisedRecipe:
        if self.learn.loss == "cross-entropy" and self.net.output != "softmax":
            raise ValueError("cross-entropy needs the output softmax")
        return self


class SupervisedRun(PickingRun):
    """One run. Every epoch leaves the folder ready to be resumed."""

    recipe: SupervisedRecipe

    def __init__(self, job: TrainingJob, recipe: SupervisedRecipe) -> None:
        super().__init__(job, recipe, recipe.net)

    def go(self) -> None:
        """Learn until the epochs are done or the time is over (`OutOfTimeError`)."""
        learn = self.recipe.learn
        try:
            data = self._data()
            samples, games = samples_of(data, self.recipe.net.view), data.count()
            self._prepare(games)
            held, taught = self._split(len(samples))
            self._tell(SamplesSplit(len(taught), len(held), samples.total))
            while self._progress.iteration <= learn.epochs:
                epoch = self._progress.iteration
                losses = self._epoch(samples, taught, epoch)
                matches = self._matches(samples, held)
                self._keep(next_epoch=np.array([epoch + 1], np.float32))
                self._set(iteration=epoch + 1, steps=epoch * len(taught))
                self._tell(EpochFitted(losses, epoch, learn.epochs, *matches))
                self._archive_if_due(epoch, games)
                self._check_time()
        finally:
            self._save()

    def _prepare(self, games: int) -> None:
        tensors = self._restore()
        self._archive(0, 0)
        if tensors is None:
            return
        if "next_epoch" in tensors:  # runs that were begun long ago do not have it
            self._progress = replace(self._progress, iteration=int(tensors["next_epoch"][0]))
        self._tell(Resumed(games, self._progress.version))
        self._archive_if_due(self._progress.iteration - 1, games)  # killed before it came to that

    def _archive_if_due(self, epoch: int, games: int) -> None:
        epochs, versions = self.recipe.learn.epochs, self.recipe.learn.versions
        if epoch * versions // epochs > (epoch - 1) * versions // epochs:
            self._archive(epoch, games)

    def _data(self) -> DataSet:
        """The data set, made first if it has not been."""
        name = self.recipe.data
        try:
            data = DataSet.open(name)
        except BoardZeroError:
            if name not in plan_names():
                raise
            data = DataSet.create(data_home() / name, load_plan(name))
        if make(data.plan.game).name != self.game.name:
            raise BoardZeroError(
                f"the data set {name} is of {data.plan.game}, not {self.game.spec}"
            )
        if not data.is_complete:
            data.make(workers=self.job.cores, on_progress=self._made)
        return data

    def _made(self, progress: DatasetProgress) -> None:
        self._tell(DataMade(progress.done, progress.total, progress.positions))
        self._check_time()

    def _split(self, rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        order = np.random.default_rng(self.recipe.seed).permutation(rows)
        order = order[: self.recipe.positions]
        held = round(len(order) * self.recipe.learn.holdout)
        return order[:held], order[held:]

    def _epoch(self, samples: Samples, rows: NDArray[np.int64], epoch: int) -> dict[str, float]:
        """One pass in a new order; the mean losses."""
        learn = self.recipe.learn
        share = (epoch - 1) / max(1, learn.epochs - 1)
        lr = learn.lr + share * ((learn.final_lr or learn.lr) - learn.lr)
        # Drawn afresh for each epoch, so that a resumed run draws what an unbroken one would.
        order = np.random.default_rng((self.recipe.seed, epoch)).permutation(rows)
        sums = dict.fromkeys(self.nets.nets, 0.0)
        for start in range(0, len(order), _CHUNK):
            chunk = order[start : start + _CHUNK]
            for name, inputs, targets in self._rows(samples, chunk):
                loss = self.nets.nets[name].fit(
                    inputs,
                    targets,
                    batch=learn.batch_size,
                    lr=lr,
                    loss=learn.loss,
                    decay=learn.decay,
                    epsilon=learn.epsilon,
                )
                sums[name] += loss * len(chunk)
        return {name: round(total / max(1, len(order)), 6) for name, total in sums.items()}

    def _rows(
        self, samples: Samples, rows: NDArray[np.int64]
    ) -> Iterator[tuple[str, Floats, Floats]]:
        """For each net its inputs and what it should answer."""
        squares = self.nets.squares
        inputs = self.nets.inputs(samples.boards[rows])
        pieces, targets = samples.pieces[rows], samples.targets[rows]
        if self.recipe.net.style == "single":
            yield "net", inputs, np.hstack([_ones(pieces, squares), _ones(targets, squares)])
        else:
            yield "piece", inputs, _ones(pieces, squares)
            yield "move", self.nets.move_inputs(inputs, pieces), _ones(targets, squares)

    def _matches(self, samples: Samples, rows: NDArray[np.int64]) -> tuple[float, ...]:
        """How often the nets would have done what was done, in positions held back, if any are."""
        if len(rows) == 0:
            return ()
        boards, pieces = samples.boards[rows], samples.pieces[rows]
        same = self.nets.pieces(boards).argmax(axis=1) == pieces
        there = self.nets.targets(boards, pieces).argmax(axis=1) == samples.targets[rows]
        return round(float(same.mean()), 4), round(float(there.mean()), 4)


def _ones(places: NDArray[np.uint8], squares: int) -> Floats:
    """A row for each place, with a one there."""
    rows = np.zeros((len(places), squares), np.float32)
    rows[np.arange(len(places)), places] = 1
    return rows
