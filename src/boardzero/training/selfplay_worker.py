"""The worker that plays games with residual nets and PUCT.

It has a pool of games in the core and its own single-threaded net session.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boardzero import _core
from boardzero.games import make, tablebase
from boardzero.models import OnnxNet, SearchPlan, read_model
from boardzero.models.native_options import fill
from boardzero.models.onnx import Evaluator
from boardzero.runs.recipe import Recipe
from boardzero.training.game_worker import Assignment, GameWorker
from boardzero.workers.launcher import Channel, as_worker


def selfplay_pool(
    recipe: Recipe,
    formats: Sequence[tuple[str, str, int]],
    *,
    plan: SearchPlan | None = None,
    stream: int = 0,
) -> _core.Pool:
    """The pool of games that a recipe asks for: self-play with the nets of one model, or a contest.

    `formats` are those of all nets, one model's after another's; `plan` is the method's unless
    given.
    """
    game = make(recipe.game)
    endings = tablebase.tables_up_to(game, recipe.selfplay.tablebase)
    seed = (recipe.seed * 1_000_003 + stream) % 2**63
    options = selfplay_options(recipe, len(formats), plan or recipe.plan)
    parallel = recipe.selfplay.parallel
    return _core.make_pool(game.start().native, options, list(formats), parallel, seed, endings)


def selfplay_options(recipe: Recipe, nets: int, plan: SearchPlan) -> _core.SelfPlayOptions:
    """How such a pool plays with so many nets in all; in a contest the gate decides some of it."""
    play, gate, search = recipe.selfplay, recipe.gate, recipe.search
    nets_of_a_model = 1 + max(net for tree in plan.trees for net in tree.nets)
    simulations, noise, record_surprise = None, True, recipe.replay.surprise > 0
    if nets > nets_of_a_model:
        # Nothing is learned from a contest, so that nothing is left to chance but its openings.
        fair = {"opening_steps": gate.opening_steps, "full_share": 1.0, "early_games": 0}
        play = play.model_copy(update=fair)
        search = search.model_copy(update={"forced_playouts": 0.0})
        simulations, noise, record_surprise = gate.simulations, gate.noise, False
    contestants = [
        fill(
            _core.Contestant(),
            search=search.native(noise=noise, simulations=simulations, plan=plan),
            first_net=first,
        )
        for first in range(0, nets, nets_of_a_model)
    ]
    return fill(
        _core.SelfPlayOptions(),
        play,
        apart={"games", "parallel", "int8", "tablebase"},
        contestants=contestants,
        fast_simulations=play.fast_simulations * len(plan.turns),
        early_simulations=play.early_simulations * len(plan.turns),
        record_surprise=record_surprise,
    )


def evaluate_once(pool: _core.Pool, nets: Sequence[Evaluator]) -> int:
    """Evaluate all states that wait for one net, the one most wait for; their number.

    The others wait: so games whose searches have drifted apart come together at each net again,
    and its batches stay full.
    """
    counts = pool.collect()
    rows = max(counts)
    if rows:
        net = counts.index(rows)
        pool.receive(net, *nets[net](pool.inputs(net)[:rows]))
    return rows


class _Worker(GameWorker[_core.Pool]):
    def __init__(self, channel: Channel, recipe: Recipe) -> None:
        super().__init__(channel)
        self._recipe = recipe
        self._nets: list[Evaluator] = []
        self._formats: list[tuple[str, str, int]] = []
        self._plan = SearchPlan()

    def _load(self, folders: Sequence[Path]) -> None:
        cards = [read_model(folder) for folder in folders]
        fast = self._recipe.selfplay.int8 and len(cards) == 1  # a gate weighs the nets proper
        self._nets = [
            OnnxNet(folder / ((fast and net.int8) or net.file))
            for folder, card in zip(folders, cards, strict=True)
            for net in card.nets
        ]
        formats = [net.format for card in cards for net in card.nets]
        self._plan = cards[0].plan
        if formats != self._formats:
            self._pool = None
        self._formats = formats
        if self._pool is not None:
            self._pool.set_version(self._version)

    def _open_pool(self, games: Assignment) -> _core.Pool:
        pool = selfplay_pool(self._recipe, self._formats, plan=self._plan, stream=games.stream)
        pool.set_version(self._version)
        return pool

    def _advance(self, pool: _core.Pool) -> tuple[int, list[bytes]]:
        return evaluate_once(pool, self._nets), pool.take_finished()


def selfplay_main(channel: Channel, recipe: Recipe) -> None:
    """The main function of a worker; ends when its owner goes."""
    with as_worker(channel):
        _Worker(channel, recipe).run()
