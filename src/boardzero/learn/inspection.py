"""Looks through a run or a model that came from elsewhere, before anything is done with it."""

from __future__ import annotations

from pathlib import Path

from boardzero import _core
from boardzero.errors import BoardZeroError
from boardzero.games import make
from boardzero.infer import OnnxNet, read_model
from boardzero.infer.picking import STYLES, OnnxPicker
from boardzero.learn.recipe import Recipe
from boardzero.learn.rundir import RunDir

__all__ = ["inspect"]


def inspect(folder: Path) -> None:
    """Raise with the first thing that is wrong with a run's or a model's folder.

    Every game is played through once. A shard that is damaged is set aside, as when a run goes on.
    """
    if not (folder / "recipe.toml").exists():
        _inspect_model(folder)
        return
    run = RunDir.open(folder)
    run.recipe()
    run.progress()
    for version in run.versions():
        _inspect_model(run.version_folder(version))
    _inspect_games(run)


def _inspect_model(folder: Path) -> None:
    card = read_model(folder)
    game = make(card.game)
    if card.method in STYLES:
        OnnxPicker(folder, game)
        return
    for net in card.nets:
        wanted = _core.make_sampler(game.start().native, net.format)
        for file in filter(None, (net.file, net.int8)):
            if not OnnxNet(folder / file).fits(
                wanted.input_shape(), wanted.policy_size(), wanted.players()
            ):
                raise BoardZeroError(f"{file} of {folder.name} does not fit what its card says")


def _inspect_games(run: RunDir) -> None:
    recipe = run.recipe()
    if not isinstance(recipe, Recipe):
        return  # learns from a data set, or keeps no games
    sampler = _core.make_sampler(make(recipe.game).start().native, recipe.format.names)
    replay = run.replay()
    try:
        for game in replay.games:
            record = replay.read(game)
            try:
                sampler.verify(record)
                _check_targets(_core.parse_record(record), game.samples)
            except BoardZeroError as error:
                place = f"game {game.number} in {game.shard.name}"
                raise BoardZeroError(f"{place} cannot be learned from: {error}") from None
    finally:
        replay.close()


def _check_targets(record: _core.GameRecord, samples: int) -> None:
    """What the rules cannot tell: numbers that would spoil a net."""
    if sum(decision.full for decision in record.decisions) != samples:
        raise BoardZeroError("it has another number of choices than its frame says")
    values = [record.outcome, *(decision.values for decision in record.decisions)]
    if not all(-1 <= value <= 1 for seats in values for value in seats):
        raise BoardZeroError("a value is not between -1 and 1")
    for decision in record.decisions:
        total = sum(share for _, share in decision.policy)
        if decision.full and abs(total - 1) > 0.01:
            raise BoardZeroError(
                f"the shares of the choice at step {decision.ply} are not 1 in all"
            )
