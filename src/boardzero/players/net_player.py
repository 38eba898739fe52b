"""A player with a trained model: a PUCT search whose leaves its net, or its nets, judge.

Search options are those of the model's recipe unless given.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from boardzero import _core
from boardzero.errors import BoardZeroError
from boardzero.games import Game, Move, State, plays_alike
from boardzero.infer import ModelCard, NetCard, OnnxNet, read_model
from boardzero.players.player import Candidate, Choice, Limit, Player
from boardzero.specs import Value

__all__ = ["ZeroPlayer"]

_ENDLESS = 1_000_000  # simulations, where only time bounds the search
_REPORT_SECONDS = 0.2  # between reports on the way


class ZeroPlayer(Player):
    """Picks the action visited most, step by step until the move is whole."""

    def __init__(self, spec: str, folder: Path, game: Game, options: Mapping[str, Value]) -> None:
        self.spec = spec
        self.card = _checked_card(folder, game)
        self._nets = [_checked_net(folder / net.file, net, game) for net in self.card.nets]
        config = self.card.search
        if options["c_puct"]:
            config = config.model_copy(update={"c_puct": float(options["c_puct"])})
        plan = self.card.plan
        self._simulations = int(options["sims"]) or config.simulations * len(plan.turns)
        self._seconds = float(options["time"]) or None
        self._search_options = config.native(noise=False, plan=plan)
        self._stopped = False

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: B008
        self._stopped = False
        begun = time.monotonic()
        deadline, simulations = self._budget(limit, begun)
        formats = [net.format for net in self.card.nets]
        search = _core.make_search(state.native, self._search_options, formats, seed=0)
        ends = {state.after(move).key(): move for move in state.moves()}
        position = state.copy()
        first: list[_core.SearchCandidate] = []
        line: list[int] = []
        value, done = 0.0, 0
        while True:  # a capture of several jumps is several actions, each searched
            if len(position.actions()) > 1 or not first:
                listens = self.on_progress is not None and not first
                tell = partial(self._report, state, search, begun) if listens else None
                self._search(search, simulations, deadline, tell)
                done += search.simulations()
                best = search.candidates()
                if not first:
                    first, value = best, search.values()[state.to_move]
                    line = best[0].line
                action = best[0].action
            else:
                action = position.actions()[0]
            position.play_action(action)
            move = ends.get(position.key())
            if move is not None and state.after(move) == position:
                break
            search.follow([action])
        return Choice(
            move,
            value=value,
            pv=_texts(state, line),
            candidates=_moves_of(state, first),
            nodes=done,
            time=time.monotonic() - begun,
        )

    def stop(self) -> None:
        self._stopped = True

    def _budget(self, limit: Limit, begun: float) -> tuple[float | None, int]:
        seconds = limit.time or self._seconds
        if limit.clock is not None:
            share = limit.clock.left / (limit.clock.moves or 30) + 0.8 * limit.clock.increment
            seconds = min(share, limit.clock.left / 2, seconds or share)
        simulations = limit.simulations or limit.nodes
        if simulations is None:
            simulations = self._simulations if seconds is None else _ENDLESS
        return (None if seconds is None else begun + seconds), simulations

    def _search(
        self,
        search: _core.NetSearch,
        simulations: int,
        deadline: float | None,
        tell: Callable[[], None] | None,
    ) -> None:
        search.set_simulations(simulations)
        told = time.monotonic()
        while (planes := search.collect()) is not None:
            search.supply(*self._nets[search.net()](planes))
            now = time.monotonic()
            if self._stopped or (deadline is not None and now >= deadline):
                break
            if tell is not None and now - told >= _REPORT_SECONDS:
                told = now
                tell()

    def _report(self, state: State, search: _core.NetSearch, begun: float) -> None:
        found = search.candidates()
        candidates = _moves_of(state, found)
        if self.on_progress is not None and candidates:
            choice = Choice(
                candidates[0].move,
                value=search.values()[state.to_move],
                pv=_texts(state, found[0].line),
                candidates=candidates,
                nodes=search.simulations(),
                time=time.monotonic() - begun,
            )
            self.on_progress(choice)


def _checked_card(folder: Path, game: Game) -> ModelCard:
    card = read_model(folder)
    if card.method in ("single", "double"):
        raise BoardZeroError(f"{folder} is played without a search: net:model={folder}")
    if not plays_alike(card.game, game.spec):
        raise BoardZeroError(f"{folder} holds a model for {card.game}, not for {game.spec}")
    return card


def _checked_net(path: Path, card: NetCard, game: Game) -> OnnxNet:
    net = OnnxNet(path)
    wanted = _core.make_sampler(game.start().native, card.format)
    if not net.fits(wanted.input_shape(), wanted.policy_size(), wanted.players()):
        raise BoardZeroError(f"{path} does not fit what its card says about it")
    return net


def _texts(state: State, actions: list[int]) -> tuple[str, ...]:
    """A line of actions as whole moves; what is left of an unfinished one is dropped."""
    texts = []
    position = state.copy()
    begun = position.copy()
    for action in actions:
        position.play_action(action)
        for move in begun.moves():
            if begun.after(move) == position:
                texts.append(move.text)
                begun = position.copy()
                break
    return tuple(texts)


def _moves_of(state: State, found: list[_core.SearchCandidate]) -> list[Candidate]:
    """Actions as the moves that begin with them; a capture that branches later counts once."""
    by_first: dict[int, Move] = {}
    for move in state.moves():
        by_first.setdefault(move.actions[0], move)
    return [
        Candidate(by_first[c.action], visits=c.visits, value=c.value, prior=c.prior)
        for c in found
        if c.action in by_first
    ]
