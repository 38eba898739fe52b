"""Play one game, and write down how it went.

A player that makes an illegal move, raises an error or is late loses the game, and the record
says why; of three, the two others then share the point. A mistake of the rules themselves is
nobody's loss, and raises; so does a player whose program does not start, who has lost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter

from boardzero.arena.openings import Opening
from boardzero.arena.terms import Terms, Timer
from boardzero.games import Game, State
from boardzero.games.tablebase import tables
from boardzero.players import Choice, NotReadyError, Player
from boardzero.store import PlayedGame

FAULTS = ("illegal move", "late", "error", "died")  # how the reason of a forfeited game begins

START_SECONDS = 60.0  # for a player to get ready: engines start, nets are loaded


class GameObserver:
    """Is told what goes on, so that it is known even if a player takes this process down."""

    def turn(self, seat: int, seconds: float) -> None:
        """A player has begun to think, and is late after this long."""

    def moved(self, move: str) -> None:
        """The player has made its move."""


@dataclass(slots=True)
class Scoresheet:
    """A game as it is being written down."""

    game: str
    seats: tuple[str, ...]
    opening: Opening = field(default_factory=Opening)
    seed: int | None = None
    moves: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    started: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        self.seconds = self.seconds or [0.0] * len(self.seats)
        self.turns = self.turns or [0] * len(self.seats)

    def add(self, seat: int, move: str, seconds: float) -> None:
        self.moves.append(move)
        self.seconds[seat] += seconds
        self.turns[seat] += 1

    def ended(self, values: Sequence[float], winner: int | None, reason: str) -> PlayedGame:
        return PlayedGame(
            seats=self.seats,
            values=tuple(values),
            winner=winner,
            seconds=tuple(self.seconds),
            turns=tuple(self.turns),
            game=self.game,
            reason=reason,
            started=self.started,
            finished=datetime.now(UTC),
            moves=tuple(self.moves),
            opening=self.opening.moves,
            start=self.opening.start,
            seed=self.seed,
        )

    def drawn(self, reason: str) -> PlayedGame:
        return self.ended([0.0] * len(self.seats), None, reason)

    def forfeited(self, seat: int, reason: str) -> PlayedGame:
        """Lost by this seat; of three, nobody has won then, and the values say who has lost."""
        others = len(self.seats) - 1
        values = [-1.0 if s == seat else 1 / others for s in range(len(self.seats))]
        return self.ended(values, 1 - seat if others == 1 else None, reason)


def play_game(
    game: Game,
    players: Sequence[Player],
    *,
    sheet: Scoresheet,
    terms: Terms = Terms(),  # noqa: B008
    observer: GameObserver = GameObserver(),  # noqa: B008
) -> PlayedGame:
    """Play from the sheet's opening to the end; players sit in the order of the seats."""
    state = sheet.opening.state(game)
    timers = [Timer(terms) for _ in players]
    endings = tables(game) if terms.adjudicate else None
    for seat, player in enumerate(players):
        observer.turn(seat, START_SECONDS)
        try:
            player.new_game()
            player.prepare(state.copy(), seat)
        except NotReadyError:
            raise
        except (Exception, SystemExit) as error:
            return sheet.forfeited(seat, fault_of(error))
    while (outcome := state.outcome()) is None:
        if len(sheet.moves) + len(sheet.opening.moves) >= terms.max_plies:
            return sheet.drawn(f"cut at {terms.max_plies} plies")
        seat = state.to_move
        fault = _turn(state, players[seat], timers[seat], sheet, observer)
        if fault is not None:
            return sheet.forfeited(seat, fault)
        values = None if endings is None else endings.certain(state.native)
        if values is not None and state.outcome() is None:
            winner = values.index(1.0) if 1.0 in values else None
            return sheet.ended(values, winner, "endgame table")
    return sheet.ended(outcome.values, outcome.winner, outcome.reason)


def fault_of(error: BaseException) -> str:
    """An exception in a few words for the record."""
    lines = str(error).splitlines()
    return f"error: {type(error).__name__}" + (f": {lines[0]}" if lines else "")


def _turn(
    state: State, player: Player, timer: Timer, sheet: Scoresheet, observer: GameObserver
) -> str | None:
    """One move of the player; what it did wrong, if anything."""
    seat = state.to_move
    observer.turn(seat, timer.seconds)
    start = perf_counter()
    try:
        # A copy: nobody else's board may be changed.
        choice = player.choose(state.copy(), timer.limit)
    except (Exception, SystemExit) as error:
        return fault_of(error)
    seconds = perf_counter() - start
    if seconds > timer.seconds:
        return f"late: {seconds:.2f} s for a move"
    if not isinstance(choice, Choice) or choice.move not in state.moves():
        return f"illegal move {getattr(choice, 'move', choice)}"
    timer.spend(seconds)
    sheet.add(seat, str(choice.move), seconds)
    state.play(choice.move)
    observer.moved(sheet.moves[-1])
    return None
