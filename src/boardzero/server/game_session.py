"""A game between people and players: who sits where, what was played, how it ended.

Nothing here waits or thinks; `live.py` does. It turns into text and back, so that it survives
the server.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from time import monotonic, time

from pydantic import BaseModel

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, Move, State
from boardzero.players import Clock, Limit
from boardzero.server.catalog import HUMAN, open_game
from boardzero.server.messages import (
    ClockView,
    EndingView,
    GameSummary,
    GameView,
    RefusalCode,
    SeatView,
)
from boardzero.server.views import ending_view, position_view

_TIME = "time"  # the reason of an ending
_MARGIN = 0.2  # seconds of a move that a player leaves, so that its answer is in time
_LEAST_THOUGHT = 0.05


def _only_passes(state: State) -> bool:
    moves = state.moves()
    return bool(moves) and not any(move.path for move in moves)


class UsualRefusalError(BoardZeroError):
    """One that belongs to normal play: the page has its own words for the code."""

    def __init__(self, code: RefusalCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class GameClock:
    """Seconds left for each seat. Runs from the first move on."""

    def __init__(
        self,
        minutes: float,
        increment: float,
        left: Sequence[float],
        now: Callable[[], float] = monotonic,
        *,
        per_move: bool = False,
    ) -> None:
        """`minutes`, `increment` and `per_move` are what was agreed on."""
        self.minutes = minutes
        self.increment = increment
        self.per_move = per_move
        self._left = list(left)
        self.running: int | None = None
        self._since = 0.0
        self._now = now

    def left(self, seat: int) -> float:
        used = self._now() - self._since if seat == self.running else 0.0
        return max(0.0, self._left[seat] - used)

    def stop(self) -> None:
        if self.running is not None:
            self._left[self.running] = self.left(self.running)
            self.running = None

    def press(self, seat: int, following: int) -> None:
        """The seat has moved; the following one's time runs."""
        ran = self.running == seat
        self.stop()
        if ran:
            self._left[seat] += self.increment
        self.start(following)

    def start(self, seat: int) -> None:
        self.stop()
        if self.per_move:
            self._left = [60 * self.minutes] * len(self._left)
        self.running, self._since = seat, self._now()

    def give_back(self, seconds: float) -> None:
        """To the one whose time runs: so much of it was not thought."""
        if self.running is not None:
            self._left[self.running] += seconds

    def limit(self, seat: int) -> Limit:
        """How long the player of a seat may think about its move."""
        left = self.left(seat)
        if self.per_move:
            return Limit(time=max(_LEAST_THOUGHT, left - _MARGIN))
        return Limit(clock=Clock(left, self.increment))

    def view(self) -> ClockView:
        seats = range(len(self._left))
        return ClockView(
            minutes=self.minutes,
            increment=self.increment,
            per_move=self.per_move,
            left=[round(self.left(s), 2) for s in seats],
            running=self.running,
        )


class GameSession:
    """A game between people ("human") and players."""

    def __init__(
        self,
        key: str,
        game: Game,
        seats: Sequence[str],
        *,
        start: str | None = None,
        clock: GameClock | None = None,
    ) -> None:
        if len(seats) != game.players:
            raise BoardZeroError(f"{game.name} has {game.players} seats, not {len(seats)}")
        self.key = key
        self.game = game
        self.seats = list(seats)
        self.start = start
        self.state = game.start(start)
        self.clock = clock
        self.draw_offer: int | None = None
        self.paused = False
        self.archived = False  # once over; playing on after that does not make it another game
        self.values: list[float | None] = []  # what the mover thought of each move
        self._movers: list[int] = []  # who made each move
        self.updated = time()
        self._ending: EndingView | None = None  # by something off the board

    # What is the case

    @property
    def ending(self) -> EndingView | None:
        return self._ending or ending_view(self.state)

    @property
    def mover(self) -> int:
        return self.state.to_move

    @property
    def thinker(self) -> str | None:
        """The player that must think now, if it is not a person's turn."""
        if self.ending or self.paused or self.seats[self.mover] == HUMAN:
            return None
        return self.seats[self.mover]

    @property
    def must_pass(self) -> bool:
        """Whether a person is to move who can do nothing but pass."""
        return self.ending is None and self.seats[self.mover] == HUMAN and _only_passes(self.state)

    @property
    def has_people(self) -> bool:
        return HUMAN in self.seats

    def limit(self) -> Limit:
        return self.clock.limit(self.mover) if self.clock else Limit()

    def flag_in(self) -> float | None:
        """Seconds until the mover's time is over."""
        if self.clock is None or self.clock.running is None or self.ending:
            return None
        return self.clock.left(self.clock.running)

    # What happens

    def play(self, move: Move | str, value: float | None = None) -> None:
        if self.ending:
            raise BoardZeroError("the game is over")
        if self.out_of_time():
            raise UsualRefusalError("time_over", "your time is over")
        seat = self.mover
        if isinstance(move, str):
            move = self._parse(move)
        self.state.play(move)
        self.values.append(value)
        self._movers.append(seat)
        if self.draw_offer not in (None, seat):
            self.draw_offer = None  # a move declines
        if self.clock is not None:
            self.clock.press(seat, self.mover)
        self._changed()

    def undo(self) -> None:
        """Back to where a person had the move; after resigning, back into the game."""
        if self._lost_on_time:
            raise BoardZeroError("no move can be taken back when the time is over")
        if self._ending is not None and self.has_people:
            self._ending = None
        else:
            for _ in range(self._plies_to_undo()):
                self.state.undo()
                self.values.pop()
                self._movers.pop()
        if self.clock is not None:
            self.clock.start(self.mover)
        self.draw_offer = None
        self._changed()

    def resign(self) -> None:
        """The person who has the move gives up, or the only person, at any moment."""
        seat = self._person()
        others = [other for other in range(self.game.players) if other != seat]
        self._end(others[0] if len(others) == 1 else None, "resigned")

    def offer_draw(self) -> int:
        """A person offers; the seat that did."""
        seat = self._person()
        if self.draw_offer is not None:
            raise BoardZeroError("there is an offer already")
        self.draw_offer = seat
        self._changed()
        return seat

    def answer_draw(self, accept: bool) -> None:
        if self.draw_offer is None:
            raise BoardZeroError("nobody has offered a draw")
        self.draw_offer = None
        if accept:
            self._end(None, "agreed")
        self._changed()

    def accepts_draw(self) -> bool:
        """Whether the players agree: if none thought last that it stands better."""
        opinions = {
            seat: value
            for seat, value in zip(self._movers, self.values, strict=True)
            if self.seats[seat] != HUMAN
        }
        return bool(opinions) and all(v is not None and v <= 0.0 for v in opinions.values())

    def out_of_time(self) -> bool:
        """Ends the game if somebody's time is over."""
        left = self.flag_in()
        if left is None or left > 0:
            return False
        assert self.clock is not None
        loser = self.clock.running
        others = [seat for seat in range(self.game.players) if seat != loser]
        self._end(others[0] if len(others) == 1 else None, _TIME)
        return True

    def pause(self, paused: bool) -> None:
        if paused and self.has_people:
            raise BoardZeroError("only a game between players can be paused")
        self.paused = paused
        if self.clock is not None and self.state.history and not self.ending:
            self.clock.stop() if paused else self.clock.start(self.mover)
        self._changed()

    # How it is shown and kept

    def view(self, *, thinking: bool, waiting: int) -> GameView:
        return GameView(
            id=self.key,
            game=self.game.spec,
            title=self.game.title,
            seats=[
                SeatView(name=name, player=player, value=self._last_value(seat))
                for seat, (name, player) in enumerate(zip(self.game.seats, self.seats, strict=True))
            ],
            start=self.start,
            moves=self._texts(),
            position=position_view(self.state, ending=self._ending),
            clock=self.clock.view() if self.clock else None,
            thinking=thinking,
            waiting=waiting,
            paused=self.paused,
            draw_offer=self.draw_offer,
            can_undo=self._can_undo(),
        )

    def summary(self) -> GameSummary:
        position = position_view(self.state, ending=self.ending)
        return GameSummary(
            id=self.key,
            game=self.game.spec,
            title=self.game.title,
            seats=self.seats,
            plies=len(self.state.history),
            ending=self.ending,
            updated=str(self.updated),
            position=position.model_copy(update={"moves": []}),
        )

    def dump(self) -> str:
        clock = self.clock
        return json.dumps(
            {
                "game": self.game.spec,
                "seats": self.seats,
                "start": self.start,
                "moves": self._texts(),
                "values": self.values,
                "ending": self._ending.model_dump() if self._ending else None,
                "draw_offer": self.draw_offer,
                "paused": self.paused,
                "archived": self.archived,
                "updated": self.updated,
                "clock": clock and clock.view().model_dump(exclude={"running"}),
            }
        )

    @classmethod
    def load(cls, key: str, text: str) -> GameSession:
        """Back from `dump`; the clock runs again from now, unless the game is paused."""
        try:
            saved = _SavedGame.model_validate_json(text)
        except ValueError as error:
            raise BoardZeroError(f"the saved game {key} cannot be read: {error}") from None
        game = open_game(saved.game)
        clock = saved.clock.restored(game) if saved.clock else None
        session = cls(key, game, saved.seats, start=saved.start, clock=clock)
        for move in saved.moves:
            session._movers.append(session.mover)
            session.state.play(move)
        session.values = saved.values
        if len(session.values) != len(session._movers):
            raise BoardZeroError(f"the saved game {key} has not one value for each move")
        session._ending = saved.ending
        session.draw_offer = saved.draw_offer
        session.paused = saved.paused
        session.archived = saved.archived
        session.updated = saved.updated
        if (
            clock is not None
            and session.state.history
            and not session.ending
            and not session.paused
        ):
            clock.start(session.mover)
        return session

    def _person(self) -> int:
        """The person who speaks: whose turn it is, or the only one there is."""
        if self.ending:
            raise BoardZeroError("the game is over")
        people = [seat for seat, player in enumerate(self.seats) if player == HUMAN]
        if not people:
            raise BoardZeroError("nobody plays here but players")
        return self.mover if self.mover in people else people[0]

    def _parse(self, text: str) -> Move:
        try:
            return self.state.parse(text)
        except BoardZeroError as error:
            raise UsualRefusalError("illegal", str(error)) from None

    def _plies_to_undo(self) -> int:
        trial = self.state.copy()
        for count in range(1, len(self.state.history) + 1):
            trial.undo()
            if self.seats[trial.to_move] == HUMAN and not _only_passes(trial):
                return count
        raise BoardZeroError("there is no move of yours to take back")

    def _can_undo(self) -> bool:
        if not self.has_people or self._lost_on_time:
            return False
        return self._ending is not None or any(self.seats[seat] == HUMAN for seat in self._movers)

    @property
    def _lost_on_time(self) -> bool:
        return self._ending is not None and self._ending.reason == _TIME

    def _last_value(self, seat: int) -> float | None:
        for mover, value in zip(reversed(self._movers), reversed(self.values), strict=True):
            if mover == seat:
                return value
        return None

    def _texts(self) -> list[str]:
        return [str(move) for move in self.state.history]

    def _end(self, winner: int | None, reason: str) -> None:
        self._ending = EndingView(winner=winner, reason=reason)
        if self.clock is not None:
            self.clock.stop()
        self._changed()

    def _changed(self) -> None:
        self.updated = time()
        if self.clock is not None and self.ending:
            self.clock.stop()


class _SavedClock(BaseModel):
    minutes: float | None = None  # earlier versions did not say; the largest rest is close to it
    increment: float
    per_move: bool = False
    left: list[float]

    def restored(self, game: Game) -> GameClock:
        if len(self.left) != game.players:
            raise BoardZeroError(f"a clock for {len(self.left)} does not fit {game.name}")
        minutes = max(self.left) / 60 if self.minutes is None else self.minutes
        return GameClock(minutes, self.increment, self.left, per_move=self.per_move)


class _SavedGame(BaseModel):
    """As `GameSession.dump` writes it."""

    game: str
    seats: list[str]
    start: str | None
    moves: list[str]
    values: list[float | None]
    ending: EndingView | None
    draw_offer: int | None
    paused: bool
    archived: bool
    updated: float
    clock: _SavedClock | None
