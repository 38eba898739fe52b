"""Kinds of model: which players play one, and how its nets are checked.

A card's `method` tells the kind. Sparse nets, and nets that are played without a search, are
plug-ins (`base/plugins.py`); all others evaluate states for PUCT through onnxruntime.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.base.plugins import Registry, instance_of
from boardzero.base.specs import Spec
from boardzero.games import Game, make, plays_alike
from boardzero.models.card import ModelCard, NetCard, read_model
from boardzero.models.champions import champion
from boardzero.models.onnx import OnnxNet
from boardzero.models.search_config import SearchConfig


@dataclass(frozen=True, slots=True)
class ModelKind:
    """What the models of one kind have in common."""

    players: tuple[str, ...]  # families that can play them, as in `zero:model=FOLDER`
    check: Callable[[Path, ModelCard], None]  # raises if the nets do not fit what their card says
    fits: Callable[[str, str], bool] = plays_alike  # whether one of a game may play another game

    champion: Mapping[str, str] = field(default_factory=dict)
    # options by which a family other than `zero` plays the champion that came with the program

    @property
    def player(self) -> str:
        """The family that usually plays them."""
        return self.players[0]


_kinds = Registry("models", "kind of model", instance_of(ModelKind))


def kind_of(card: ModelCard) -> ModelKind:
    """The kind of a model."""
    return _kinds.get(card.method, SEARCHED)


def player_of(card: ModelCard) -> str:
    """The family of players that a model is meant for."""
    return card.player or kind_of(card).player


def champion_player(game: Game, **options: str) -> str | None:
    """The spec of the champion that came with the program, with options, if there is one."""
    folder = champion(game)
    if folder is None:
        return None
    card = read_model(folder)
    family = player_of(card)
    own = {} if family == SEARCHED.player else kind_of(card).champion
    return str(Spec(family, {**own, **options}))


def read_model_for(player: str, folder: Path, game: Game) -> ModelCard:
    """The card of a model that a family of players is to play in a game; raises if it cannot."""
    card = read_model(folder)
    kind = kind_of(card)
    if player not in kind.players:
        right = player_of(card)
        raise BoardZeroError(f"{player} cannot play {folder}, but {right}:model={folder} can")
    if kind is SEARCHED:
        _check_plan(folder, card)
    if not kind.fits(card.game, game.spec):
        raise BoardZeroError(f"{folder} holds a model for {card.game}, not for {game.spec}")
    return card


def open_net(path: Path, card: NetCard, game: Game) -> OnnxNet:
    """A net that evaluates states of a game for a search."""
    net = OnnxNet(path)
    wanted = _core.make_sampler(game.start().native, card.format)
    if not net.fits(wanted.input_shape(), wanted.policy_size(), wanted.players()):
        raise BoardZeroError(f"{path} does not fit what its card says about it")
    return net


def _check_plan(folder: Path, card: ModelCard) -> None:
    """Raise if a search by this card would ask for a net or a tree that is not there."""
    trees, nets = range(len(card.plan.trees)), range(len(card.nets))
    named = [net for tree in card.plan.trees for net in tree.nets]
    led = [tree.follows for tree in card.plan.trees if tree.follows is not None]
    if not all(net in nets for net in named):
        raise BoardZeroError(f"the plan in {folder / 'card.json'} names a net that it has not")
    if not all(tree in trees for tree in (*led, *card.plan.turns)):
        raise BoardZeroError(f"the plan in {folder / 'card.json'} names a tree that it has not")


def _check_nets(folder: Path, card: ModelCard) -> None:
    """Let every net evaluate the first state of its game."""
    _check_plan(folder, card)
    game = make(card.game)
    options = SearchConfig(simulations=1).native(noise=False)
    for net in card.nets:
        planes = _core.make_search(game.start().native, options, [net.format], 1).collect()
        for file in net.files:
            opened = open_net(folder / file, net, game)
            if planes is None or not all(np.isfinite(part).all() for part in opened(planes)):
                raise BoardZeroError(f"{folder / file} says what is no number")


SEARCHED = ModelKind(("zero",), _check_nets)
