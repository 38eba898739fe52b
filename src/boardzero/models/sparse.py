"""Models that are sparse nets: evaluated in the core, and updated by what a move changes.

Alpha-beta, minimax, max^n and PUCT evaluate positions with them. The file of a net says what its
rows mean and ends with a digest, so that the core refuses one that is damaged or of another game.
"""

from __future__ import annotations

from pathlib import Path

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, make, plays_alike
from boardzero.models.card import ModelCard, NetCard
from boardzero.models.kinds import ModelKind, read_model_for

NET_FILE = "net.nnue"


def net_card(net: _core.SparseNet) -> NetCard:
    """What a model's card says of its net."""
    return NetCard(file=NET_FILE, encoding=net.inputs, parameters=net.parameters)


def open_sparse_model(player: str, folder: Path, game: Game) -> tuple[ModelCard, _core.SparseNet]:
    """The card and the net of a model that a family of players is to play in a game."""
    card = read_model_for(player, folder, game)
    return card, open_sparse_net(folder, card, game)


def open_sparse_net(folder: Path, card: ModelCard, game: Game) -> _core.SparseNet:
    """The net of a model, checked to be one of the game."""
    path = folder / card.nets[0].file
    try:
        net = _core.SparseNet.parse(path.read_bytes())
        _core.sparse_logits(net, [game.start().native])  # fails unless it is one of this game
    except (OSError, BoardZeroError) as error:
        raise BoardZeroError(f"{path} cannot be played in {game.spec}: {error}") from None
    if net_card(net) != card.nets[0]:
        raise BoardZeroError(f"{path} does not fit what its card says about it")
    return net


def _check(folder: Path, card: ModelCard) -> None:
    open_sparse_net(folder, card, make(card.game))


def _may_fit(card_game: str, game: str) -> bool:
    """Whether the core should look: a net may serve boards of several sizes, which it knows."""
    return plays_alike(card_game, game) or card_game.partition(":")[0] == game.partition(":")[0]


SPARSE = ModelKind(
    ("alphabeta", "minimax", "maxn", "paranoid", "brs", "zero"),
    check=_check,
    fits=_may_fit,
    champion={"eval": "champion"},
)
