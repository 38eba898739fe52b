"""Searches to a fixed depth for any number of players.

They differ in what they think that the others want: the most for themselves (`maxn`), the least for
us (`paranoid`), or, one of them each round, our harm (`brs`, best-reply search).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardzero import _core
from boardzero.base.specs import Option
from boardzero.players.classic_search import (
    EVAL,
    NODES,
    TIME,
    Budget,
    SearchPlayer,
    evaluation,
    seed,
)
from boardzero.players.registry import SEED, PlayerFamily, register_player

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boardzero.base.specs import Value
    from boardzero.games import Game

__all__: list[str] = []


def _register(name: str, summary: str, others: _core.Others, depth_help: str) -> None:
    def make(spec: str, game: Game, options: Mapping[str, Value]) -> SearchPlayer:
        chosen = evaluation(game, options, auto="material")
        searcher = _core.make_maxn(game.start().native, chosen, others, seed(options))
        return SearchPlayer(spec, searcher, Budget.of(options), fallback=Budget(depth=3))

    depth = Option("depth", 3, depth_help, low=1, high=60)
    register_player(PlayerFamily(name, summary, (depth, TIME, NODES, EVAL, SEED), make))


_TURNS = "changes of the player to look ahead"
_register("maxn", "each player wants the most for itself", _core.Others.SELFISH, _TURNS)
_register("paranoid", "all others play against us", _core.Others.HOSTILE, _TURNS)
_register(
    "brs",
    "one of the others makes its best reply to us each round",
    _core.Others.BEST_REPLY,
    "own moves and rounds of the others to look ahead",
)
