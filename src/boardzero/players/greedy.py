"""Captures as much as it can at every chance, and else goes forward; looks at one move only."""

from __future__ import annotations

from collections.abc import Mapping

from boardzero import _core
from boardzero.base.specs import Value
from boardzero.games import Game
from boardzero.players.classic_search import Budget, SearchPlayer, seed
from boardzero.players.registry import SEED, PlayerFamily, register_player


def _make(spec: str, game: Game, options: Mapping[str, Value]) -> SearchPlayer:
    searcher = _core.make_greedy(game.start().native, seed(options))
    return SearchPlayer(spec, searcher, Budget(), fallback=Budget(), has_values=False)


register_player(PlayerFamily("greedy", "most captures, else forward", (SEED,), _make))
