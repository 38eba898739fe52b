"""The worker that plays games with sparse nets, on threads of the core: no Python between moves.

Games whose rules are written in Python are played by the worker's only thread, one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boardzero import _core
from boardzero.games import make
from boardzero.models import read_model
from boardzero.models.native_options import fill
from boardzero.models.sparse import open_sparse_net
from boardzero.runs.sparse_recipe import SparseRecipe
from boardzero.training.game_worker import Assignment, GameWorker
from boardzero.workers.launcher import Channel, as_worker

_WAIT_SECONDS = 0.1  # for a game to finish, before looking for news

# What only decides how many games there are, and with how many nodes.
_NOT_OF_A_GAME = {"games", "nodes", "first_games", "first_nodes", "early_iterations", "early_nodes"}

_TREE_BYTES = 256 << 20  # of PUCT; a tree that has grown so large ends its search


def scored_pool(
    recipe: SparseRecipe, *, nodes: int, threads: int, stream: int = 0
) -> _core.ScoredPool:
    """The pool of games that a recipe asks for, with so many nodes for each move."""
    options = fill(
        _core.ScoredGameOptions(),
        recipe.selfplay,
        apart=_NOT_OF_A_GAME,
        nodes=nodes,
        puct=recipe.search.full().native(noise=True, memory=_TREE_BYTES),
    )
    seed = (recipe.seed * 1_000_003 + stream) % 2**63
    return _core.make_scored_pool(make(recipe.game).start().native, options, threads, seed)


class _Worker(GameWorker[_core.ScoredPool]):
    def __init__(self, channel: Channel, recipe: SparseRecipe, threads: int) -> None:
        super().__init__(channel)
        self._recipe = recipe
        self._threads = threads
        self._game = make(recipe.game)
        self._nets: list[_core.SparseNet] = []
        self._evaluations = 0  # of the pool, as far as they were told

    def _load(self, folders: Sequence[Path]) -> None:
        self._nets = [open_sparse_net(folder, read_model(folder), self._game) for folder in folders]
        self._pool = None  # each iteration has a number of nodes of its own

    def _open_pool(self, games: Assignment) -> _core.ScoredPool:
        recipe = self._recipe
        contest = len(self._nets) > 1
        nodes = recipe.gate.nodes if contest else recipe.nodes_of(games.numbers[0])
        pool = scored_pool(recipe, nodes=nodes, threads=self._threads, stream=games.stream)
        pool.set_nets(self._nets, self._version)
        self._evaluations = 0
        return pool

    def _advance(self, pool: _core.ScoredPool) -> tuple[int, list[bytes]]:
        finished = pool.take_finished(_WAIT_SECONDS)
        before, self._evaluations = self._evaluations, pool.evaluations()
        return self._evaluations - before, finished


def sparse_main(channel: Channel, recipe: SparseRecipe, threads: int) -> None:
    """The main function of a worker; ends when its owner goes."""
    with as_worker(channel):
        _Worker(channel, recipe, threads).run()
