"""What is known about a model: the card beside its ONNX files.

A model is a folder with `card.json` and one ONNX file per net. Nothing in it is ever unpickled.
"""

import hashlib
from pathlib import Path

from pydantic import ValidationError, model_validator

from boardzero.base.errors import BoardZeroError
from boardzero.base.sections import Section, first_problem
from boardzero.models.old_words import card_in_words_of_today
from boardzero.models.search_config import SearchConfig
from boardzero.models.search_plan import SearchPlan


class NetCard(Section):
    """One net of a model."""

    name: str = "net"  # what its method calls it
    file: str
    int8: str = ""  # a quicker and slightly rougher form of it, where time is short
    encoding: str
    policy: str
    history: int = 0
    parameters: int = 0

    @property
    def format(self) -> tuple[str, str, int]:
        """As the compiled searches take it."""
        return (self.encoding, self.policy, self.history)

    @property
    def files(self) -> tuple[str, ...]:
        """All that its folder holds of it."""
        return (self.file, self.int8) if self.int8 else (self.file,)


class ModelCard(Section):
    """Game, nets and origin of a model."""

    game: str
    method: str = "baseline"
    nets: tuple[NetCard, ...]
    recipe: str = ""
    run: str = ""
    version: int = 0
    games: int = 0  # of self-play that it has learned from
    minutes: float = 0.0  # of training, wall clock
    rating: float | None = None
    search: SearchConfig = SearchConfig()  # the recipe's, which players take as their own
    plan: SearchPlan = SearchPlan()  # what the method makes of the nets
    reproduce: str = ""  # the command that makes such a model

    @model_validator(mode="before")
    @classmethod
    def _words_of_today(cls, data: object) -> object:
        return card_in_words_of_today(data) if isinstance(data, dict) else data


def is_model(folder: Path) -> bool:
    """Whether a folder is meant to be a model."""
    return (folder / "card.json").is_file()


def read_model(folder: Path) -> ModelCard:
    """The card of a model folder, checked; says what is wrong with one that cannot be used."""
    path = folder / "card.json"
    try:
        card = ModelCard.model_validate_json(path.read_text())
    except FileNotFoundError:
        raise BoardZeroError(f"{folder} holds no model: card.json is missing") from None
    except ValidationError as error:
        raise BoardZeroError(f"{path} is not a model card: {first_problem(error)}") from None
    except UnicodeDecodeError as error:
        raise BoardZeroError(f"{path} is not a model card: {error}") from None
    for file in (file for net in card.nets for file in net.files):
        if "/" in file or file.startswith(".") or not (folder / file).is_file():
            raise BoardZeroError(f"{path} names the net '{file}', which is not there")
    return card


def write_card(folder: Path, card: ModelCard) -> None:
    """Write the card of a model whose folder is being filled."""
    (folder / "card.json").write_text(f"{card.model_dump_json(indent=2)}\n")


def fingerprint(folder: Path, card: ModelCard) -> str:
    """Tells models apart that lie in one folder at different times."""
    digest = hashlib.sha256()
    for name in ("card.json", *(file for net in card.nets for file in net.files)):
        digest.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return digest.hexdigest()[:16]
