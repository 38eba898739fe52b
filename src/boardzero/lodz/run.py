"""What the trainers of piece-and-move nets share: their versions, and the net in training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_folder
from boardzero.games import make
from boardzero.lodz.board_view import squares_of
from boardzero.lodz.dense_net import Floats
from boardzero.lodz.nets import PickingConfig, PickingNets
from boardzero.models.card import ModelCard, write_card
from boardzero.runs.events import VersionArchived
from boardzero.runs.recipe import AnyRecipe
from boardzero.training.session import TrainingJob, TrainingSession


class PickingRun(TrainingSession):
    """A run whose nets pick a piece, then its move."""

    def __init__(self, job: TrainingJob, recipe: AnyRecipe, net: PickingConfig) -> None:
        super().__init__(job, recipe)
        self.game = make(recipe.game)
        self.nets = PickingNets(net, squares_of(self.game), recipe.seed)

    def _restore(self) -> dict[str, Floats] | None:
        """Take back the net in training; the file's tensors, or None in a new run."""
        path = self.run.candidate / "net.safetensors"
        if not path.exists():
            return None
        try:
            tensors: dict[str, Floats] = load(path.read_bytes())
        except Exception as error:
            raise BoardZeroError(f"{path} is damaged: {error}") from None
        self.nets.load(tensors)
        return tensors

    def _keep(self, **further: Floats) -> None:
        """Save the net in training, in one step with what belongs to it."""
        tensors = {**self.nets.tensors(), **further}
        arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}

        def fill(draft: Path) -> None:
            (draft / "net.safetensors").write_bytes(save(arrays))

        write_folder(self.run.candidate, fill)

    def _archive(self, version: int, games: int) -> None:
        """Write a version that anyone can play."""
        if version in self.run.versions():
            return
        recipe = self.recipe
        card = ModelCard(
            game=recipe.game,
            method=self.nets.config.style,
            nets=self.nets.cards(),
            recipe=recipe.name,
            run=self.run.name,
            version=version,
            games=games,
            minutes=round(self._minutes, 2),
            reproduce=f"boardzero train {recipe.name}",
        )

        def fill(draft: Path) -> None:
            self.nets.write_onnx(draft)
            (draft / "net.safetensors").write_bytes(save(self.nets.tensors()))
            write_card(draft, card)

        write_folder(self.run.version_folder(version), fill)
        self._set(version=version)
        self._tell(VersionArchived(version, games))
