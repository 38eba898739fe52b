"""A player with a trained model: a PUCT search whose leaves its net, or its nets, evaluate.

They may be residual nets or a sparse one (`leaf_nets`).

Search options are those of the model's recipe unless given.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from boardzero import _core
from boardzero.base.specs import Value
from boardzero.games import Game, Move, State
from boardzero.games.tablebase import tables
from boardzero.models import fingerprint
from boardzero.models.kinds import read_model_for
from boardzero.players.last_root import LastRoot
from boardzero.players.leaf_nets import Pace, leaf_nets
from boardzero.players.player import Candidate, Choice, Limit, Player
from boardzero.players.time_management import REPORT_SECONDS, seconds_for_move

_ENDLESS = 1_000_000_000  # simulations, where only time bounds the search
_AHEAD = 0.2  # better than a draw by this much


class ZeroPlayer(Player):
    """Picks the action that its search likes best, step by step until the move is whole.

    With a temperature it samples, each action by its visits and its prior: the way to
    weaker levels.
    """

    def __init__(self, spec: str, folder: Path, game: Game, options: Mapping[str, Value]) -> None:
        self.spec = spec
        self.card = read_model_for("zero", folder, game)
        self.fingerprint = fingerprint(folder, self.card)
        self._nets = leaf_nets(folder, self.card, game)
        config = self.card.search
        if options["c_puct"]:
            config = config.model_copy(update={"c_puct": float(options["c_puct"])})
        plan = self.card.plan
        self._asked_simulations = int(options["sims"])
        self._usual_simulations = config.simulations * len(plan.turns)
        self._seconds = float(options["time"]) or None
        self._temperature = float(options["temperature"])
        self._rng = Random(None if int(options["seed"]) < 0 else int(options["seed"]))
        self._tablebase = tables(game) if options["tablebase"] else None
        memory = int(options["memory"]) << 20
        noise = bool(options["noise"])
        self._search_options = config.native(noise=noise, plan=plan, memory=memory)
        self._by_lot = noise or config.random_ties
        # A Gumbel root shares out a number of simulations that it must know beforehand.
        endless = config.model_copy(update={"root": "puct"})
        self._endless_options = endless.native(noise=noise, plan=plan, memory=memory)
        self._stopped = False
        self._last_root = LastRoot()
        self._search: _core.NetSearch | None = None  # the last one, with its tree

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: B008
        self._stopped = False
        begun = time.monotonic()
        deadline, simulations = self._budget(limit, begun, is_forced=len(state.moves()) == 1)
        against_time = simulations >= _ENDLESS
        search = self._go_on(state) if against_time else None
        if search is None:
            known = deadline is None and not self._temperature
            search = self._begin(state, self._search_options if known else self._endless_options)
        position = state.copy()
        actions: list[int] = []
        first: Choice | None = None
        done = 0
        while True:  # a capture of several jumps is several actions, each searched
            if len(position.actions()) > 1 or first is None:
                told = None if first is not None else partial(self._tell, state, search, begun)
                self._run(search, simulations, deadline, told)
                done += search.simulations()
                first = first or _so_far(state, search, begun)
                action = self._pick(_without_repetition(position, search.candidates()))
            else:
                action = position.actions()[0]
            self._last_root.keep(position)
            position.play_action(action)
            actions.append(action)
            if made := state.moves_of(actions):
                move = made[0]
                break
            search.follow([action])
        self._search = search if against_time else None
        # The steps that follow may have changed what the first one led to expect.
        line = first.pv if first.pv[:1] == (move.text,) else (move.text,)
        return replace(first, move=move, pv=line, nodes=done, time=time.monotonic() - begun)

    def new_game(self) -> None:
        self._last_root.forget()
        self._search = None

    def stop(self) -> None:
        self._stopped = True

    def _budget(self, limit: Limit, begun: float, *, is_forced: bool) -> tuple[float | None, int]:
        """When to stop, and after how many simulations of each step."""
        seconds = seconds_for_move(limit, self._seconds)
        if limit.clock is not None and is_forced:
            seconds = 0.0  # a forced move needs no thought
        counts = [n for n in (limit.simulations, limit.nodes) if n is not None]
        usual = self._usual_simulations if seconds is None else _ENDLESS
        simulations = min(counts, default=self._asked_simulations or usual)
        return (None if seconds is None else begun + seconds), simulations

    def _pick(self, candidates: list[_core.RootAction]) -> int:
        best = candidates[0]
        if self._temperature == 0 or (best.proven and best.value >= 1):
            return best.action
        # The prior lets a rising temperature reach moves that the search did not try.
        scores = [c.visits + c.prior for c in candidates]
        most = max(scores) or 1.0
        weights = [(score / most) ** (1 / self._temperature) for score in scores]
        return self._rng.choices(candidates, weights)[0].action if any(weights) else best.action

    def _go_on(self, state: State) -> _core.NetSearch | None:
        """The last search, if the game has come here from where it was."""
        played = self._last_root.played_since(state)
        if self._search is None or played is None:
            return None
        self._search.follow(played)
        return self._search

    def _begin(self, state: State, options: _core.SearchOptions) -> _core.NetSearch:
        """A search from here; a net that sees earlier positions gets to see those of the game."""
        start = state.copy()
        since: list[int] = []
        while start.history and len(since) < self._nets.history:
            played = start.undo()
            since = [*([played] if isinstance(played, int) else played.actions), *since]
        lot = self._rng.getrandbits(63) if self._by_lot else 0
        search = self._nets.search(start.native, options, seed=lot, tablebase=self._tablebase)
        search.follow(since)
        return search

    def _run(
        self,
        search: _core.NetSearch,
        simulations: int,
        deadline: float | None,
        tell: Callable[[], None] | None,
    ) -> None:
        search.set_simulations(simulations)
        now = told = time.monotonic()
        end = math.inf if deadline is None else deadline
        exact = simulations < _ENDLESS
        while self._nets.advance(search, Pace(exact, max(0.0, end - now))):
            now = time.monotonic()
            if self._stopped or now >= end:
                break
            if tell is not None and now - told >= REPORT_SECONDS:
                tell()
                told = now

    def _tell(self, state: State, search: _core.NetSearch, begun: float) -> None:
        if self.on_progress is not None:
            self.on_progress(_so_far(state, search, begun))


def _so_far(state: State, search: _core.NetSearch, begun: float) -> Choice:
    """What a search from a state has found about its first action."""
    found = search.candidates()
    candidates = _moves_of(state, found)
    line = tuple(move.text for move in state.moves_of(found[0].line))
    return Choice(
        candidates[0].move,
        value=search.values()[state.to_move],
        pv=line,
        candidates=candidates,
        nodes=search.simulations(),
        depth=len(line),
        time=time.monotonic() - begun,
        values=tuple(search.values()),
    )


def _without_repetition(state: State, found: list[_core.RootAction]) -> list[_core.RootAction]:
    """The candidates, unless the best one brings an earlier position back and the mover is ahead.

    Then only those that lead on and are nearly as good, if there are any: a lead that goes round
    in circles ends as a draw.
    """
    best = found[0]
    draw = 2 / state.game.players - 1
    before = state.came_before() if best.value >= draw + _AHEAD else frozenset()

    def repeats(candidate: _core.RootAction) -> bool:
        after = state.copy()
        after.play_action(candidate.action)
        return after.key() in before

    if not before or not repeats(best):
        return found
    good = max(draw, best.value - _AHEAD)
    tried = best.visits / 20  # enough that the value means something
    others = [c for c in found if c.value >= good and c.visits >= tried and not repeats(c)]
    return others or found


def _moves_of(state: State, found: list[_core.RootAction]) -> list[Candidate]:
    """Actions as moves: of those that begin with an action, the one that its line goes on with."""
    return [
        Candidate(_move_of(state, c.line), visits=c.visits, value=c.value, prior=c.prior)
        for c in found
    ]


def _move_of(state: State, line: list[int]) -> Move:
    """The first move of a line; if that breaks off before, the first of those that go on so."""
    for end in range(1, len(line) + 1):
        if made := state.moves_of(line[:end]):
            return made[0]
    rest = state.native.clone()
    rest.play_all(line)
    return state.moves_of([*line, *rest.moves()[0].actions])[0]
