"""The process that plays games, one after the other, for `pool`.

It may die at any time, with a player or by somebody's hand. So it status what it is at in memory
that it shares with the pool.
"""

from __future__ import annotations

import os
import time
import traceback
from contextlib import ExitStack, suppress
from ctypes import Structure, c_double, c_int64, c_ubyte
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray, RawValue

from boardzero.arena.openings import Opening
from boardzero.arena.play_game import START_SECONDS, GameObserver, Scoresheet, fault_of, play_game
from boardzero.arena.schedule import derived_seed
from boardzero.arena.terms import Terms
from boardzero.base.errors import BoardZeroError
from boardzero.base.processes import end_with_parent
from boardzero.games import make
from boardzero.games.registry import home_of
from boardzero.players import Player, make_player, name_player, player_families
from boardzero.players.registry import with_seed
from boardzero.store import PlayedGame

NO_SEAT = -1
_GRACE = 1.0  # seconds in which a worker can say itself that its player was late
_ROOM = 2**18  # bytes for the moves of a game; a longer one is noted in part


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to be played."""

    number: int
    game: str
    seats: tuple[str, ...]
    opening: Opening
    terms: Terms
    seed: int

    def sheet(self) -> Scoresheet:
        return Scoresheet(self.game, self.seats, self.opening, self.seed)


@dataclass(frozen=True, slots=True)
class GameFailure:
    """Why a game could not be played, where no player is at fault."""

    sentence: str
    trace: str = ""  # of a mistake of ours


@dataclass(frozen=True, slots=True)
class Registrations:
    """Games and players that another process does not know by itself."""

    modules: tuple[str, ...]  # that register them
    names: tuple[tuple[str, str], ...] = ()  # that somebody gave to players, and their specs

    @classmethod
    def of(cls, game: str) -> Registrations:
        """What it takes to know this game and all players of this process."""
        families = player_families()
        modules = {home_of(game), *(family.make.__module__ for family in families)}
        # New processes load the main module by themselves.
        named = tuple(sorted(module for module in modules if module not in (None, "__main__")))
        return cls(named, tuple((f.name, f.stands_for) for f in families if f.stands_for))

    def apply(self) -> None:
        """Register the same in this process."""
        for module in self.modules:
            import_module(module)
        for name, spec in self.names:
            name_player(name, spec)


class _StatusBlock(Structure):
    _fields_ = (
        ("number", c_int64),
        ("seat", c_int64),
        ("deadline", c_double),
        ("length", c_int64),
    )


class WorkerStatus(GameObserver):
    """The game, the moves so far and the seat that a worker is at, in memory that outlives it."""

    def __init__(self) -> None:
        self._block = RawValue(_StatusBlock, NO_SEAT, NO_SEAT, float("inf"), 0)
        self._text = RawArray(c_ubyte, _ROOM)

    # Written by the worker.

    def begin(self, number: int) -> None:
        self._block.length = 0
        self._block.seat = NO_SEAT
        self._block.number = number

    def turn(self, seat: int, seconds: float) -> None:
        self._block.deadline = time.monotonic() + seconds + _GRACE
        self._block.seat = seat

    def moved(self, move: str) -> None:
        self._block.seat = NO_SEAT
        self._block.deadline = float("inf")
        text: list[int | c_ubyte] = [*f"{move}\n".encode()]
        start = self._block.length
        if start + len(text) <= _ROOM:
            self._text[start : start + len(text)] = text
            self._block.length = start + len(text)

    def closing(self) -> None:
        """The game is over, but its players are not yet gone."""
        self._block.number = self._block.seat = NO_SEAT
        self._block.deadline = time.monotonic() + START_SECONDS

    def idle(self) -> None:
        self._block.deadline = float("inf")

    # Read by the pool.

    @property
    def number(self) -> int:
        """Of the game that is being played."""
        return int(self._block.number)

    @property
    def seat(self) -> int:
        """Whose player is at work."""
        return int(self._block.seat)

    @property
    def overdue(self) -> bool:
        return time.monotonic() > float(self._block.deadline)

    @property
    def moves(self) -> list[str]:
        return bytes(self._text[: self._block.length]).decode().split("\n")[:-1]


def run_worker(
    pipe: Connection, status: WorkerStatus, registrations: Registrations, niceness: int = 0
) -> None:
    """The main function of the process: plays what comes through the pipe until it closes."""
    end_with_parent()
    os.nice(niceness)
    registrations.apply()
    with suppress(EOFError, ConnectionError):  # the pool is gone
        while True:
            task: GameTask = pipe.recv()
            with ExitStack() as players:
                pipe.send(_result(task, players, status))
                status.closing()  # only now: a player that hangs here must not take the game along
            status.idle()


def _result(task: GameTask, players: ExitStack, status: WorkerStatus) -> PlayedGame | GameFailure:
    status.begin(task.number)
    try:
        return _play(task, players, status)
    except BoardZeroError as error:
        return GameFailure(str(error))
    except Exception as error:
        return GameFailure(fault_of(error), traceback.format_exc())


def _play(task: GameTask, cleanup: ExitStack, status: WorkerStatus) -> PlayedGame:
    """A game with players made for it: nothing of another game can have an influence."""
    game = _game(task.game)
    sheet = task.sheet()
    players: list[Player] = []
    for seat, spec in enumerate(task.seats):
        status.turn(seat, START_SECONDS)
        try:
            player = make_player(with_seed(spec, derived_seed(task.seed, seat)), game)
        except (Exception, SystemExit) as error:
            return sheet.forfeited(seat, fault_of(error))
        cleanup.callback(_close, player)
        players.append(player)
    return play_game(game, players, sheet=sheet, terms=task.terms, observer=status)


_game = cache(make)


def _close(player: Player) -> None:
    with suppress(Exception, SystemExit):
        player.close()
