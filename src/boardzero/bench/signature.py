"""What every search finds in every game, with fixed seeds: the same numbers on every machine.

A signature is the number of nodes that a search visits and the moves that it prefers. It changes
only when the search or the rules do, so that nothing changes unseen.
`tests/bench/signatures.tsv` has the signatures that the tests expect.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.bench import Measurement
from boardzero.games import Game, State, families, make
from boardzero.methods import find_method
from boardzero.models import SearchConfig
from boardzero.models.onnx import HashNet
from boardzero.players import make_player
from boardzero.training.signature import fixed_position, hashed_search

_WITH_OPTIONS = ("international:endings=meng", "gomoku:size=15", "gomoku:rule=renju,size=15")
_PLAYERS = (
    "greedy:seed=1",
    "minimax:depth=2,seed=1",
    "alphabeta:depth=4,seed=1",
    "alphabeta:mode=engine,depth=6,seed=1",
    "maxn:depth=2,seed=1",
    "paranoid:depth=2,seed=1",
    "brs:depth=2,seed=1",
    "mcts:rollouts=300,seed=1",
    "alphachexers:rollouts=300,seed=1",
)
_ROOTS = ("puct", "gumbel")
_METHODS = ("baseline", "mpv")
_PLIES = (0, 9, 24)  # of random play before the positions that are searched


@dataclass(frozen=True, slots=True)
class Signature:
    """What one search found in the positions of one game."""

    game: str
    search: str
    nodes: int
    moves: str


def signatures() -> Iterator[Signature]:
    shipped = [f.name for f in families() if f.make.__module__.startswith("boardzero.games.")]
    for spec in (*shipped, *_WITH_OPTIONS):
        game = make(spec)
        positions = [fixed_position(game, plies) for plies in _PLIES]
        for player in _PLAYERS:
            if (found := _of_player(game, player, positions)) is not None:
                yield found
        for method in _METHODS:
            for root in _ROOTS:
                yield _of_net_search(game, method, root, positions)
        yield _of_selfplay(game)


def measure() -> Iterator[Measurement]:
    for one in signatures():
        yield Measurement(f"{one.game} {one.search} {one.moves}", one.nodes, "nodes")


def _of_player(game: Game, spec: str, positions: list[State]) -> Signature | None:
    try:
        player = make_player(spec, game)
    except BoardZeroError:  # not a player of this game
        return None
    nodes, moves = 0, []
    for state in positions:
        player.new_game()
        choice = player.choose(state)
        nodes += choice.nodes
        moves.append(choice.move.text)
    return Signature(game.spec, spec, nodes, " ".join(moves))


def _of_net_search(game: Game, method: str, root: str, positions: list[State]) -> Signature:
    config = SearchConfig.model_validate({"simulations": 60, "root": root})
    plan, nets = find_method(method).plan(), len(find_method(method).nets)
    nodes, moves = 0, []
    for state in positions:
        candidates = hashed_search(state, game.shape, config, plan, nets=nets)
        nodes += sum(candidate.visits for candidate in candidates)
        moves.append(f"{candidates[0].action}/{candidates[0].visits}")
    return Signature(game.spec, f"{method} {root}", nodes, " ".join(moves))


def _of_selfplay(game: Game) -> Signature:
    """Of two short games; in place of moves a checksum of their records."""
    options = _core.SelfPlayOptions()
    contestant = _core.Contestant()
    contestant.search = SearchConfig(simulations=20, noise_weight=0.25).native(noise=True)
    options.contestants = [contestant]
    options.opening_steps = 4
    options.max_steps = 40
    pool = _core.make_pool(game.start().native, options, [("mover", "flat", 0)], 2, 1)
    pool.add([0, 1])
    net = HashNet(game.shape.actions, game.shape.players)
    decisions, checksum = 0, 0
    while pool.left():
        (rows,) = pool.collect()
        if rows:
            pool.receive(0, *net(pool.inputs(0)[:rows]))
        for record in pool.take_finished():
            decisions += len(_core.parse_record(record).decisions)
            checksum = zlib.crc32(record, checksum)
    return Signature(game.spec, "selfplay", decisions, f"{checksum:08x}")
