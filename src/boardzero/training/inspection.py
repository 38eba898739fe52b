"""Looks through a run or a model that came from elsewhere, before anything is done with it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.base.extras import needs_extra
from boardzero.games import make
from boardzero.games.python_file import is_file as is_game_file
from boardzero.methods import is_method_file
from boardzero.models import read_model
from boardzero.models.kinds import kind_of
from boardzero.runs.run_folder import RunFolder


def inspect(folder: Path, *, trusted: bool = False) -> None:
    """Raise with the first thing that is wrong with a run's or a model's folder.

    Every game is played through once. A shard that is damaged is set aside, as when a run goes on.
    Rules and methods that are files of Python are run only if whoever asks trusts them.
    """
    if not trusted:
        _refuse_code(folder)
    if not RunFolder.is_run(folder):
        inspect_model(folder)
        return
    run = RunFolder.open(folder)
    run.recipe()
    run.progress()
    for version in run.versions():
        inspect_model(run.version_folder(version))
    _inspect_games(run)


def _refuse_code(folder: Path) -> None:
    """Refuse what names a file of code, before anything looks closer at it."""
    named = [
        *(_values(file, json.loads) for file in folder.rglob("*.json")),
        *(_values(file, tomllib.loads) for file in folder.rglob("*.toml")),
    ]
    for values in named:
        game, method = str(values.get("game", "")), str(values.get("method", ""))
        if is_game_file(game.partition(":")[0].strip()) or is_method_file(method):
            raise BoardZeroError(
                f"it names the Python file '{game if is_game_file(game) else method}', which would "
                "be run; look at that file, and say --trust if you trust it"
            )


def _values(file: Path, parse: Callable[[str], object]) -> Mapping[str, object]:
    try:
        found = parse(file.read_text())
    except (ValueError, RecursionError) as error:
        raise BoardZeroError(f"{file} is damaged: {error}") from None
    return found if isinstance(found, dict) else {}


def inspect_model(folder: Path, *, game: str | None = None) -> None:
    """Raise with what is wrong with a model; it may have to be one for a certain game."""
    card = read_model(folder)
    if game is not None and card.game != game:
        raise BoardZeroError(f"a model for {card.game}, not for {game}")
    kind_of(card).check(folder, card)
    for file in folder.glob("*.safetensors"):
        _inspect_weights(file)


def _inspect_weights(file: Path) -> None:
    with needs_extra("train", "a model to go on learning from"):
        from safetensors.numpy import load
    try:
        arrays = load(file.read_bytes())
    except Exception as error:  # of a library that reads what came from elsewhere
        raise BoardZeroError(f"{file} is damaged: {error}") from None
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise BoardZeroError(f"{file} holds weights that are not numbers")


def _inspect_games(run: RunFolder) -> None:
    recipe = run.recipe()
    inspector = GameInspector(recipe.game, has_policies=recipe.has_policies)
    replay = run.replay()
    try:
        for game in replay.games:
            try:
                if inspector.check(replay.read(game)).samples != game.samples:
                    raise BoardZeroError("it has another number of choices than its frame says")
            except BoardZeroError as error:
                place = f"game {game.number} in {game.shard.name}"
                raise BoardZeroError(f"{place} cannot be learned from: {error}") from None
    finally:
        replay.close()


class GameInspector:
    """Plays finished games through, and says what is wrong with one."""

    def __init__(
        self, game: str, *, max_steps: int | None = None, has_policies: bool = True
    ) -> None:
        """With `max_steps`, a game must have come to its end or be as long as that.

        Games of alpha-beta have values without policies.
        """
        self._start = make(game).start().native
        # Which moves are legal does not depend on how a net sees them; every game has this format.
        self._sampler = _core.make_sampler(self._start, ("mover", "flat", 0))
        self._max_steps = max_steps
        self._has_policies = has_policies

    def check(self, record: object) -> _core.GameRecord:
        """The game, if it can be learned from."""
        if not isinstance(record, bytes):
            raise BoardZeroError("something else than a game")
        game = _core.parse_record(record)
        self._sampler.verify(record)
        game.check_targets(needs_policies=self._has_policies)
        if self._max_steps is not None:
            self._check_end(game, self._max_steps)
        return game

    def _check_end(self, game: _core.GameRecord, max_steps: int) -> None:
        state = self._start.clone() if not game.fen else self._start.with_fen(game.fen)
        state.play_all(game.actions)
        outcome = state.outcome()
        if outcome is None and (len(game.actions) < max_steps or len(set(game.outcome)) > 1):
            raise BoardZeroError("a game that is not over")
        if game.winner != (outcome.winner if outcome else None):
            raise BoardZeroError("a game with another winner than it says")
