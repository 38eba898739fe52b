"""What players that are engines of others have in common: a process for each game.

A program that does not start, or does not answer as its protocol wants it, is no player that loses:
`EngineStartError` ends whatever wanted to play with it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter

from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Option, Value, parse_spec
from boardzero.games import Game, State
from boardzero.players import Choice, Limit, NotReadyError, Player, PlayerFamily
from boardzero.players.time_management import seconds_for_move
from boardzero.protocols.engine_process import EngineError, EngineProcess

COMMAND = Option("cmd", "", "the command that starts the engine, with its arguments")
FOLDER = Option("cwd", "", "the folder that it runs in; the engine's own if none is named")
TIME = Option("time", 1.0, "seconds for a move, where nothing else bounds it", low=0)
DEPTH = Option("depth", 0, "how deep it may search; 0 is no bound", low=0)
NODES = Option("nodes", 0, "how many positions it may look at; 0 is no bound", low=0)
GRACE = Option("grace", 2.0, "seconds that a move may be late before the engine is killed", low=0)

_START_SECONDS = 20.0  # for a program to start and load what it needs
_PATIENCE = 600.0  # seconds for a search that only a depth or a number of nodes bounds


class EngineStartError(EngineError, NotReadyError):
    """A program that does not come so far as to be asked for a move."""


class EnginePlayer(Player):
    """A program that is started for each game, and killed when it fails."""

    def __init__(self, spec: str, options: Mapping[str, Value]) -> None:
        self.spec = spec
        self._options = options
        self._time_is_given = "time" in parse_spec(spec).options
        self._program: EngineProcess | None = None

    def prepare(self, state: State, seat: int) -> None:
        if self._program is not None:
            return
        try:
            folder = str(self._options["cwd"]) or self._home()
            self._program = EngineProcess(self._command(state.game, seat), cwd=folder)
            self._introduce(self._program, state, perf_counter() + _START_SECONDS)
        except EngineError as error:
            self.close()
            raise EngineStartError(f"{self.spec} cannot play: {error}") from None
        except BaseException:
            self.close()
            raise

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: B008
        self.prepare(state, state.to_move)
        assert self._program is not None
        start = perf_counter()  # to start costs the program nothing
        limit = self._bounded(limit)
        try:
            choice = self._ask(self._program, state, limit, start + self._allowed(limit))
        except BaseException:
            self.close()
            raise
        return replace(choice, time=perf_counter() - start)

    def new_game(self) -> None:
        """The next game gets a new process."""
        self.close()

    def close(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program = None

    def _bounded(self, limit: Limit) -> Limit:
        """The limit, with the bounds of the player's own options where it has none."""
        own = Limit(
            time=float(self._options["time"]) if self._time_is_given else None,
            depth=int(self._options.get("depth", 0)) or None,
            nodes=int(self._options.get("nodes", 0)) or None,
        )
        if limit == own == Limit():
            return Limit(time=float(self._options["time"]))
        timed = limit.time is not None or limit.clock is not None
        return replace(
            limit,
            time=limit.time if timed else own.time,
            depth=own.depth if limit.depth is None else limit.depth,
            nodes=own.nodes if limit.nodes is None else limit.nodes,
        )

    def _allowed(self, limit: Limit) -> float:
        """Seconds after which the program hangs: it may use all of a clock, but not more."""
        seconds = [limit.time] if limit.time is not None else []
        if limit.clock is not None:
            seconds.append(limit.clock.left + limit.clock.increment)
        return (min(seconds) if seconds else _PATIENCE) + float(self._options["grace"])

    @abstractmethod
    def _command(self, game: Game, seat: int) -> str | Sequence[str]:
        """What starts the program for a seat."""

    def _home(self) -> str:
        """The folder that it runs in if none is named; none is where the command's file lies."""
        return ""

    @abstractmethod
    def _introduce(self, program: EngineProcess, state: State, until: float) -> None:
        """Greet it and name the game of this state, before that time."""

    @abstractmethod
    def _ask(self, program: EngineProcess, state: State, limit: Limit, until: float) -> Choice:
        """Its choice, if it comes before that time."""


def engine_family(
    name: str,
    summary: str,
    options: tuple[Option, ...],
    player: Callable[[str, Mapping[str, Value]], EnginePlayer],
    *,
    refusal: Callable[[Game], str],
    seats: int = 2,
) -> PlayerFamily:
    """Its first option says which program; `refusal` says why a game cannot be played, if so."""
    which = options[0].name

    def make(spec: str, game: Game, given: Mapping[str, Value]) -> Player:
        if why := refusal(game):
            raise BoardZeroError(why)
        if not given[which]:
            raise BoardZeroError(f'which program? Say so with {name}:{which}="…"')
        return player(spec, given)

    return PlayerFamily(name, summary, options, make, (seats, seats), runs_programs=True)


def milliseconds(limit: Limit) -> int:
    """The time for one move."""
    seconds = seconds_for_move(limit)
    return 2_147_483_647 if seconds is None else round(1000 * seconds)
