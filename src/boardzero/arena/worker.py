"""The process that plays games, one after the other, for `pool`.

It may die at any time, with a player or by somebody's hand. So it notes what it is at in memory
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

from boardzero.arena.match import START_SECONDS, Scoresheet, fault_of, play_game
from boardzero.arena.openings import Opening
from boardzero.arena.schedule import derived_seed
from boardzero.arena.terms import Terms
from boardzero.base.errors import BoardZeroError
from boardzero.base.processes import end_with_parent
from boardzero.base.specs import Spec, parse_spec
from boardzero.games import Game, make
from boardzero.games.registry import home_of
from boardzero.players import Player, make_player, name_player, player_families, player_family
from boardzero.store import PlayedGame

__all__ = ["NOBODY", "Breakdown", "Known", "Notes", "Task", "get_to_know", "known_here", "serve"]

NOBODY = -1
_GRACE = 1.0  # seconds in which a worker can say itself that its player was late
_LARGEST_SEED = 2**48  # of derived ones; an option that sets no bound itself takes less
_ROOM = 2**18  # bytes for the moves of a game; a longer one is noted in part


@dataclass(frozen=True, slots=True)
class Task:
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
class Breakdown:
    """Why a game could not be played, where no player is to blame."""

    sentence: str
    trace: str = ""  # of a mistake of ours


@dataclass(frozen=True, slots=True)
class Known:
    """Games and players that are not known by themselves."""

    modules: tuple[str, ...]  # that register them
    names: tuple[tuple[str, str], ...] = ()  # that somebody gave to players, and their specs


class _Page(Structure):
    _fields_ = (
        ("number", c_int64),
        ("seat", c_int64),
        ("deadline", c_double),
        ("length", c_int64),
    )


class Notes:
    """What a worker is at, in memory that outlives it."""

    def __init__(self) -> None:
        self._page = RawValue(_Page, NOBODY, NOBODY, float("inf"), 0)
        self._text = RawArray(c_ubyte, _ROOM)

    # Written by the worker.

    def begin(self, number: int) -> None:
        self._page.length = 0
        self._page.seat = NOBODY
        self._page.number = number

    def turn(self, seat: int, seconds: float) -> None:
        self._page.deadline = time.monotonic() + seconds + _GRACE
        self._page.seat = seat

    def moved(self, move: str) -> None:
        self._page.seat = NOBODY
        self._page.deadline = float("inf")
        text: list[int | c_ubyte] = [*f"{move}\n".encode()]
        start = self._page.length
        if start + len(text) <= _ROOM:
            self._text[start : start + len(text)] = text
            self._page.length = start + len(text)

    def closing(self) -> None:
        """The game is over, but its players are not yet gone."""
        self._page.number = self._page.seat = NOBODY
        self._page.deadline = time.monotonic() + START_SECONDS

    def idle(self) -> None:
        self._page.deadline = float("inf")

    # Read by the pool.

    @property
    def number(self) -> int:
        """Of the game that is being played."""
        return int(self._page.number)

    @property
    def seat(self) -> int:
        """Whose player is at work."""
        return int(self._page.seat)

    @property
    def overdue(self) -> bool:
        return time.monotonic() > float(self._page.deadline)

    @property
    def moves(self) -> list[str]:
        return bytes(self._text[: self._page.length]).decode().split("\n")[:-1]


def serve(pipe: Connection, notes: Notes, known: Known, niceness: int = 0) -> None:
    """Play what comes through the pipe until it closes."""
    end_with_parent()
    os.nice(niceness)
    get_to_know(known)
    with suppress(EOFError, ConnectionError):  # the pool is gone
        while True:
            task: Task = pipe.recv()
            with ExitStack() as players:
                pipe.send(_result(task, players, notes))
                notes.closing()  # only now: a player that hangs here must not take the game along
            notes.idle()


def get_to_know(known: Known) -> None:
    """Know the same games and players as another process."""
    for module in known.modules:
        import_module(module)
    for name, spec in known.names:
        name_player(name, spec)


def known_here(game: str) -> Known:
    """What another process has to be told so that it knows this game and all players."""
    families = player_families()
    modules = {home_of(game), *(family.make.__module__ for family in families)}
    # New processes load the main module by themselves.
    named = tuple(sorted(module for module in modules if module not in (None, "__main__")))
    return Known(named, tuple((f.name, f.stands_for) for f in families if f.stands_for))


def _result(task: Task, players: ExitStack, notes: Notes) -> PlayedGame | Breakdown:
    notes.begin(task.number)
    try:
        return _play(task, players, notes)
    except BoardZeroError as error:
        return Breakdown(str(error))
    except Exception as error:
        return Breakdown(fault_of(error), traceback.format_exc())


def _play(task: Task, cleanup: ExitStack, notes: Notes) -> PlayedGame:
    """A game with players made for it: nothing of another game can have an influence."""
    game = _game(task.game)
    sheet = task.sheet()
    players: list[Player] = []
    for seat, spec in enumerate(task.seats):
        notes.turn(seat, START_SECONDS)
        try:
            player = make_player(_seeded(spec, derived_seed(task.seed, seat)), game)
        except (Exception, SystemExit) as error:
            return sheet.forfeited(seat, fault_of(error))
        cleanup.callback(_close, player)
        players.append(player)
    return play_game(game, players, sheet=sheet, terms=task.terms, watch=notes)


@cache
def _game(spec: str) -> Game:
    return make(spec)


def _seeded(spec: str, seed: int) -> str:
    """The spec with this seed, if its kind of player takes one and it names none itself."""
    parsed = parse_spec(spec)
    options = player_family(parsed.name).options
    option = next((option for option in options if option.name == "seed"), None)
    if option is None or "seed" in parsed.options:
        return spec
    fitting = seed if option.high is not None and option.high >= _LARGEST_SEED else seed % 2**31
    return str(Spec(parsed.name, {**parsed.options, "seed": str(fitting)}))


def _close(player: Player) -> None:
    with suppress(Exception, SystemExit):
        player.close()
