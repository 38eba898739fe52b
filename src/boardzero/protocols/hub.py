"""Our players as Hub engines: version 2 of the protocol of Scan and lidraughts-bot.

Lines are a command and arguments, `pos pos=W… moves="32-28 19-23"`. The engine keeps listening
while it thinks. Nothing that it is sent changes its position unless all of it makes sense.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter

from boardzero import __version__
from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.specs import Option, Spec, Value, read_options, written
from boardzero.games import Game, State, make
from boardzero.players import Choice, Clock, Limit, make_player, player_family, player_spec
from boardzero.players.time_management import seconds_for_move
from boardzero.protocols.background_search import (
    FOREVER,
    BackgroundSearch,
    Thinker,
    printable,
    without_handover,
)
from boardzero.protocols.squares import (
    NumberedMove,
    numbered,
    parse_position,
    parse_squares,
    play_on,
    still_open,
)

VARIANTS = {
    "normal": "international",
    "english": "english",
    "russian": "russian",
    "brazilian": "brazilian",
}  # Hub's names for those of our games that it has a name for

_ARGUMENT = re.compile(r'\s*([^\s="]+)\s*(?:=\s*(?:"([^"]*)"|([^\s"]*)))?(?=\s|$)')
_SHORTEST_REPORT = 0.01  # seconds: what is known earlier is not worth a line
_LARGEST = 2e9  # of any number that we are given; more makes no difference to anybody


def parse_line(text: str) -> tuple[str, dict[str, str]]:
    """The command and its arguments; a flag is an argument without a value."""
    command, _, rest = text.strip().partition(" ")
    arguments: dict[str, str] = {}
    at, rest = 0, rest.rstrip()
    while at < len(rest):
        found = _ARGUMENT.match(rest, at)
        if found is None:
            raise BoardZeroError(f"'{rest[at:]}' is not of the form name=value")
        arguments[found[1]] = found[2] if found[2] is not None else found[3] or ""
        at = found.end()
    return command, arguments


def line(command: str, arguments: Mapping[str, object]) -> str:
    """A line as `parse_line` reads it."""
    return " ".join([command, *(f"{name}={_quoted(str(v))}" for name, v in arguments.items())])


def parse_move(text: str) -> NumberedMove:
    """`32-28`, or a capture with all that it takes, `28x19x23`."""
    captures = "x" in text
    numbers = parse_squares(text.split("x" if captures else "-"))
    if len(numbers) < 2 or (captures and len(numbers) < 3) or (not captures and len(numbers) > 2):
        raise BoardZeroError(f"'{text}' is not a move such as 32-28 or 28x19x23")
    return NumberedMove(numbers[0], numbers[1], frozenset(numbers[2:]))


class HubEngine(Thinker):
    """Answers Hub's commands. `send` is called with each line, also from the thinking thread."""

    def __init__(self, game: str, player: str, send: Callable[[str], None]) -> None:
        self._game = make(game)
        if why := refusal(self._game):
            raise BoardZeroError(why)
        self._spec = player_spec(player, self._game)
        self._send = send
        self._player = make_player(player, self._game)
        self._state = self._game.start()
        self._limit = Limit()
        self._is_pondering = False
        self._commands: Mapping[str, Callable[[dict[str, str]], None]] = {
            "hub": self._hub,
            "set-param": self._set_param,
            "init": self._init,
            "new-game": self._new_game,
            "pos": self._pos,
            "level": self._level,
            "go": self._go,
        }

    def receive(self, text: str) -> bool:
        """Handle one line; False when the engine shall end."""
        command, _, _ = text.strip().partition(" ")
        if command == "quit":
            return False
        if command == "ping":
            self._send("pong")
        elif command == "stop":
            if self._search is not None:
                self._search.stop()
        elif command == "ponder-hit":
            self._ponder_hit()
        elif command:
            try:
                self._handle(text)
            except BoardZeroError as error:
                self._complain(error)
        return True

    def close(self) -> None:
        """End the search, unheard, and give back what the player holds."""
        self._cancel()
        self._player.close()

    def _handle(self, text: str) -> None:
        command, arguments = parse_line(text)
        if command not in self._commands:
            raise BoardZeroError(f"unknown command '{command}'")
        if self._search is not None and not self._search.is_over:
            if not self._search.is_ending:
                raise BoardZeroError(f"'{command}' has to wait for the end of the search")
            self._await_end(self._search)
        self._commands[command](arguments)

    def _hub(self, _: dict[str, str]) -> None:
        self._send(line("id", {"name": "BoardZero", "version": __version__, "author": "BoardZero"}))
        for option in self._options():
            if "=" not in str(option.default):  # which common clients cannot read
                self._send(line("param", _declaration(option)))
        self._send("wait")

    def _options(self) -> list[Option]:
        """What may be set: the variant, and the player's own options with their present values."""
        family = player_family(self._spec.name)
        values = read_options(self._spec, family.options)
        here = next(name for name, game in VARIANTS.items() if game == self._game.name)
        return [
            Option("variant", here, "", tuple(VARIANTS)),
            *(replace(option, default=values[option.name]) for option in family.options),
        ]

    def _set_param(self, arguments: dict[str, str]) -> None:
        name, value = _need(arguments, "name"), _need(arguments, "value")
        options = {option.name: option for option in self._options()}
        if name not in options:
            raise nearest("parameter", name, options)
        read_options(Spec("hub", {name: value}), [options[name]])  # is the value allowed?
        game, spec = self._game, self._spec
        if name == "variant":
            if VARIANTS[value] == game.name:
                return
            game = make(VARIANTS[value])
        else:
            spec = Spec(spec.name, {**spec.options, name: value})
        player = make_player(str(spec), game)
        self._player.close()
        self._player, self._spec = player, spec
        if game is not self._game:
            self._game, self._state = game, game.start()

    def _init(self, _: dict[str, str]) -> None:
        self._send("ready")

    def _new_game(self, _: dict[str, str]) -> None:
        self._player.new_game()

    def _pos(self, arguments: dict[str, str]) -> None:
        state = parse_position(self._game, _need(arguments, "pos"))
        for number, text in enumerate(arguments.get("moves", "").split(), start=1):
            try:
                state = play_on(state, parse_move(text))
            except BoardZeroError as error:
                raise BoardZeroError(f"move {number}: {error}") from None
        self._state = state

    def _level(self, arguments: dict[str, str]) -> None:
        known = {"depth", "nodes", "move-time", "moves", "time", "inc", "infinite"}
        given = {name: text for name, text in arguments.items() if name in known}
        if not given:
            raise BoardZeroError("a level has depth, nodes, move-time, time or infinite")
        clock = None
        if "time" in given:
            increment = _number(given, "inc", low=0.0) if "inc" in given else 0.0
            left = max(0.0, _number(given, "time") + increment)  # Hub adds it before the move
            moves = int(_number(given, "moves", low=1)) if given.get("moves", "0") != "0" else None
            clock = Clock(left, increment, moves)
        elif "moves" in given or "inc" in given:
            raise BoardZeroError("moves and inc need a time")
        seconds = _number(given, "move-time", low=0.0) if "move-time" in given else None
        self._limit = Limit(
            time=FOREVER if "infinite" in given else seconds,
            clock=clock,
            depth=int(_number(given, "depth", low=1)) if "depth" in given else None,
            nodes=int(_number(given, "nodes", low=1)) if "nodes" in given else None,
        )

    def _go(self, arguments: dict[str, str]) -> None:
        modes = [mode for mode in ("think", "ponder", "analyze") if mode in arguments]
        if len(modes) != 1:
            raise BoardZeroError("go needs one of think, ponder and analyze")
        state = still_open(self._state)
        if state.outcome() is not None:
            raise BoardZeroError("the game is over")
        self._is_pondering = modes[0] == "ponder"
        if modes[0] == "think":
            limit, seconds = _with_handover(self._limit)
        else:
            limit, seconds = replace(self._limit, time=FOREVER, clock=None), None
        self._think(state, limit, seconds)

    def _think(self, state: State, limit: Limit, seconds: float | None) -> None:
        start = perf_counter()

        def progress(choice: Choice) -> None:
            if perf_counter() - start > _SHORTEST_REPORT:
                self._send(_info(state, choice))

        def done(result: Choice | Exception) -> None:
            if isinstance(result, Exception):
                self._complain(result)
                self._send(line("done", {"move": numbered(state.moves()[0])}))
                return
            self._send(_info(state, result))
            answer: dict[str, object] = {"move": numbered(result.move)}
            if reply := _numbered_line(state, result.pv)[1:2]:
                answer["ponder"] = reply[0]
            self._send(line("done", answer))

        self._player.on_progress = progress
        self._search = BackgroundSearch(
            self._player, state.copy(), limit, on_done=done, seconds=seconds
        )

    def _ponder_hit(self) -> None:
        """The clock runs from now on; a search to a depth or a number of nodes just goes on."""
        if self._search is None or not self._is_pondering:
            return
        self._is_pondering = False
        seconds = seconds_for_move(_with_handover(self._limit)[0])
        if seconds is not None:
            self._search.stop_after(seconds)
        elif self._limit == Limit():
            self._search.stop()

    def _complain(self, error: Exception) -> None:
        self._send(line("error", {"message": printable(error)}))


def refusal(game: Game) -> str:
    """Why Hub is not for a game, if it is not."""
    if game.name in VARIANTS.values():
        return ""
    return f"Hub is for draughts ({', '.join(VARIANTS.values())}), not for {game.name}"


def _with_handover(limit: Limit) -> tuple[Limit, float | None]:
    """The limit for the player, and after how many seconds it is stopped in any case."""
    bounds = [limit.clock.left] if limit.clock is not None else []
    if limit.time is not None:
        bounds.append(limit.time)
        limit = replace(limit, time=without_handover(limit.time))
    return limit, without_handover(min(bounds)) if bounds else None


def _info(state: State, choice: Choice) -> str:
    fields: dict[str, object] = {"depth": choice.depth}
    if choice.value is not None:
        fields["score"] = f"{_men(choice.value):.2f}"
    fields |= {"nodes": choice.nodes, "time": f"{choice.time:.3f}"}
    fields["nps"] = f"{choice.nodes_per_second / 1e6:.3f}"
    if choice.pv:
        fields["pv"] = " ".join(map(str, _numbered_line(state, choice.pv)))
    return line("info", fields)


def _men(value: float) -> float:
    """A value as so many men ahead: one man is a third of the way to a win."""
    rest = 1 - abs(value)
    return math.copysign(min(90.0, 2 * abs(value) / rest if rest > 0 else 90.0), value)


def _numbered_line(state: State, moves: tuple[str, ...]) -> list[NumberedMove]:
    at, result = state.copy(), []
    for text in moves:
        if at.outcome() is not None:
            break
        move = at.parse(text)
        result.append(numbered(move))
        at.play(move)
    return result


def _declaration(option: Option) -> dict[str, object]:
    fields: dict[str, object] = {"name": option.name, "value": written(option.default)}
    if option.choices:
        return fields | {"type": "enum", "values": " ".join(option.choices)}
    kinds: dict[type[Value], str] = {bool: "bool", int: "int", float: "real", str: "string"}
    fields["type"] = kinds[type(option.default)]
    if fields["type"] in ("int", "real"):
        fields |= {"min": f"{option.low:.15g}"} if option.low is not None else {}
        fields |= {"max": f"{option.high:.15g}"} if option.high is not None else {}
    return fields


def _need(arguments: Mapping[str, str], name: str) -> str:
    if name not in arguments:
        raise BoardZeroError(f"the argument '{name}' is missing")
    return arguments[name]


def _number(arguments: Mapping[str, str], name: str, *, low: float = -math.inf) -> float:
    try:
        number = float(arguments[name])
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= low):
        raise BoardZeroError(f"{name}='{arguments[name]}' is not a number that makes sense")
    return min(number, _LARGEST)


def _quoted(value: str) -> str:
    return value if re.fullmatch(r'[^\s="]+', value) else '"' + value.replace('"', "'") + '"'
