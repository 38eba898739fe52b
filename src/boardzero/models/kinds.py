"""Kinds of model: which player plays one, and how its nets are checked.

A card's `method` tells the kind. Kinds whose nets are played without a search are plug-ins
(`base/plugins.py`); all other nets evaluate states for a search.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.base.plugins import Registry, instance_of
from boardzero.games import Game, make, plays_alike
from boardzero.models.card import ModelCard, NetCard, read_model
from boardzero.models.champions import champion
from boardzero.models.onnx import OnnxNet


@dataclass(frozen=True, slots=True)
class ModelKind:
    """What the models of one kind have in common."""

    player: str  # the family that plays them, as in `zero:model=FOLDER`
    check: Callable[[Path, ModelCard], None]  # raises if the nets do not fit what their card says


_kinds = Registry("models", "kind of model", instance_of(ModelKind))


def kind_of(card: ModelCard) -> ModelKind:
    """The kind of a model."""
    return _kinds.get(card.method, SEARCHED)


def champion_player(game: Game) -> str | None:
    """The family that plays the champion which came with the program, if there is one."""
    own = champion(game)
    return None if own is None else kind_of(read_model(own)).player


def read_model_for(player: str, folder: Path, game: Game) -> ModelCard:
    """The card of a model that a family of players is to play in a game; raises if it cannot."""
    card = read_model(folder)
    if (right := kind_of(card).player) != player:
        raise BoardZeroError(f"{player} cannot play {folder}, but {right}:model={folder} can")
    if not plays_alike(card.game, game.spec):
        raise BoardZeroError(f"{folder} holds a model for {card.game}, not for {game.spec}")
    return card


def open_net(path: Path, card: NetCard, game: Game) -> OnnxNet:
    """A net that evaluates states of a game for a search."""
    net = OnnxNet(path)
    wanted = _core.make_sampler(game.start().native, card.format)
    if not net.fits(wanted.input_shape(), wanted.policy_size(), wanted.players()):
        raise BoardZeroError(f"{path} does not fit what its card says about it")
    return net


def _check_nets(folder: Path, card: ModelCard) -> None:
    game = make(card.game)
    for net in card.nets:
        for file in net.files:
            open_net(folder / file, net, game)


SEARCHED = ModelKind("zero", _check_nets)
