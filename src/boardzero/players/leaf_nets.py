"""Who evaluates the leaves of a PUCT search.

Residual nets do it through onnxruntime, a batch at a time; a sparse net does it in the core.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from boardzero import _core
from boardzero.games import Game
from boardzero.models.card import ModelCard
from boardzero.models.kinds import kind_of, open_net
from boardzero.models.onnx import Evaluator
from boardzero.models.sparse import SPARSE, open_sparse_net

BATCH = 8  # leaves that a search against time has evaluated at once
_CHILDREN = 64  # that are evaluated together, where a search evaluates all of a node's
_SLICE_SECONDS = 0.02  # that a sparse net searches before anybody may look at the clock or stop it


@dataclass(frozen=True, slots=True)
class Pace:
    """How a search may go on for a moment."""

    exact: bool  # or else as quickly as possible: only time counts
    seconds: float  # that are left


class LeafNets(Protocol):
    """The nets of one model at work."""

    history: int  # earlier positions that they see

    def search(
        self,
        root: _core.NativeState,
        options: _core.SearchOptions,
        *,
        seed: int,
        tablebase: _core.Tablebase | None,
    ) -> _core.NetSearch:
        """A search from here that these nets can evaluate for."""

    def advance(self, search: _core.NetSearch, pace: Pace) -> bool:
        """Let a search go on for a moment; False when it is done."""


def leaf_nets(folder: Path, card: ModelCard, game: Game) -> LeafNets:
    """Open the nets of a model."""
    if kind_of(card) is SPARSE:
        return SparseLeafNet(open_sparse_net(folder, card, game))
    exact = [open_net(folder / net.file, net, game) for net in card.nets]
    # Where only time counts, more simulations are worth more than exact ones.
    quick = [
        open_net(folder / net.int8, net, game) if net.int8 else same
        for net, same in zip(card.nets, exact, strict=True)
    ]
    return OnnxLeafNets(card, exact, quick)


class OnnxLeafNets:
    """Nets that evaluate batches: the exact ones, and quicker ones against time."""

    def __init__(
        self, card: ModelCard, exact: Sequence[Evaluator], quick: Sequence[Evaluator]
    ) -> None:
        self.history = max(net.history for net in card.nets)
        self.exact = exact
        self._quick = quick
        self._formats = [net.format for net in card.nets]
        # One by one, so that every simulation knows the one before; but children are a batch.
        self._at_once = _CHILDREN if card.search.child_values else 1

    def search(
        self,
        root: _core.NativeState,
        options: _core.SearchOptions,
        *,
        seed: int,
        tablebase: _core.Tablebase | None,
    ) -> _core.NetSearch:
        return _core.make_search(root, options, self._formats, seed=seed, tablebase=tablebase)

    def advance(self, search: _core.NetSearch, pace: Pace) -> bool:
        planes = search.collect(self._at_once if pace.exact else BATCH)
        if planes is None:
            return False
        if len(planes):
            nets = self.exact if pace.exact else self._quick
            search.receive(*nets[search.net()](planes))
        return True


class SparseLeafNet:
    """A net that the core evaluates, one leaf after the other, with no Python between them."""

    history = 0

    def __init__(self, net: _core.SparseNet) -> None:
        self._net = net

    def search(
        self,
        root: _core.NativeState,
        options: _core.SearchOptions,
        *,
        seed: int,
        tablebase: _core.Tablebase | None,
    ) -> _core.NetSearch:
        return _core.make_search(root, options, self._net, seed=seed, tablebase=tablebase)

    def advance(self, search: _core.NetSearch, pace: Pace) -> bool:
        return search.run(min(pace.seconds, _SLICE_SECONDS))
