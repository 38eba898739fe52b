"""DXP, the DamExchange protocol: draughts programs that play each other over TCP.

A message is a letter, fields of fixed width, and a zero byte. One side, the initiator, connects and
asks for games; the other, the follower, accepts. From then on both do the same: a `Peer` plays our
part, whoever asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple, TypeAlias

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, State
from boardzero.players import Choice, Clock, Limit, Player
from boardzero.protocols.background_search import BackgroundSearch, Thinker
from boardzero.protocols.squares import NumberedMove, find, numbered, parse_position, position

PORT = 27531
LONGEST = 127  # characters of a message
LETTERS = "WZwzWZe"  # sides, men, kings and nothing: black is zwart

# Reasons of GAMEEND, as the sender sees it.
UNKNOWN, LOST, DRAWN, WON = "0", "1", "2", "3"
ACCEPTED, BAD_VERSION, BAD_OPPONENT, BAD_POSITION = "0", "1", "2", "5"  # codes of GAMEACC


class GameReq(NamedTuple):
    """Let us play. `minutes` for `moves` each, then the game may be ended; 0 bounds nothing."""

    name: str
    follower_is_white: bool
    minutes: int
    moves: int
    position: str | None = None  # None is the start
    version: int = 1


class GameAcc(NamedTuple):
    name: str
    code: str = ACCEPTED


class Moved(NamedTuple):
    seconds: int
    move: NumberedMove


class GameEnd(NamedTuple):
    reason: str
    stops: bool = False  # no further game


class Chat(NamedTuple):
    text: str


class BackReq(NamedTuple):
    """Back to where this side was to make its n-th move."""

    number: int
    is_white: bool


class BackAcc(NamedTuple):
    code: str  # 0 yes, 1 no, 2 let us go on


Message: TypeAlias = GameReq | GameAcc | Moved | GameEnd | Chat | BackReq | BackAcc


def encode(message: Message) -> str:
    """The text of a message, without the zero byte."""
    match message:
        case GameReq():
            side = "W" if message.follower_is_white else "Z"
            where = "A" if message.position is None else "B" + message.position
            times = f"{min(message.minutes, 999):03}{min(message.moves, 999):03}"
            return f"R{message.version:02}{message.name[:32]:32}{side}{times}{where}"
        case GameAcc(name, code):
            return f"A{name[:32]:32}{code}"
        case Moved(seconds, move):
            captured = "".join(f"{square:02}" for square in sorted(move.captured))
            return (
                f"M{min(seconds, 9999):04}{move.origin:02}{move.target:02}"
                f"{len(move.captured):02}{captured}"
            )
        case GameEnd(reason, stops):
            return f"E{reason}{int(stops)}"
        case Chat(text):
            return f"C{text.translate({0: ' '})[: LONGEST - 1]}"
        case BackReq(number, is_white):
            return f"B{min(number, 999):03}{'W' if is_white else 'Z'}"
        case BackAcc(code):
            return f"K{code}"


_FIELDS = {
    "R": re.compile(r"R(\d\d)(.{32})([WZ])(\d{3})(\d{3})(?:A.*|B([WZ][wzWZe]{50}))", re.DOTALL),
    "A": re.compile(r"A(.{32})([0-9])", re.DOTALL),
    "M": re.compile(r"M(\d{4})(\d\d)(\d\d)(\d\d)((?:\d\d)*)"),
    "E": re.compile(r"E([0-3])([01])"),
    "C": re.compile(r"C(.*)", re.DOTALL),
    "B": re.compile(r"B(\d{3})([WZ])"),
    "K": re.compile(r"K([0-2])"),
}


def decode(text: str) -> Message:
    """The message that a text means; says what is wrong with one that means none."""
    pattern = _FIELDS.get(text[:1])
    if pattern is None:
        raise BoardZeroError(f"unknown kind of message '{text[:1]}'")
    found = pattern.fullmatch(text.rstrip() if text[0] in "MEBK" else text)
    if found is None or not text.isascii():
        raise BoardZeroError(f"a message {text[0]} does not look like '{text[:40]}'")
    fields = found.groups()
    match text[0]:
        case "R":
            version, name, side, minutes, moves, where = fields
            return GameReq(name.strip(), side == "W", int(minutes), int(moves), where, int(version))
        case "A":
            return GameAcc(fields[0].strip(), fields[1])
        case "M":
            captured = [int(square) for square in re.findall(r"\d\d", fields[4])]
            if len(captured) != int(fields[3]):
                raise BoardZeroError(f"a move that takes {fields[3]} names {len(captured)}")
            move = NumberedMove(int(fields[1]), int(fields[2]), frozenset(captured))
            return Moved(int(fields[0]), move)
        case "E":
            return GameEnd(fields[0], fields[1] == "1")
        case "C":
            return Chat(fields[0])
        case "B":
            return BackReq(int(fields[0]), fields[1] == "W")
        case _:
            return BackAcc(fields[0])


def frames(buffer: bytearray) -> Iterator[str]:
    """Takes the finished messages out of what has been received so far.

    A message that gets too long is cut, so that nobody can fill our memory.
    """
    while (end := buffer.find(0)) >= 0:
        text = buffer[:end].decode("latin-1").strip("\r\n\0")
        del buffer[: end + 1]
        if text:
            yield text[:LONGEST]
    if len(buffer) > 2 * LONGEST:
        del buffer[LONGEST:-1]


@dataclass(frozen=True, slots=True)
class DxpEvent:
    """Something that happened, for whoever watches: start, move, end, chat or error."""

    kind: str
    text: str
    white: str = ""  # for a start: who is who
    black: str = ""
    reason: str = ""  # for an end: as we see it


class Peer(Thinker):
    """One side of a connection. `send` gets the text of each message; it may come from a thread."""

    def __init__(
        self,
        game: Game,
        player: Player,
        send: Callable[[str], None],
        *,
        name: str = "BoardZero",
        watch: Callable[[DxpEvent], None] = lambda _: None,
    ) -> None:
        if game.name != "international":
            raise BoardZeroError(f"DXP is for international draughts, not for {game.name}")
        self._game = game
        self._player = player
        self._send = send
        self._watch = watch
        self._name = name
        self._asked: GameReq | None = None  # by us, and not yet answered
        self._terms: GameReq | None = None  # of the game that is played
        self._is_white = True
        self._other = ""
        self._state: State = game.start()
        self._spent = 0.0
        self.games = 0  # that have ended
        self.is_stopped = False  # nobody wants another game

    @property
    def is_playing(self) -> bool:
        return self._terms is not None

    def request(self, *, white: bool, minutes: int, moves: int, state: State | None = None) -> None:
        """Ask for a game in which we have that colour."""
        where = None if state is None else position(state, LETTERS)
        self._asked = GameReq(self._name, not white, minutes, moves, where)
        self._say(self._asked)

    def chat(self, text: str) -> None:
        self._say(Chat(text))

    def receive(self, text: str) -> None:
        """Handle one message. What makes no sense is answered with a chat and changes nothing."""
        try:
            self._handle(decode(text))
        except BoardZeroError as error:
            self._watch(DxpEvent("error", str(error)))
            if text[:1] != "C":
                self.chat(f"error: {error}")

    def close(self) -> None:
        """The other side is gone."""
        self._cancel()
        self._terms = None

    def _handle(self, message: Message) -> None:
        match message:
            case GameReq():
                self._on_request(message)
            case GameAcc():
                self._on_answer(message)
            case Moved():
                self._on_move(message)
            case GameEnd():
                self._on_end(message)
            case Chat(text):
                self._watch(DxpEvent("chat", text))
            case BackReq():
                self._on_back(message)  # and we never ask for it

    def _on_request(self, request: GameReq) -> None:
        if self.is_playing or self._asked is not None:
            self._say(GameAcc(self._name, BAD_OPPONENT))
            raise BoardZeroError("a game is in progress already")
        if request.version != 1:
            self._say(GameAcc(self._name, BAD_VERSION))
            return
        try:
            self._place(request)
        except BoardZeroError:
            self._say(GameAcc(self._name, BAD_POSITION))
            raise
        self._say(GameAcc(self._name))
        self._start(request, other=request.name, is_white=request.follower_is_white)

    def _on_answer(self, answer: GameAcc) -> None:
        request, self._asked = self._asked, None
        if request is None:
            raise BoardZeroError("nobody asked for a game")
        if answer.code != ACCEPTED:
            self.is_stopped = True
            self._watch(
                DxpEvent("error", f"{answer.name} does not want to play: code {answer.code}")
            )
            return
        self._place(request)
        self._start(request, other=answer.name, is_white=not request.follower_is_white)

    def _place(self, request: GameReq) -> None:
        where = request.position
        state = self._game.start() if where is None else parse_position(self._game, where, LETTERS)
        if state.outcome() is not None:
            raise BoardZeroError("the game would be over at once")
        self._state = state

    def _start(self, terms: GameReq, *, other: str, is_white: bool) -> None:
        self._terms, self._other, self._is_white = terms, other, is_white
        self._spent = 0.0
        self._player.new_game()
        names = (self._name, other) if is_white else (other, self._name)
        self._watch(DxpEvent("start", self._state.fen(), white=names[0], black=names[1]))
        self._go_on()

    def _on_move(self, moved: Moved) -> None:
        if not self.is_playing:
            raise BoardZeroError("there is no game")
        if self._is_our_turn():
            raise BoardZeroError(f"it is not your turn, so {moved.move} cannot be played")
        self._play(moved.move)
        self._go_on()

    def _play(self, wanted: NumberedMove) -> None:
        move = find(self._state, wanted)
        self._state.play(move)
        self._watch(DxpEvent("move", move.text))

    def _go_on(self) -> None:
        """If it is our turn, move, or say how the game has ended."""
        terms = self._terms
        if terms is None or not self._is_our_turn():
            return
        outcome = self._state.outcome()
        if outcome is not None:
            worth = outcome.values[self._state.to_move]
            self._finish(DRAWN if worth == 0 else WON if worth > 0 else LOST)
        elif terms.moves and len(self._state.history) >= 2 * terms.moves:
            self._finish(UNKNOWN)
        else:
            self._think(terms)

    def _think(self, terms: GameReq) -> None:
        limit = Limit()
        if terms.minutes:
            to_go = terms.moves - len(self._state.history) // 2 if terms.moves else None
            limit = Limit(clock=Clock(max(0.0, 60 * terms.minutes - self._spent), moves=to_go))
        start = perf_counter()

        def done(result: Choice | Exception) -> None:
            if isinstance(result, Exception):
                self._watch(DxpEvent("error", f"our player failed: {result}"))
                result = Choice(self._state.moves()[0])
            seconds = perf_counter() - start
            self._spent += seconds
            move = numbered(result.move)
            self._play(move)
            self._say(Moved(round(seconds), move))

        self._search = BackgroundSearch(self._player, self._state.copy(), limit, on_done=done)

    def _finish(self, reason: str) -> None:
        """We say that the game is over, and wait for the other side to say the same."""
        self._say(GameEnd(reason))
        self._is_ended(reason)

    def _on_end(self, end: GameEnd) -> None:
        self.is_stopped |= end.stops
        if not self.is_playing:
            return  # the answer to ours
        self._cancel()
        self._say(GameEnd(UNKNOWN, end.stops))
        self._is_ended({LOST: WON, WON: LOST}.get(end.reason, end.reason))

    def _is_ended(self, reason: str) -> None:
        self._terms = None
        self.games += 1
        names = {UNKNOWN: "unknown", LOST: "lost", DRAWN: "drawn", WON: "won"}
        self._watch(DxpEvent("end", self._state.fen(), reason=names[reason]))

    def _on_back(self, back: BackReq) -> None:
        ply = 2 * (back.number - 1) + (not back.is_white) - self._black_began()
        if not self.is_playing or not 0 <= ply <= len(self._state.history):
            self._say(BackAcc("1"))
            return
        self._cancel()
        while len(self._state.history) > ply:
            self._state.undo()
        self._say(BackAcc("0"))
        self._watch(DxpEvent("back", self._state.fen()))
        self._go_on()

    def _black_began(self) -> bool:
        plies = len(self._state.history)
        return (self._state.to_move + plies) % 2 == 1  # seat 0 is white

    def _is_our_turn(self) -> bool:
        return (self._state.to_move == 0) == self._is_white

    def _say(self, message: Message) -> None:
        self._send(encode(message))
