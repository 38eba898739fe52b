"""Monte-Carlo tree search: UCT with roll-outs or a hand-written evaluation.

`mcts:rollouts=600` plays 600 random games for each move, `mcts:time=0.5` as many as fit into half a
second. The tree is kept from move to move as far as it is about the game that goes on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from boardzero import _core
from boardzero.base.specs import Option, Value
from boardzero.games import Game, State
from boardzero.players.classic_search import TIME, megabytes, named_evaluation, seed
from boardzero.players.last_root import LastRoot
from boardzero.players.player import Candidate, Choice, Limit, Player
from boardzero.players.registry import SEED, PlayerFamily, register_player
from boardzero.players.time_management import REPORT_SECONDS, seconds_for_move

ROLLOUTS = 10_000  # where neither the spec nor the limit says how long to think

# How much the rules explore: evaluations are less noisy than roll-outs, and differ less. Measured
# in matches of English draughts and gomoku; puct1 is Mann and Han's.
C = {"ucb1": 0.7, "puct": 4.0, "puct1": math.sqrt(1.6)}
C_HEURISTIC = {"ucb1": 0.15, "puct": 1.0, "puct1": math.sqrt(1.6)}


@dataclass(frozen=True, slots=True)
class UctBudget:
    """What a search may spend on one move; None is not bounded."""

    simulations: int | None = None
    seconds: float | None = None

    @classmethod
    def of(cls, options: Mapping[str, Value]) -> UctBudget:
        """From the options, where 0 bounds nothing."""
        return cls(int(options["rollouts"]) or None, float(options["time"]) or None)

    def within(self, limit: Limit) -> UctBudget:
        """The same, where the limit of a move says nothing else."""
        counts = [n for n in (limit.simulations, limit.nodes) if n is not None]
        return UctBudget(
            simulations=min(counts) if counts else self.simulations,
            seconds=seconds_for_move(limit, self.seconds),
        )

    def less(self, simulations: int, seconds: float) -> UctBudget:
        """What remains."""
        return UctBudget(
            None if self.simulations is None else max(0, self.simulations - simulations),
            None if self.seconds is None else max(0.0, self.seconds - seconds),
        )

    def at_most(self, seconds: float) -> UctBudget:
        least = seconds if self.seconds is None else min(seconds, self.seconds)
        return replace(self, seconds=least)

    @property
    def is_spent(self) -> bool:
        return self.simulations == 0 or self.seconds == 0


class Mcts(Player):
    """Picks the move that its simulations visited most, or that is proven to win."""

    def __init__(self, spec: str, *, search: _core.Uct, budget: UctBudget, reuse: bool) -> None:
        self.spec = spec
        self._search = search
        self._budget = budget
        self._reuse = reuse
        self._stopped = False
        self._last_root = LastRoot()

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: B008
        budget = self._budget.within(limit)
        if limit.clock is not None and len(state.moves()) == 1:
            budget = UctBudget(simulations=1)  # a forced move needs no thought
        elif budget == UctBudget():
            budget = UctBudget(simulations=ROLLOUTS)
        return self._think(state, budget)

    def new_game(self) -> None:
        self._last_root.forget()

    def stop(self) -> None:
        self._stopped = True
        self._search.stop()

    def _think(self, state: State, budget: UctBudget) -> Choice:
        played = self._last_root.played_since(state) if self._reuse else None
        self._last_root.keep(state)
        self._stopped = False
        if self.on_progress is None:
            return _choice(self._run(state, played, budget))
        return self._think_aloud(state, played, budget)

    def _think_aloud(self, state: State, played: list[int] | None, budget: UctBudget) -> Choice:
        """The same in parts, because the tree grows on, with a report after each."""
        assert self.on_progress is not None
        simulations, seconds = 0, 0.0
        while True:
            left = budget.less(simulations, seconds)
            found = self._run(state, played, left.at_most(REPORT_SECONDS))
            played = []
            simulations += found.simulations
            seconds += found.seconds
            choice = replace(_choice(found), nodes=simulations, time=seconds)
            early = found.seconds < REPORT_SECONDS / 2  # nothing is left to find out
            if self._stopped or early or budget.less(simulations, seconds).is_spent:
                return choice
            self.on_progress(choice)

    def _run(self, state: State, played: list[int] | None, budget: UctBudget) -> _core.UctReport:
        return self._search.search(
            state.native, played=played, seconds=budget.seconds, simulations=budget.simulations
        )


def _choice(found: _core.UctReport) -> Choice:
    candidates = [
        Candidate(c.move, c.visits, c.value if c.visits else None) for c in found.candidates
    ]
    return Choice(
        candidates[0].move,
        value=candidates[0].value,
        pv=tuple(found.line),
        candidates=candidates,
        nodes=found.simulations,
        depth=found.depth,
        time=found.seconds,
    )


def make_uct(
    game: Game, options: Mapping[str, Value], *, evaluation: str | None, prune: bool
) -> _core.Uct:
    """The search that the options of `uct_options` ask for; without an evaluation, by roll-outs."""
    selection = str(options["selection"])
    usual = C if evaluation is None else C_HEURISTIC
    return _core.Uct(
        game.start().native,
        selection=selection,
        c=float(options["c"]) or usual[selection],
        evaluation=evaluation,
        prune=prune,
        depth=int(options["depth"]),
        megabytes=megabytes(options, "memory"),
        prove=bool(options["prove"]),
        shuffle=True,
        seed=seed(options),
    )


def _make(spec: str, game: Game, options: Mapping[str, Value]) -> Player:
    leaves = str(options["heuristic"])
    chosen = None if leaves == "rollout" else named_evaluation(game, leaves, what="heuristic")
    search = make_uct(game, options, evaluation=chosen, prune=False)
    return Mcts(spec, search=search, budget=UctBudget.of(options), reuse=bool(options["reuse"]))


def uct_options(selection: str) -> tuple[Option, ...]:
    """Of every player that is such a search; `selection` is its usual rule."""
    return (
        Option("rollouts", 0, "simulations for each move; 0 is no bound", low=0),
        TIME,
        Option("selection", selection, "rule that leads a simulation on", tuple(C)),
        Option("c", 0.0, "how much the rule explores; 0 is its usual value", low=0),
        Option("depth", 1000, "longest path in the tree, in actions", low=1, high=10_000),
        Option("prove", True, "let results that the tree proves replace means"),
        Option("memory", 256, "megabytes that the tree may take", low=1, high=65_536),
        SEED,
    )


register_player(
    PlayerFamily(
        "mcts",
        "Monte-Carlo tree search with random roll-outs or an evaluation",
        (
            *uct_options("ucb1"),
            Option("heuristic", "rollout", "what evaluates the leaves, if not a roll-out"),
            Option("reuse", True, "keep the tree from move to move"),
        ),
        _make,
    )
)
