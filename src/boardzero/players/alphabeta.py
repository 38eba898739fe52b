"""Alpha-beta, for games of two players.

`alphabeta:depth=n` is the classic algorithm of Meng 2020 and Ocheretian 2022, which finds what
minimax finds. `alphabeta:time=s` is an engine: iterative deepening, a table of positions, principal
variation search, endgame tables, and more; see `Features`. Positions are evaluated by what is
written by hand for the game, or by a sparse net: `alphabeta:run=NAME`. With a margin it errs on
purpose (`near_best`), as an engine that looks no further than its depth and asks no tables.
"""

from __future__ import annotations

from collections.abc import Mapping

from boardzero import _core
from boardzero.base.specs import Option, Value
from boardzero.games import Game
from boardzero.games.tablebase import tables
from boardzero.players.classic_search import (
    EVALUATION_OPTIONS,
    NODES,
    TABLEBASE,
    TIME,
    Budget,
    ChosenEvaluation,
    SearchPlayer,
    megabytes,
    near_best,
    seed,
)
from boardzero.players.near_best import MARGIN
from boardzero.players.registry import SEED, PlayerFamily, register_player


def _make(spec: str, game: Game, options: Mapping[str, Value]) -> SearchPlayer:
    budget = Budget.of(options)
    errs = near_best(game, options)
    mode = str(options["mode"])
    if mode == "auto":
        only_depth = budget == Budget(depth=budget.depth) != Budget()
        mode = "plain" if only_depth and errs is None else "engine"
    plain = mode == "plain"
    features = _core.Features.plain() if plain else _core.Features.engine()
    features.all_moves = bool(options["analyse"]) or errs is not None
    by = ChosenEvaluation.chosen(spec, game, options, auto="material" if plain else "hand")
    searcher = _core.make_alphabeta(
        game.start().native,
        by.choice,
        features,
        megabytes(options, "hash"),
        seed(options),
        threads=1 if plain else int(options["threads"]),
        tablebase=tables(game) if options["tablebase"] and not plain and errs is None else None,
    )
    return SearchPlayer(
        by.spec,
        searcher,
        budget,
        fallback=Budget(depth=4) if plain else Budget(time=1.0),
        fingerprint=by.fingerprint,
        near_best=errs,
    )


_DEPTH = Option("depth", 0, "changes of the player to look ahead; 0 is no bound", low=0, high=127)

register_player(
    PlayerFamily(
        "alphabeta",
        "with depth the classic algorithm, with time or nodes a full engine",
        (
            _DEPTH,
            TIME,
            NODES,
            *EVALUATION_OPTIONS,
            Option("mode", "auto", "plain algorithm or engine", ("auto", "plain", "engine")),
            Option("hash", 32, "megabytes for the engine's table of positions", low=1, high=65536),
            Option(
                "threads", 1, "of the engine; only one gives the same move again", low=1, high=256
            ),
            TABLEBASE,
            Option("analyse", False, "find the value of every move, not only of the best"),
            MARGIN,
            SEED,
        ),
        _make,
        seats=(2, 2),
    )
)
