"""Any Hub engine as a player: `hub:cmd="scan hub"`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Option, Value
from boardzero.games import Game, Move, State
from boardzero.players import Choice, Limit
from boardzero.protocols import hub
from boardzero.protocols.engine_player import (
    COMMAND,
    DEPTH,
    FOLDER,
    GRACE,
    NODES,
    TIME,
    EnginePlayer,
    engine_family,
)
from boardzero.protocols.engine_process import EngineError, EngineProcess, LateError
from boardzero.protocols.squares import find, numbered, position


class HubPlayer(EnginePlayer):
    """Tells the engine the position and the level, and waits for `done`."""

    def __init__(self, spec: str, options: Mapping[str, Value]) -> None:
        super().__init__(spec, options)
        _, self._params = hub.parse_line(f"set {options['params']}")

    def stop(self) -> None:
        program = self._program
        if program is not None:
            with suppress(EngineError):
                program.send("stop")

    def _command(self, game: Game, seat: int) -> str:  # noqa: ARG002
        return str(self._options["cmd"])

    def _introduce(self, program: EngineProcess, state: State, until: float) -> None:
        program.send("hub")
        values = {"variant": "normal"}  # what an engine plays that does not say so
        for command, arguments in _until("wait", program, until):
            if command == "param":
                values[arguments.get("name", "")] = arguments.get("value", "")
        variant = next(name for name, ours in hub.VARIANTS.items() if ours == state.game.name)
        wanted = {"variant": variant, **self._params}
        for name, value in wanted.items():
            if values.get(name) != value:
                program.send(hub.line("set-param", {"name": name, "value": value}))
        program.send("init")
        for _ in _until("ready", program, until):
            pass
        program.send("new-game")

    def _ask(self, program: EngineProcess, state: State, limit: Limit, until: float) -> Choice:
        beginning, moves = _way_to(state)
        where = {"pos": position(beginning)}
        if moves:
            where["moves"] = " ".join(str(numbered(move)) for move in moves)
        program.send(hub.line("pos", where))
        program.send(_level(limit))
        program.send("go think")
        info: dict[str, str] = {}
        error = ""
        while True:
            command, arguments = _receive(program, until)
            if command == "info":
                info |= arguments
            elif command == "error":
                error = arguments.get("message", "")
            elif command == "done":
                break
        try:
            move = find(state, hub.parse_move(arguments.get("move", "")))
        except BoardZeroError as fault:
            said = f", and says: {error}" if error else ""
            raise EngineError(f"{program.name}'s move is bad: {fault}{said}") from None
        return _choice(move, info)


def _until(last: str, program: EngineProcess, until: float) -> Iterator[tuple[str, dict[str, str]]]:
    """What it says before a word that ends its answer."""
    heard = "nothing"
    try:
        while (said := _receive(program, until))[0] != last:
            heard = repr(said[0][:40])
            yield said
    except LateError:
        reason = f"it says {heard} and not '{last}'; does it speak Hub?"
        raise EngineError(f"{program.name} is not ready: {reason}") from None


def _receive(program: EngineProcess, until: float) -> tuple[str, dict[str, str]]:
    """A line; one that is none counts as noise."""
    text = program.receive(until)
    try:
        return hub.parse_line(text)
    except BoardZeroError:
        return "", {}


def _way_to(state: State) -> tuple[State, list[Move]]:
    """Where the game began and what was played; engines need it to see repetitions."""
    moves = [played for played in state.history if isinstance(played, Move)]
    if len(moves) < len(state.history):
        return state, []  # it was played by steps, some of which are no moves
    beginning = state.copy()
    for _ in moves:
        beginning.undo()
    return beginning, moves


def _level(limit: Limit) -> str:
    level: dict[str, object] = {}
    if limit.time is not None:
        level["move-time"] = f"{limit.time:.3f}"
    elif limit.clock is not None:
        clock = limit.clock
        if clock.moves is not None:
            level["moves"] = clock.moves
        level["time"] = f"{clock.left - clock.increment:.3f}"  # the engine adds it first
        if clock.increment:
            level["inc"] = f"{clock.increment:.3f}"
    if limit.depth is not None:
        level["depth"] = limit.depth
    nodes = limit.nodes if limit.nodes is not None else limit.simulations
    if nodes is not None:
        level["nodes"] = nodes
    return hub.line("level", level)


def _choice(move: Move, info: Mapping[str, str]) -> Choice:
    def number(name: str) -> float:
        try:
            found = float(info.get(name, "0"))
        except ValueError:
            return 0.0
        return found if abs(found) < 1e18 else 0.0  # which no NaN is

    men = number("score") if "score" in info else None
    return Choice(
        move,
        value=None if men is None else men / (abs(men) + 2),
        nodes=int(number("nodes")),
        depth=int(number("depth")),
    )


FAMILY = engine_family(
    "hub",
    "another program that speaks Hub, the protocol of draughts engines",
    (
        COMMAND,
        FOLDER,
        Option("params", "", "what to set, as name=value name=value"),
        TIME,
        DEPTH,
        NODES,
        GRACE,
    ),
    HubPlayer,
    refusal=hub.refusal,
)
