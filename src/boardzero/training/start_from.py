"""Where a run begins, if not with a net that knows nothing: `run.start_from` of its recipe.

    path/of/a/model, NAME, NAME:3, path/of/a/run:3     a net, whose weights are taken over
    path/of/a/data/set, games.pdn, games.sqlite, store
                                                       games, to whose moves and results the net
                                                       is fitted before it plays itself

`store` is the database in which the arena keeps its games.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boardzero import _core
from boardzero.base.data_home import default_store
from boardzero.base.errors import BoardZeroError
from boardzero.base.sections import read_toml
from boardzero.games import make, plays_alike
from boardzero.models import model_folder, read_model
from boardzero.runs.events import Event, StartedFromGames, StartedFromModel
from boardzero.runs.recipe import Recipe
from boardzero.runs.replay import Replay, ReplayEntry
from boardzero.training.dataset import data_home
from boardzero.training.imitation import (
    ImitatedGame,
    OnError,
    games_of_pdn,
    games_of_store,
    imitation_record,
)
from boardzero.training.trainer_group import TrainerGroup


def begin(trainers: TrainerGroup, scratch: Path) -> Iterator[Event]:
    """Do what the recipe's `run.start_from` says, and tell of it; `scratch` is for the games."""
    recipe = trainers.recipe
    source = recipe.run.start_from
    if source is None:
        return
    if (folder := model_folder(source)) is not None:
        _check_model(folder, recipe)
        trainers.load(folder)
        yield StartedFromModel(str(folder))
        return
    shutil.rmtree(scratch, ignore_errors=True)  # of a start that was killed
    found = _of_data_set(source, recipe) or _of_others(source, recipe, scratch)
    try:
        yield found.summary()
        passes = recipe.run.start_passes
        games = found.games
        yield from trainers.fit(found.replay, games, fresh=0, seed=recipe.seed, passes=passes)
    finally:
        found.replay.close()
        shutil.rmtree(scratch, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _GamesToLearn:
    """Games that can be learned from, and how many more there were."""

    replay: Replay
    games: list[ReplayEntry]
    left_out: int

    def summary(self) -> StartedFromGames:
        positions = sum(game.samples for game in self.games)
        return StartedFromGames(len(self.games), positions, self.left_out)


def _check_model(folder: Path, recipe: Recipe) -> None:
    """Another size of the board may do, if the net fits; another game does not."""
    card = read_model(folder)
    if card.game.partition(":")[0] != recipe.game.partition(":")[0]:
        raise BoardZeroError(
            f"{folder} holds a model for {card.game}, from which {recipe.game} cannot start"
        )
    sections = recipe.sections()
    if [net.name for net in card.nets] != list(sections):
        raise BoardZeroError(f"{folder} holds a model of another method, {card.method}")
    for net, section in zip(card.nets, sections.values(), strict=True):
        theirs, ours = net.format, section.format.names
        if theirs != ours:
            raise BoardZeroError(
                f"{folder} holds a model of the format {_words(theirs)}; "
                f"the recipe's is {_words(ours)}"
            )


def _words(form: tuple[str, str, int]) -> str:
    return ", ".join(map(str, form))


def _of_data_set(source: str, recipe: Recipe) -> _GamesToLearn | None:
    """The games of a data set, if one is meant: a folder that keeps them as a run does."""
    folders = (Path(source).expanduser(), data_home() / source)
    folder = next((path for path in folders if (path / "dataset.toml").exists()), None)
    if folder is None:
        return None
    file = folder / "dataset.toml"
    theirs = str(read_toml(file, "data set").get("game"))
    if not plays_alike(theirs, recipe.game):
        raise BoardZeroError(f"{folder} holds games of {theirs}, not of {recipe.game}")
    replay = Replay(folder)
    sampler = _core.make_sampler(make(recipe.game).start().native, recipe.format.names)
    games, errors = [], []
    for game in replay.games:
        try:
            sampler.verify(replay.read(game))
        except BoardZeroError as error:
            errors.append(error)
        else:
            games.append(game)
    if not games:
        raise _nothing(source, recipe, errors)
    return _GamesToLearn(replay, games, len(errors))


def _of_others(source: str, recipe: Recipe, scratch: Path) -> _GamesToLearn:
    """The games of a PDN file or of a database, stored as a run does in the scratch folder."""
    game = make(recipe.game)
    errors: list[BoardZeroError] = []
    found = _games(source, recipe, errors.append)
    replay = Replay(scratch)
    for played in found:
        try:
            replay.append(imitation_record(game, played, number=len(replay)), 0)
        except BoardZeroError as error:
            errors.append(error)
    if not replay.games:
        raise _nothing(source, recipe, errors)
    return _GamesToLearn(replay, replay.games, len(errors))


def _nothing(source: str, recipe: Recipe, errors: list[BoardZeroError]) -> BoardZeroError:
    why = f": {errors[0]}" if errors else ""
    return BoardZeroError(f"'{source}' holds no game of {recipe.game} to start from{why}")


def _games(source: str, recipe: Recipe, on_error: OnError) -> Iterator[ImitatedGame]:
    game = make(recipe.game)
    path = default_store() if source == "store" else Path(source).expanduser()
    if not path.is_file():
        raise BoardZeroError(
            f"run.start_from is '{source}', which is no model, no run and no games"
        )
    if path.suffix.lower() == ".pdn":
        return games_of_pdn(path, game, on_error)
    return games_of_store(path, game, on_error)
