"""Our players as Gomocup engines ("brains"), for Piskvork and other managers of gomoku matches.

A point is `x,y`, counted from 0 at the top left. What is wrong is answered with ERROR and a reason;
the position is then the same as before, and the engine listens on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from boardzero import __version__
from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Spec, read_options
from boardzero.games import Game, make
from boardzero.players import (
    Choice,
    Clock,
    Limit,
    Player,
    best_player,
    make_player,
    player_family,
    player_spec,
)
from boardzero.protocols.background_search import (
    BackgroundSearch,
    Thinker,
    printable,
    without_handover,
)
from boardzero.protocols.gomocup_board import Stone, board_state, check_distinct

RULES = {0: "freestyle", 1: "standard", 4: "renju"}  # numbers of INFO rule

_KEYS = (
    "timeout_turn",
    "timeout_match",
    "time_left",
    "max_memory",
    "max_depth",
    "max_node",
    "rule",
)
_AT_ONCE = 0.005  # seconds: enough to see what is obvious
_MOST_STONES = 400
_UNLIMITED = 2_147_483_647  # milliseconds; managers send it for a match without a limit
_BASE_MEGABYTES = 64  # what Python and the core take


class GomocupEngine(Thinker):
    """Answers a manager's commands. `send` is called with each line, also while thinking."""

    def __init__(self, player: str | None, send: Callable[[str], None]) -> None:
        """Who is not told a player takes the best one that there is for the game to come."""
        self._name = player  # its spec, or a level of the game to come
        self._send = send
        self._size: int | None = None
        self._rule = 0
        self._next_rule: int | None = None  # told before the START of the game that it is for
        self._info: dict[str, int] = {}
        self._stones: list[Stone] = []
        self._mover = 0
        self._player: Player | None = None
        self._made_for: tuple[str, str] = ("", "")  # the spec and the game of the player
        self._block: tuple[str, list[str]] | None = None  # the command, and lines up to DONE
        self._commands: Mapping[str, Callable[[str], None]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "BOARD": self._open_block,
            "YXBOARD": self._open_block,
            "SWAP2BOARD": self._open_block,
            "TAKEBACK": self._takeback,
            "YXNBEST": self._think,
        }
        if player is not None:
            make_player(player, make("gomoku:size=15")).close()  # better to hear of a bad spec now

    def receive(self, text: str) -> bool:
        """Handle one line; False when the engine shall end."""
        command, _, argument = text.strip().partition(" ")
        command = command.upper()
        if command == "END":
            return False
        try:
            if command == "ABOUT":
                self._about()
            elif command == "INFO":
                self._set_info(argument)
            elif command in ("STOP", "YXSTOP"):
                self._stop()
            elif command:
                self._handle(command, text.strip(), argument.strip())
        except BoardZeroError as error:
            self._send(f"ERROR {_clipped(error)}")
        return True

    def close(self) -> None:
        """End the search, unheard, and give back what the player holds."""
        self._cancel()
        if self._player is not None:
            self._player.close()

    def _handle(self, command: str, text: str, argument: str) -> None:
        if self._block is not None:
            if command not in self._commands:
                self._continue_block(text)
                return
            unfinished, self._block = self._block[0], None
            self._send(f"ERROR {unfinished} was not finished with DONE")
        if command not in self._commands:
            self._send(f"UNKNOWN {_clipped(command)}")
            return
        if command in ("START", "RESTART"):
            self._cancel()
        else:
            self.wait()
        if self._commands[command] == self._open_block:
            argument = command
        self._commands[command](argument)

    def _about(self) -> None:
        self._send(f'name="BoardZero", version="{__version__}", author="BoardZero", country="-"')

    def _start(self, argument: str) -> None:
        is_number = argument.isascii() and argument.isdecimal() and len(argument) <= 9
        if not is_number or not 5 <= int(argument) <= 20:
            raise BoardZeroError(f"a board has 5 to 20 rows and columns, not '{argument}'")
        self._size = int(argument)
        self._rule, self._next_rule = self._next_rule or 0, None
        self._clear()
        self._send("OK")

    def _rectstart(self, argument: str) -> None:
        raise BoardZeroError(f"boards are square, so use START and not RECTSTART {argument}")

    def _restart(self, _: str) -> None:
        self._game()
        self._clear()
        self._send("OK")

    def _begin(self, _: str) -> None:
        self._game()
        if self._stones:
            raise BoardZeroError("BEGIN is for an empty board")
        self._play([], 0)

    def _turn(self, argument: str) -> None:
        stone = Stone(self._cell(argument), self._mover)
        if stone.cell in {other.cell for other in self._stones}:
            raise BoardZeroError(f"there is a stone on {argument} already")
        before = board_state(self._game(), self._stones, self._mover)
        before.parse(self._game().geometry.labels[stone.cell])  # over, or forbidden?
        self._play([*self._stones, stone], 1 - self._mover)

    def _takeback(self, argument: str) -> None:
        cell = self._cell(argument)
        if not self._stones or self._stones[-1].cell != cell:
            raise BoardZeroError(f"the last stone is not on {argument}")
        self._mover = self._stones.pop().owner
        self._send("OK")

    def _think(self, _: str) -> None:
        """Move in the position as it is, whoever's turn that is."""
        self._play(self._stones, self._mover)

    def _stop(self) -> None:
        """Answer with what is known so far."""
        if self._search is not None:
            self._search.stop()

    def _open_block(self, command: str) -> None:
        self._game()
        self._block = (command, [])

    def _continue_block(self, text: str) -> None:
        assert self._block is not None
        command, lines = self._block
        if text.upper() != "DONE":
            if len(lines) <= _MOST_STONES:  # the rest is read, lest it count as commands
                lines.append(text[:40])
            return
        self._block = None
        if len(lines) > _MOST_STONES:
            raise BoardZeroError(f"{command} has more stones than any board has points")
        if command == "BOARD":
            self._board(lines)
        elif command == "YXBOARD":
            self._set_board(lines)
        else:
            self._swap2(lines)

    def _board(self, lines: Sequence[str]) -> None:
        """A position in which we are to move, and do."""
        fields = self._fields(lines)
        ours = sum(mine for _, mine in fields)
        theirs = len(fields) - ours
        if theirs - ours not in (0, 1):
            raise BoardZeroError(
                f"with {ours} stones of ours and {theirs} others we are not to move"
            )
        us = theirs - ours
        stones = [Stone(cell, us if mine else 1 - us) for cell, mine in fields]
        check_distinct(stones, lines)
        self._play(stones, us)

    def _set_board(self, lines: Sequence[str]) -> None:
        """A position of either side's turn, without a move: TURN or YXNBEST comes next."""
        fields = self._fields(lines)
        ours = sum(mine for _, mine in fields)
        theirs = len(fields) - ours
        if abs(theirs - ours) > 1:
            raise BoardZeroError(f"{ours} stones of ours and {theirs} others do not alternate")
        first_is_ours = fields[0][1] if ours == theirs and fields else ours > theirs
        stones = [Stone(cell, 0 if mine == first_is_ours else 1) for cell, mine in fields]
        check_distinct(stones, lines)
        mover = len(stones) % 2
        board_state(self._game(), stones, mover)  # refuses what cannot be
        self._stones, self._mover = stones, mover

    def _fields(self, lines: Sequence[str]) -> list[tuple[int, bool]]:
        """Each line is a point and whose stone it is: 1 ours, 2 the opponent's."""
        fields = []
        for text in lines:
            point, _, field = text.rpartition(",")
            if field.strip() not in ("1", "2"):
                raise BoardZeroError(f"'{text}' does not end with 1 (ours) or 2 (the opponent's)")
            fields.append((self._cell(point), field.strip() == "1"))
        return fields

    def _swap2(self, lines: Sequence[str]) -> None:
        """Opens with three stones, or decides about three or five of them.

        With the next stone we take its colour; with SWAP we take the other.
        """
        stones = [Stone(self._cell(text), n % 2) for n, text in enumerate(lines)]
        check_distinct(stones, lines)
        if len(stones) not in (0, 3, 5):
            raise BoardZeroError(f"SWAP2BOARD has 0, 3 or 5 stones, not {len(stones)}")
        if not stones:
            stones = self._opening()
            self._stones, self._mover = stones, 1
            self._send(" ".join(self._point(stone.cell) for stone in stones))
            return
        self._play(stones, 1, may_swap=True)

    def _opening(self) -> list[Stone]:
        """Two black stones and a white one, near the edge, where neither side is much ahead."""
        size = self._size or 0
        middle = size // 2
        points = [(middle, 1), (middle + 1, 2), (middle - 2, 0)]
        return [Stone(y * size + x, n % 2) for n, (x, y) in enumerate(points)]

    def _play(self, stones: list[Stone], mover: int, *, may_swap: bool = False) -> None:
        """Set the position, think, answer."""
        game = self._game()
        state = board_state(game, stones, mover)
        if state.outcome() is not None:
            raise BoardZeroError("the game is over with that")
        player = self._ready_player(game)
        limit, seconds = self._limit()
        self._stones, self._mover = stones, mover

        def done(result: Choice | Exception) -> None:
            if isinstance(result, Exception):
                self._send(f"MESSAGE the player failed: {_clipped(result)}")
                result = Choice(state.moves()[0])
            if may_swap and result.value is not None and result.value < 0:
                self._send("SWAP")
                return
            cell = result.move.path[0]
            self._stones = [*stones, Stone(cell, mover)]
            self._mover = 1 - mover
            self._send(self._point(cell))

        self._search = BackgroundSearch(player, state.copy(), limit, on_done=done, seconds=seconds)

    def _limit(self) -> tuple[Limit, float | None]:
        """The limit for the player, and after how many seconds it is stopped in any case."""
        turn = self._info.get("timeout_turn")
        left = self._info.get("time_left", self._info.get("timeout_match") or _UNLIMITED)
        bounds = [] if turn is None else [turn / 1000]
        limit = Limit()
        if turn is not None:
            limit = Limit(time=max(_AT_ONCE, without_handover(turn / 1000)))
        if left < _UNLIMITED and turn != 0:
            limit = replace(limit, clock=Clock(max(0, left) / 1000))
            bounds.append(max(0, left) / 1000)
        limit = replace(limit, depth=self._info.get("max_depth"), nodes=self._info.get("max_node"))
        return limit, max(_AT_ONCE, without_handover(min(bounds))) if bounds else None

    def _set_info(self, argument: str) -> None:
        """Keys that nobody knows are left alone, as the protocol wants it."""
        key, _, text = argument.strip().partition(" ")
        key = key.lower()
        if key not in _KEYS:
            return
        try:
            value = int(text)
        except ValueError:
            raise BoardZeroError(f"INFO {key} needs a whole number, not '{text}'") from None
        if key == "rule":
            self._set_rule(value)
        else:
            self._info[key] = max(0, min(value, _UNLIMITED))

    def _set_rule(self, rule: int) -> None:
        if rule not in RULES:
            raise BoardZeroError(
                f"rule {rule} is none of 0 (freestyle), 1 (exact five) and 4 (renju)"
            )
        if self._size is None or self._stones:
            self._next_rule = rule
        else:
            self._rule = rule

    def _game(self) -> Game:
        if self._size is None:
            raise BoardZeroError("START comes first")
        return make(f"gomoku:size={self._size},rule={RULES[self._rule]}")

    def _ready_player(self, game: Game) -> Player:
        """The player for this game within the memory allowed; made anew if either has changed."""
        name = self._name or best_player(game)
        spec = _within_memory(player_spec(name, game), self._info.get("max_memory", 0))
        wanted = (str(spec), game.spec)
        if self._player is None or wanted != self._made_for:
            if self._player is not None:
                self._player.close()
            self._player = make_player(wanted[0], game)
            self._made_for = wanted
        return self._player

    def _clear(self) -> None:
        self._stones, self._mover = [], 0
        self._block = None
        if self._player is not None:
            self._player.new_game()

    def _cell(self, text: str) -> int:
        self._game()
        size = self._size or 0
        words = [word.strip() for word in text.split(",")]
        if len(words) != 2 or not all(w.isascii() and w.isdigit() and len(w) < 4 for w in words):
            raise BoardZeroError(f"'{text}' is not a point such as 7,7")
        x, y = map(int, words)
        if not (x < size and y < size):
            raise BoardZeroError(f"{text} is not on the board, which ends at {size - 1},{size - 1}")
        return y * size + x

    def _point(self, cell: int) -> str:
        size = self._size or 1
        return f"{cell % size},{cell // size}"


def _within_memory(spec: Spec, allowed: int) -> Spec:
    """The spec with tables and trees so small that all fits into this many bytes; 0 is no bound."""
    if allowed <= 0:
        return spec
    family = player_family(spec.name)
    values = read_options(spec, family.options)
    megabytes = max(1, allowed // 2**20 - _BASE_MEGABYTES)
    smaller = {
        name: str(megabytes)
        for name in ("hash", "memory")
        if isinstance(values.get(name), int) and int(values[name]) > megabytes
    }
    return Spec(spec.name, {**spec.options, **smaller})


def _clipped(text: Exception | str) -> str:
    return printable(text)[:300]
