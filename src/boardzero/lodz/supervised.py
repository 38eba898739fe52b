"""Learning from other players' games: which piece they moved, and where.

Each pass over the data set is an iteration of the run. A share of the positions is held back, and
tells how often the net would have done what the players did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boardzero.base.errors import BoardZeroError
from boardzero.games import plays_alike
from boardzero.lodz.dense_net import Floats
from boardzero.lodz.events import DataMade, EpochFitted, SamplesSplit
from boardzero.lodz.recipes import SupervisedRecipe
from boardzero.lodz.run import PickingRun
from boardzero.lodz.samples import Samples, samples_of
from boardzero.runs.events import Resumed
from boardzero.training.dataset import DataSet, DatasetProgress, data_home, load_plan, plan_names
from boardzero.training.session import OutOfTimeError, TrainingJob

_CHUNK = 1 << 13  # rows that are prepared at a time


class SupervisedRun(PickingRun):
    """One run. Every epoch leaves the folder ready to be resumed."""

    recipe: SupervisedRecipe

    def __init__(self, job: TrainingJob, recipe: SupervisedRecipe) -> None:
        super().__init__(job, recipe, recipe.net)

    def go(self) -> None:
        """Learn until the epochs are done or the time is over (`OutOfTimeError`)."""
        learn, games = self.recipe.learn, 0
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
        except (OutOfTimeError, KeyboardInterrupt):
            if (epoch := self._progress.iteration - 1) > 0:
                self._archive(epoch, games)  # whoever stops it wants to see what it has learned
            raise
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
        if not plays_alike(data.plan.game, self.game.spec):
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
