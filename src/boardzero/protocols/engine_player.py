"""What players that are engines of others have in common: a process for each game."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Option, Value
from boardzero.games import Game, State
from boardzero.players import Choice, Limit, Player, PlayerFamily
from boardzero.players.time_management import seconds_for_move
from boardzero.protocols.engine_process import EngineProcess

COMMAND = Option("cmd", "", "the command that starts the engine, with its arguments")
TIME = Option("time", 1.0, "seconds for a move, where nothing else bounds it", low=0)
GRACE = Option("grace", 2.0, "seconds that a move may be late before the engine is killed", low=0)

_START_SECONDS = 20.0  # for a program to start and load what it needs
_PATIENCE = 600.0  # seconds for a search that only a depth or a number of nodes bounds


class EnginePlayer(Player):
    """A program that is started for a game when it has to move, and killed when it fails."""

    def __init__(self, spec: str, options: Mapping[str, Value]) -> None:
        self.spec = spec
        self._time = float(options["time"])
        self._grace = float(options["grace"])
        self._program: EngineProcess | None = None

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: B008
        if limit == Limit():
            limit = Limit(time=self._time)
        start = perf_counter()
        try:
            if self._program is None:
                self._program = EngineProcess(self._command(state))
                self._prepare(self._program, state, perf_counter() + _START_SECONDS)
            asked = perf_counter()  # starting costs the program nothing
            choice = self._ask(self._program, state, limit, asked + self._allowed(limit))
        except BaseException:
            self.close()
            raise
        return Choice(
            choice.move,
            value=choice.value,
            pv=choice.pv,
            nodes=choice.nodes,
            depth=choice.depth,
            time=perf_counter() - start,
        )

    def new_game(self) -> None:
        """The next game gets a new process."""
        self.close()

    def close(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program = None

    def _allowed(self, limit: Limit) -> float:
        """Seconds after which the program hangs: it may use all of a clock, but not more."""
        seconds = [limit.time] if limit.time is not None else []
        if limit.clock is not None:
            seconds.append(limit.clock.left + limit.clock.increment)
        return (min(seconds) if seconds else _PATIENCE) + self._grace

    @abstractmethod
    def _command(self, state: State) -> str | Sequence[str]:
        """What starts the program for the mover of this state."""

    @abstractmethod
    def _prepare(self, program: EngineProcess, state: State, until: float) -> None:
        """Make it ready for the game of this state before that time."""

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
