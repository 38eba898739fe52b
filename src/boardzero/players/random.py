"""The player that every other one must beat: any legal move, each as likely as the others."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from boardzero.base.specs import Value
from boardzero.games import Game, State
from boardzero.players.player import Choice, Limit, Player
from boardzero.players.registry import SEED, PlayerFamily, register_player


class RandomPlayer(Player):
    """Needs no time; the same seed gives the same moves."""

    def __init__(self, spec: str, seed: int | None = None) -> None:
        self.spec = spec
        self._rng = Random(seed)

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: ARG002, B008
        return Choice(self._rng.choice(state.moves()))


def _make(spec: str, _game: Game, options: Mapping[str, Value]) -> Player:
    seed = int(options["seed"])
    return RandomPlayer(spec, None if seed < 0 else seed)


register_player(PlayerFamily("random", "any legal move", (SEED,), _make))
