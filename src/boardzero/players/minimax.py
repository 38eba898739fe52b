"""Minimax, and its relatives for any number of players: all search to a fixed depth.

`minimax:depth=n` is that of Meng 2020 and Ocheretian 2022: it looks n changes of the player ahead,
evaluates by material where the game has it, and prefers quicker wins; among equally good moves it
picks one at random. The others differ in what they think that opponents want: the most for
themselves (`maxn`), the least for us (`paranoid`), or, one of them each round, our harm (`brs`,
best-reply search).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from boardzero import _core
from boardzero.base.specs import Option, Value
from boardzero.games import Game
from boardzero.players.classic_search import (
    EVALUATION_OPTIONS,
    NODES,
    TIME,
    Budget,
    ChosenEvaluation,
    SearchPlayer,
    near_best,
)
from boardzero.players.classic_search import seed as seed_of
from boardzero.players.near_best import MARGIN
from boardzero.players.registry import SEED, PlayerFamily, register_player

_TURNS = "changes of the player to look ahead"


def _register(
    name: str,
    summary: str,
    search: Callable[
        [_core.NativeState, ChosenEvaluation, int], _core.Searcher
    ],  # (start, by, seed)
    options: tuple[Option, ...],
    seats: tuple[int, int] = (2, 4),
) -> None:
    def make(spec: str, game: Game, options: Mapping[str, Value]) -> SearchPlayer:
        by = ChosenEvaluation.chosen(spec, game, options, auto="material")
        searcher = search(game.start().native, by, seed_of(options))
        budget, fallback = Budget.of(options), Budget(depth=3)
        return SearchPlayer(
            by.spec,
            searcher,
            budget,
            fallback=fallback,
            fingerprint=by.fingerprint,
            near_best=near_best(game, options),
        )

    declared = (*options, *EVALUATION_OPTIONS, MARGIN, SEED)
    register_player(PlayerFamily(name, summary, declared, make, seats))


def _register_maxn(name: str, summary: str, others: _core.Others, depth_help: str = _TURNS) -> None:
    def search(start: _core.NativeState, by: ChosenEvaluation, seed: int) -> _core.Searcher:
        return _core.make_maxn(start, by.choice, others, seed)

    depth = Option("depth", 3, depth_help, low=1, high=60)
    _register(name, summary, search, (depth, TIME, NODES))


_register(
    "minimax",
    "looks at every line of play to a fixed depth",
    lambda start, by, seed: _core.make_minimax(start, by.choice, seed),
    (Option("depth", 3, _TURNS, low=1, high=127),),
    seats=(2, 2),
)
_register_maxn("maxn", "each player wants the most for itself", _core.Others.selfish)
_register_maxn("paranoid", "all others play against us", _core.Others.hostile)
_register_maxn(
    "brs",
    "one of the others makes its best reply to us each round",
    _core.Others.best_reply,
    "own moves and rounds of the others to look ahead",
)
