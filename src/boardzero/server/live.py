"""Live games: players think, clocks run out, everybody who watches is told."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from time import monotonic

from boardzero.base.errors import BoardZeroError
from boardzero.games import Move
from boardzero.players import Choice, Limit
from boardzero.server.catalog import HUMAN, analysts, check_player, open_game
from boardzero.server.engines import EnginePool, Order, Urgency
from boardzero.server.game_session import GameClock, GameSession, UsualRefusalError
from boardzero.server.messages import GameRequest, GameSummary, GameView, QueuePlace
from boardzero.server.saved import SavedGames
from boardzero.server.stored import Archive

_PACE = 0.7  # seconds between moves of players that somebody watches
_IDLE = 50  # sessions kept in memory while nobody is there; the others come back from disk
_HINT_SECONDS = 0.7

_RETRY = 2.0  # seconds until a game is saved again that could not be
_LAST_WORDS = 5.0  # seconds for all games to be saved when the server ends

Watcher = Callable[[GameView | QueuePlace], None]
Keep = Callable[[GameSession], Awaitable[None]]


class LiveGame:
    """A game session, its watchers, and the tasks that let its players think and save it.

    A change is told when it is on disk; or with the reason why it is not, and then tried again.
    """

    def __init__(self, session: GameSession, pool: EnginePool, keep: Keep) -> None:
        self.session = session
        self._pool = pool
        self._keep = keep
        self._watchers: set[Watcher] = set()
        self._driver: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._waiting = 0
        self._ready: set[int] = set()  # seats whose players were made
        self._trouble: str | None = None
        self._saver: asyncio.Task[None] | None = None
        self._untold: list[GameView] = []  # changes that are not on disk yet
        self._unsaved: str | None = None
        self._told = asyncio.Event()
        self._told.set()

    @property
    def in_use(self) -> bool:
        return bool(self._watchers or self._driver or self._saver)

    def view(self) -> GameView:
        view = self.session.view(thinking=self._driver is not None, waiting=self._waiting)
        return view.model_copy(update={"trouble": self._trouble, "unsaved": self._unsaved})

    def watch(self, watcher: Watcher) -> None:
        self._watchers.add(watcher)
        self._go_on()
        if not self._untold:  # else the news is on its way
            watcher(self.view())

    def leave(self, watcher: Watcher) -> None:
        self._watchers.discard(watcher)
        if not self._watchers and not self.session.has_people:
            self.interrupt()  # nobody looks

    def do(self, act: Callable[[GameSession], object]) -> None:
        """Change the session; what a player was thinking about is then of no use."""
        thinking = self._driver is not None
        was_over = self.session.ending is not None
        before = len(self.session.state.history)
        try:
            act(self.session)
        except BoardZeroError:
            if self.session.ending and not was_over:  # it came too late, which all must know
                self.interrupt()
                self._after_change()
            raise
        if thinking and (len(self.session.state.history) != before or self.session.thinker is None):
            self.interrupt()
        self._after_change()

    def offer_draw(self) -> None:
        """To the other person, or to players, who answer at once."""
        self.session.offer_draw()
        if self.session.seats.count(HUMAN) == 1:
            accept = self.session.accepts_draw()
            self.do(lambda session: session.answer_draw(accept))
            if not accept:
                raise UsualRefusalError(
                    "draw_declined", "the offer is declined: your opponent hopes for more"
                )
        else:
            self._after_change()

    async def hint(self) -> Choice:
        """What the best player for study would do."""
        if self.session.ending:
            raise BoardZeroError("the game is over")
        order = Order(
            self.session.state,
            analysts(self.session.game)[0],
            Limit(time=_HINT_SECONDS),
            owner=("hint", self.session.key),
            urgency=Urgency.HINT,
        )
        return await self._pool.choose(order)

    def interrupt(self) -> None:
        if self._driver is not None:
            self._driver.cancel()
            self._driver = None
            self._waiting = 0

    def set_flag(self) -> None:
        """Let the game end when the time of the one to move does."""
        if self._flag is not None:
            self._flag.cancel()
        left = self.session.flag_in()
        if left is not None:
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(left + 0.05, self._flag_falls)

    def close(self) -> None:
        self.interrupt()
        if self._flag is not None:
            self._flag.cancel()

    async def saved(self) -> None:
        """Until all that has happened is on disk, or known not to be."""
        await self._told.wait()

    def _after_change(self) -> None:
        self.set_flag()
        self._go_on()
        self.save()

    def save(self) -> None:
        """Write the game, and then tell it as it is now."""
        self._untold.append(self.view())
        self._told.clear()
        if self._saver is None:
            self._saver = asyncio.get_running_loop().create_task(self._save())

    async def _save(self) -> None:
        while self._untold or self._unsaved:
            views = list(self._untold)
            try:
                await self._keep(self.session)
                self._unsaved = None
            except BoardZeroError as error:
                self._unsaved = str(error)
            except Exception as error:
                logging.getLogger(__name__).exception("%s was not saved", self.session.key)
                self._unsaved = f"it cannot be saved: {error}"
            del self._untold[: len(views)]
            for view in views or [self.view()]:
                self._tell(view.model_copy(update={"unsaved": self._unsaved}))
            if not self._untold:
                self._told.set()
            if self._unsaved and not self._untold:
                await asyncio.sleep(_RETRY)
        self._saver = None

    def _go_on(self) -> None:
        self._trouble = None
        someone_cares = bool(self._watchers) or self.session.has_people
        waits = self.session.thinker is not None or self.session.must_pass
        if self._driver is None and waits and someone_cares:
            self._driver = asyncio.get_running_loop().create_task(self._drive())

    async def _drive(self) -> None:
        """Let players move, and people pass who can only do that, until a person has a choice."""
        me = asyncio.current_task()
        player: str | None = None
        try:
            while (player := self.session.thinker) is not None or self.session.must_pass:
                if player is None:
                    await asyncio.sleep(_PACE)
                    self._play_one(self.session.state.moves()[0], None)
                    continue
                began = monotonic()
                order = Order(
                    self.session.state,
                    player,
                    self.session.limit(),
                    owner=(self.session.key, self.session.mover),
                    urgency=Urgency.MOVE,
                    on_wait=self._queued,
                )
                if self.session.mover not in self._ready:
                    await self._prepare(order)
                    order = replace(order, limit=self.session.limit())
                choice = await self._pool.choose(order)
                if not self.session.has_people:
                    await asyncio.sleep(_PACE - (monotonic() - began))
                self._play_one(choice.move, choice.value)
        except BoardZeroError as error:
            self._fail(str(error))
        except Exception:
            logging.getLogger(__name__).exception("%s failed at %s", player, self.session.key)
            self._fail(f"{player} has failed; take a move back, or begin another game")
        finally:
            if self._driver is me:
                self._driver = None

    async def _prepare(self, order: Order) -> None:
        """For the first move of a player: a program starts or a net is loaded, at no one's cost."""
        began = monotonic()
        if self._flag is not None:
            self._flag.cancel()
        try:
            await self._pool.prepare(order)
            self._ready.add(self.session.mover)
            if self.session.clock is not None:
                self.session.clock.give_back(monotonic() - began)
        finally:
            self.set_flag()

    def _play_one(self, move: Move, value: float | None) -> None:
        with suppress(BoardZeroError):  # its time was over
            self.session.play(move, value)
        if self.session.thinker is None and not self.session.must_pass:
            self._driver = None
        self._after_change()

    def _fail(self, sentence: str) -> None:
        self._driver, self._waiting, self._trouble = None, 0, sentence
        self._tell(self.view())

    def _queued(self, place: int) -> None:
        if place != self._waiting:
            self._waiting = place
            self._tell(QueuePlace(place=place))

    def _flag_falls(self) -> None:
        if self.session.out_of_time():
            self.interrupt()
            self._after_change()

    def _tell(self, news: GameView | QueuePlace) -> None:
        for watcher in tuple(self._watchers):
            watcher(news)


class LiveGames:
    """All games: the live ones in memory, every one on disk."""

    def __init__(self, saved: SavedGames, pool: EnginePool, archive: Archive) -> None:
        self._saved = saved
        self._pool = pool
        self._archive = archive
        self._live: OrderedDict[str, LiveGame] = OrderedDict()

    def open(self, wish: GameRequest) -> LiveGame:
        game = open_game(wish.game)
        seats = [seat if seat == HUMAN else check_player(seat, game) for seat in wish.seats]
        clock = None
        if wish.clock is not None:
            minutes, increment = wish.clock.minutes, wish.clock.increment
            left = [60 * minutes] * game.players
            clock = GameClock(minutes, increment, left, per_move=wish.clock.per_move)
        session = GameSession(secrets.token_urlsafe(8), game, seats, start=wish.fen)
        for move in wish.moves:
            session.play(move)
        session.clock = clock  # what was played before costs nobody time
        live = self._seat(session)
        live.save()
        return live

    def find(self, key: str) -> LiveGame | None:
        """The session, brought back from disk if need be."""
        live = self._live.get(key)
        if live is not None:
            self._live.move_to_end(key)
            return live
        text = self._saved.load(key)
        return None if text is None else self._seat(GameSession.load(key, text))

    def newest(self, limit: int) -> list[GameSummary]:
        found = []
        for key, text in self._saved.newest(limit):
            with suppress(BoardZeroError):  # of a game that is no longer installed
                found.append(GameSession.load(key, text).summary())
        return found

    def close(self) -> None:
        for live in self._live.values():
            live.close()

    async def saved(self) -> None:
        """Until all games are on disk, or known not to be."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS):
                for live in self._live.values():
                    await live.saved()

    def _seat(self, session: GameSession) -> LiveGame:
        live = self._live[session.key] = LiveGame(session, self._pool, self._keep)
        live.set_flag()
        idle = [key for key, other in self._live.items() if not other.in_use]
        for key in idle[:-_IDLE]:
            if key != session.key:
                self._live.pop(key).close()
        return live

    async def _keep(self, session: GameSession) -> None:
        ending = session.ending
        if ending is not None and not session.archived and session.state.history:
            await asyncio.wrap_future(self._archive.add(session, ending))
            session.archived = True
        save = self._saved.save(session.key, session.dump(), session.updated)
        await asyncio.wrap_future(save)
