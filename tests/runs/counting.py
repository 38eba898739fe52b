"""A kind of recipe as another package would add it: it counts, and its nets are never asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from boardzero import BoardZeroError
from boardzero.base.files import write_folder
from boardzero.models.card import ModelCard
from boardzero.models.kinds import ModelKind
from boardzero.players import PlayerFamily, RandomPlayer
from boardzero.players.model_options import MODEL_OPTIONS
from boardzero.runs.events import Event, Notice
from boardzero.runs.recipe import AnyRecipe
from boardzero.training.session import TrainingSession


def check(folder: Path, card: ModelCard) -> None:
    if card.games < 0:
        raise BoardZeroError(f"{folder} has counted backwards")


COUNTED = ModelKind(("counter",), check)


@dataclass(frozen=True, slots=True)
class Counted(Event):
    kind: ClassVar = "counted"
    number: int

    def notices(self) -> Iterator[Notice]:
        yield Notice("count", f"up to {self.number}")


class CountingRecipe(AnyRecipe):
    models: ClassVar = COUNTED
    events: ClassVar = (Counted,)

    method: Literal["counting"] = "counting"
    to: int = 3


class CountingRun(TrainingSession):
    recipe: CountingRecipe

    def go(self) -> None:
        for number in range(1, self.recipe.to + 1):
            self._tell(Counted(number))
        card = ModelCard(game=self.recipe.game, method="counting", nets=(), games=self.recipe.to)

        def fill(draft: Path) -> None:
            (draft / "card.json").write_text(card.model_dump_json())

        write_folder(self.run.version_folder(1), fill)


PLAYERS = PlayerFamily("counter", "counts", MODEL_OPTIONS, lambda spec, *_: RandomPlayer(spec, 1))
