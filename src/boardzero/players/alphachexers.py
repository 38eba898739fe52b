"""AlphaChexers, the tree search of Mann and Han for Chexers, with its pruning and clock plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from boardzero import _core
from boardzero.base.specs import Option, Value
from boardzero.games import Game, State
from boardzero.players.mcts import Mcts, UctBudget, make_uct, uct_options
from boardzero.players.player import Choice, Limit, Player
from boardzero.players.registry import PlayerFamily, register_player

_MANN_HAN = "chexers"  # the evaluation of AlphaChexers


class AlphaChexers(Mcts):
    """Mann and Han's player: 60 seconds for 256 turns, shared out by the stage of the game.

    A limit on the time of a move, or a clock, takes the place of its own clock.
    """

    def __init__(self, spec: str, *, search: _core.Uct, budget: UctBudget, clock: float) -> None:
        super().__init__(spec, search=search, budget=budget, reuse=True)
        self.seconds_left = clock
        self._clock = clock

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: B008
        if limit.clock is not None:
            share = _core.chexers_thinking_time(state.native, limit.clock.left)
            time = share if limit.time is None else min(share, limit.time)
            limit = replace(limit, clock=None, time=time)
        budget = self._budget.within(limit)
        if budget == UctBudget():
            budget = UctBudget(seconds=_core.chexers_thinking_time(state.native, self.seconds_left))
        choice = self._think(state, budget)
        self.seconds_left -= choice.time
        return choice

    def new_game(self) -> None:
        super().new_game()
        self.seconds_left = self._clock


def _make(spec: str, game: Game, options: Mapping[str, Value]) -> Player:
    search = make_uct(game, options, evaluation=_MANN_HAN, prune=bool(options["prune"]))
    budget, clock = UctBudget.of(options), float(options["clock"])
    return AlphaChexers(spec, search=search, budget=budget, clock=clock)


register_player(
    PlayerFamily(
        "alphachexers",
        "tree search with the evaluation, the pruning and the clock plan of AlphaChexers",
        (
            *uct_options("puct1"),
            Option("prune", True, "neglect pieces of others that are more than two steps away"),
            Option("clock", 60.0, "seconds for a game, where nothing else bounds a move", low=0.1),
        ),
        _make,
        seats=(3, 3),
        suits=lambda game: any(_MANN_HAN in e for e in _core.evaluations(game.start().native)),
    )
)
