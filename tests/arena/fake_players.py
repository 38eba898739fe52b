"""Players with one habit each, most of them bad; importing this registers them."""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from boardzero.base.specs import Option, Value
from boardzero.games import Game, Move, State
from boardzero.players import Choice, Limit, Player, PlayerFamily, register_player

Options = Mapping[str, Value]


class Fake(Player):
    """Plays random moves, with a habit from its move number `after` on."""

    def __init__(self, spec: str, options: Options, habit: Callable[[State, Options], Move | None]):
        self.spec = spec
        self._options = options
        self._habit = habit
        self._dice = Random(int(options["seed"]))
        self._moves = 0

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: ARG002, B008
        self._moves += 1
        move = None
        if self._moves > int(self._options["after"]):
            move = self._habit(state, self._options)
        return Choice(move or self._dice.choice(state.moves()))


def honest(_state: State, _options: Options) -> None:
    return None


def illegal(state: State, _options: Options) -> Move:
    """A move that is legal only after somebody else's."""
    later = state.after(state.moves()[0])
    return later.moves()[0]


def cheating(state: State, _options: Options) -> Move:
    """Plays on the board that it was shown."""
    move = state.moves()[0]
    state.play(move)
    return move


def hang(_state: State, _options: Options) -> None:
    time.sleep(1000)


def nap(_state: State, options: Options) -> None:
    time.sleep(float(options["seconds"]))


def fail(_state: State, _options: Options) -> None:
    raise RuntimeError("no idea\nwhat to do")


def leave(_state: State, _options: Options) -> None:
    sys.exit("enough")


def crash(_state: State, options: Options) -> None:
    """Takes its process with it; only the first time if there is a file to remember that."""
    once = str(options["once"])
    if once:
        if Path(once).exists():
            return
        Path(once).touch()
    os.kill(os.getpid(), signal.SIGSEGV)


OPTIONS = (
    Option("after", 0, "moves before the habit shows"),
    Option("seconds", 0.01, "length of a nap"),
    Option("once", "", "file that marks a crash"),
    Option("seed", 0, "of the random moves"),
)


def register(name: str, habit: Callable[[State, Options], Move | None]) -> None:
    def make(spec: str, _game: Game, options: Options) -> Player:
        return Fake(spec, options, habit)

    register_player(PlayerFamily(f"fake-{name}", "for tests", OPTIONS, make))


for each in (honest, illegal, cheating, hang, nap, fail, leave, crash):
    register(each.__name__, each)
