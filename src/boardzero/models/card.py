"""What is known about a model: the card beside the files of its nets.

A model is a folder with `card.json` and one file per net. Nothing in it is ever unpickled.
"""

import hashlib
import shutil
from functools import lru_cache
from pathlib import Path

from pydantic import Field, ValidationError, model_validator

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_folder
from boardzero.base.sections import Section, first_problem
from boardzero.models.archive import find_run, find_version, version_folders
from boardzero.models.old_words import card_in_words_of_today
from boardzero.models.search_config import SearchConfig
from boardzero.models.search_plan import SearchPlan


class NetCard(Section):
    """One net of a model."""

    name: str = "net"  # what its method calls it
    file: str
    int8: str = ""  # a quicker and slightly rougher form of it, where time is short
    encoding: str  # of a sparse net, what its rows mean
    policy: str = ""
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


class Comparison(Section):
    """A match of a model at equal time, before it became a champion."""

    player: str  # the other one
    wins: int = Field(ge=0)
    draws: int = Field(ge=0)
    losses: int = Field(ge=0)
    seconds: float = Field(0.0, ge=0)  # a move that the model took, on average


class ModelCard(Section):
    """Game, nets and origin of a model."""

    game: str
    also: tuple[str, ...] = ()  # other games that it is the champion of, such as larger boards
    method: str = "baseline"
    player: str = ""  # the family that it is meant for, where its kind has several
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
    compared: tuple[Comparison, ...] = ()  # with what it was, to become a champion
    probes: dict[str, float] = Field({})  # share answered rightly, by theme, when it became one
    digests: dict[str, str] = Field({})  # SHA-256 of the files beside the card, by name

    @model_validator(mode="before")
    @classmethod
    def _words_of_today(cls, data: object) -> object:
        return card_in_words_of_today(data) if isinstance(data, dict) else data

    @property
    def files(self) -> tuple[str, ...]:
        """All that is needed to play."""
        return ("card.json", *(file for net in self.nets for file in net.files))


def is_model(folder: Path) -> bool:
    """Whether a folder is meant to be a model."""
    return (folder / "card.json").is_file()


def model_folder(source: str) -> Path | None:
    """The model that a text means: its folder, or a run by name or path, perhaps with `:VERSION`.

    None if it means neither.
    """
    path = Path(source).expanduser()
    if is_model(path):
        return path
    text, colon, number = source.rpartition(":")
    chosen = int(number) if colon and number.isdecimal() else None
    run = find_run(source if chosen is None else text)
    return find_version(run, chosen) if version_folders(run) else None


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
    for file, digest in card.digests.items():
        if "/" not in file and (folder / file).is_file() and _digest(folder / file) != digest:
            raise BoardZeroError(f"{folder / file} is damaged: it is not what its card says")
    return card


def write_card(folder: Path, card: ModelCard) -> None:
    """Write the card of a model whose folder has all its other files."""
    others = sorted(path for path in folder.iterdir() if path.name != "card.json")
    signed = card.model_copy(update={"digests": {path.name: _digest(path) for path in others}})
    (folder / "card.json").write_text(f"{signed.model_dump_json(indent=2)}\n")


def _digest(path: Path) -> str:
    """Of a file; read again only if it may have changed."""
    about = path.stat()
    return _digest_of(path, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=1000)
def _digest_of(path: Path, _changed: int, _size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def copy_model(source: Path, target: Path, card: ModelCard | None = None) -> None:
    """A model's folder in another place, in one step, perhaps with another card."""

    def fill(draft: Path) -> None:
        for file in source.iterdir():
            shutil.copy(file, draft / file.name)
        if card is not None:
            write_card(draft, card)

    write_folder(target, fill)


def fingerprint(folder: Path, card: ModelCard) -> str:
    """Tells models apart that lie in one folder at different times."""
    digest = hashlib.sha256()
    for name in card.files:
        digest.update(hashlib.sha256((folder / name).read_bytes()).digest())
    return digest.hexdigest()[:16]
