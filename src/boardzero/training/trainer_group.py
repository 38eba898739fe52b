"""The nets of a method in training: a trainer for each, and their files in one folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from boardzero.base.files import write_folder
from boardzero.games import Game, tablebase
from boardzero.runs.events import LossMeasured, StillLearning
from boardzero.runs.recipe import Recipe
from boardzero.runs.replay import Replay, ReplayEntry
from boardzero.training.trainer import Trainer


class TrainerGroup:
    """All nets of a recipe's method."""

    def __init__(self, game: Game, recipe: Recipe) -> None:
        self.recipe = recipe
        endings = tablebase.tables_up_to(game, recipe.replay.tablebase)
        nets = range(len(recipe.sections()))
        self.trainers = [Trainer(game, recipe, which, endings) for which in nets]

    @property
    def steps(self) -> int:
        """Batches learned in all, by all nets."""
        return sum(trainer.steps for trainer in self.trainers)

    @property
    def is_finite(self) -> bool:
        """Whether all weights are numbers."""
        return all(trainer.is_finite for trainer in self.trainers)

    @property
    def have_examples(self) -> bool:
        """Whether every net has seen games."""
        return all(trainer.examples is not None for trainer in self.trainers)

    def window(self, replay: Replay) -> list[ReplayEntry]:
        """The games that are to be learned from now, oldest first."""
        return self.trainers[0].window(replay)

    def fit(
        self,
        replay: Replay,
        games: list[ReplayEntry],
        *,
        fresh: int,
        seed: int,
        passes: float | None = None,
    ) -> Iterator[LossMeasured | StillLearning]:
        """Let every net learn from the games, of which the last `fresh` are new."""
        for trainer in self.trainers:
            for losses in trainer.fit(replay, games, fresh=fresh, seed=seed, passes=passes):
                if losses is None:
                    yield StillLearning(trainer.steps)
                    continue
                rounded = {head: round(loss, 5) for head, loss in losses.items()}
                net = trainer.role.name if len(self.trainers) > 1 else None
                yield LossMeasured(rounded, trainer.steps, net)

    def look(self, replay: Replay) -> None:
        """Let every net have examples of the games, as after learning."""
        games = self.window(replay)
        for trainer in self.trainers:
            trainer.look(replay, games)

    def save(self, folder: Path) -> None:
        """All nets and their optimisers into a folder, in one step."""

        def fill(draft: Path) -> None:
            for trainer in self.trainers:
                trainer.save(draft)

        write_folder(folder, fill)

    def load(self, folder: Path) -> None:
        """Take them back; an optimiser starts afresh if it is not there."""
        for trainer in self.trainers:
            trainer.load(folder)
