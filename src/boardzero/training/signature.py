"""What a worker shows when it joins: that it computes what the machine of its owner computes.

Perft counts the positions that the rules lead to. A fixed search, with a net that hashes what it
sees, has the same nodes on every machine, and so has the engine where a game has one. A machine
with another build, other rules or broken arithmetic shows other numbers, and would play games that
are legal but not those of the run.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields
from functools import cache

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, State, make
from boardzero.models import SearchConfig, SearchPlan
from boardzero.models.onnx import HashNet
from boardzero.players import make_player
from boardzero.workers.messages import message

_PERFT_LEAVES = 20_000  # about; rules in Python take half a second for them
_SIMULATIONS = 100
_ENGINE = "alphabeta:mode=engine,depth=5,seed=1"
_PLIES = (0, 9)  # of fixed play before the positions that are searched


@dataclass(frozen=True, slots=True)
class ShowSignature:
    """Asks a worker for the signature of a game."""

    game: str


@message
@dataclass(frozen=True, slots=True)
class WorkerSignature:
    """Numbers that are the same on every machine that computes rightly."""

    perft: int
    search: str  # nodes and moves of PUCT
    engine: str  # of alpha-beta; empty for a game without an engine

    def difference(self, other: WorkerSignature) -> str:
        """What the other one has instead; empty if they agree."""
        return ", ".join(
            f"{field.name} {getattr(other, field.name)} instead of {getattr(self, field.name)}"
            for field in fields(self)
            if getattr(other, field.name) != getattr(self, field.name)
        )


@cache
def signature_of(spec: str) -> WorkerSignature:
    """Of a game on this machine; it takes a fraction of a second."""
    game = make(spec)
    positions = [fixed_position(game, plies) for plies in _PLIES]
    return WorkerSignature(_perft(game.start()), _search(game, positions), _engine(game, positions))


def fixed_position(game: Game, plies: int) -> State:
    """The same position every time; the last one that goes on, if the game ends before."""
    state = game.start()
    for ply in range(plies):
        after = state.copy()
        actions = after.actions()
        after.play_action(actions[zlib.crc32(bytes([ply])) % len(actions)])
        if after.outcome() is not None:
            break
        state = after
    return state


def hashed_search(
    state: State, shape: _core.Shape, config: SearchConfig, plan: SearchPlan, *, nets: int
) -> list[_core.RootAction]:
    """What a search finds with nets that hash, the best first."""
    formats = [("mover", "flat", 0)] * nets
    options = config.native(noise=False, plan=plan)
    search = _core.make_search(state.native, options, formats, seed=1)
    while (planes := search.collect()) is not None:
        if len(planes):
            net = HashNet(shape.actions, shape.players, salt=search.net())
            search.receive(*net(planes))
    return search.candidates()


def _perft(state: State) -> int:
    depth, count = 1, state.perft(1)
    while count * len(state.actions()) <= _PERFT_LEAVES and depth < 6:
        depth += 1
        count = state.perft(depth)
    return count


def _search(game: Game, positions: list[State]) -> str:
    config = SearchConfig(simulations=_SIMULATIONS)
    found = []
    for state in positions:
        candidates = hashed_search(state, game.shape, config, SearchPlan(), nets=1)
        nodes = sum(candidate.visits for candidate in candidates)
        found.append(f"{nodes}:{candidates[0].action}/{candidates[0].visits}")
    return " ".join(found)


def _engine(game: Game, positions: list[State]) -> str:
    try:
        player = make_player(_ENGINE, game)
    except BoardZeroError:  # it has none
        return ""
    found = []
    for state in positions:
        player.new_game()
        choice = player.choose(state)
        found.append(f"{choice.nodes}:{choice.move.text}")
    return " ".join(found)
