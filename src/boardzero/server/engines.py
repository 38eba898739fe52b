"""Thinking, in a bounded number of threads.

The compiled players release the GIL, so threads are enough. Moves of games go before analysis: an
analysis ends at once when a move needs its thread, and after its turn when another one waits. Who
must wait is told its place in the queue. Players are kept between moves, because they keep tables
and trees, but only so many of them.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import count
from threading import Lock
from typing import Annotated

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, State
from boardzero.players import Choice, Limit, Player, make_player
from boardzero.server.parts import part

_IDLE = 12  # players kept for later
_TURN = 1.5  # seconds of an analysis while others wait
_REPEAT = 0.01  # seconds between the first two requests to stop
_TOLD = 0.5  # seconds between two tellings of places: at a crowd, news would be all that is done
_TRIES = 5  # of a thought that others interrupt


class Urgency(IntEnum):
    MOVE = 0
    HINT = 1
    ANALYSIS = 2


@dataclass(slots=True)
class Order:
    """A thought that somebody wants; `owner` gets the same player again if it is still there."""

    state: State
    player: str
    limit: Limit
    owner: Hashable
    urgency: Urgency
    on_wait: Callable[[int], None] | None = None  # told the place in the queue, 0 when it starts
    on_progress: Callable[[Choice], None] | None = None  # told what the player knows so far
    interrupted: bool = False  # it ended early because somebody else needed its thread


@dataclass(order=True, slots=True)
class _Ticket:
    urgency: Urgency
    number: int
    order: Order = field(compare=False)
    turn: asyncio.Future[None] = field(compare=False)


@dataclass(eq=False, slots=True)
class _Thought:
    """One that goes on now."""

    order: Order
    player: Player
    work: asyncio.Future[Choice]
    is_asked: bool = False  # to end

    def interrupt(self) -> None:
        self.order.interrupted = True
        self.stop()

    def stop(self) -> None:
        """Asks until the player ends: it does not hear what is said before it begins."""
        if not self.is_asked:
            self.is_asked = True
            self._ask(_REPEAT)

    def _ask(self, pause: float) -> None:
        if not self.work.done():
            self.player.stop()
            loop = asyncio.get_running_loop()
            loop.call_later(pause, self._ask, min(1.0, 2 * pause))  # a program may hear slowly


class EnginePool:
    """Belongs to one event loop; `choose` may be called by any number of its tasks."""

    def __init__(self, *, workers: int, max_think: float, max_waiting: int) -> None:
        self._free = workers
        self._max_think = max_think
        self._max_waiting = max_waiting
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="engine")
        self._waiting: list[_Ticket] = []
        self._thoughts: set[_Thought] = set()
        self._numbers = count()
        self._shelf = _Shelf()
        self._telling: asyncio.TimerHandle | None = None

    async def choose(self, order: Order) -> Choice:
        """The player's choice; a cancelled caller stops its player."""
        await self._enter(order)
        try:
            return await self._think(order)
        finally:
            self._leave()

    async def prepare(self, order: Order) -> None:
        """Make the player and what it needs, so that a clock counts nothing but its thoughts."""
        loop = asyncio.get_running_loop()
        state = order.state.copy()
        player = await self._fetch(order, state.game)
        work = loop.run_in_executor(self._threads, player.prepare, state, state.to_move)
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            await _end_of(work)
            raise
        finally:
            self._shelf.put(state.game, order.player, order.owner, player)

    async def choose_whole(self, order: Order) -> Choice:
        """The same, begun again when others interrupt it; the last of a few tries may be cut."""
        for _ in range(_TRIES):
            attempt = replace(order, interrupted=False)
            choice = await self.choose(attempt)
            if not attempt.interrupted:
                break
        return choice

    def close(self) -> None:
        self._shelf.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _enter(self, order: Order) -> None:
        if self._free > 0:
            self._free -= 1
            return
        if len(self._waiting) >= self._max_waiting:
            raise BoardZeroError("too many players are thinking already; try again in a moment")
        turn = asyncio.get_running_loop().create_future()
        ticket = _Ticket(order.urgency, next(self._numbers), order, turn)
        heapq.heappush(self._waiting, ticket)
        self._tell_places()
        self._make_room()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()  # it was our turn just now
            else:
                self._waiting.remove(ticket)
                heapq.heapify(self._waiting)
                self._tell_places()
            raise

    def _leave(self) -> None:
        while self._waiting:
            ticket = heapq.heappop(self._waiting)
            if not ticket.turn.done():
                ticket.turn.set_result(None)
                if ticket.order.on_wait:
                    ticket.order.on_wait(0)
                self._tell_places()
                return
        self._free += 1

    def _tell_places(self) -> None:
        """Soon: the queue may have changed a hundred times by then."""
        if self._telling is None:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_later(_TOLD, self._tell_places_now)

    def _tell_places_now(self) -> None:
        self._telling = None
        for place, ticket in enumerate(sorted(self._waiting), start=1):
            if ticket.order.on_wait:
                ticket.order.on_wait(place)

    def _make_room(self) -> None:
        """As many thoughts end as more urgent ones wait for their threads."""
        going_on = sorted(self._thoughts, key=lambda thought: -thought.order.urgency)
        ending = sum(thought.order.interrupted for thought in going_on)
        for thought in going_on:
            urgent = sum(t.urgency < thought.order.urgency for t in self._waiting)
            if ending < urgent and not thought.order.interrupted:
                thought.interrupt()
                ending += 1

    async def _think(self, order: Order) -> Choice:
        loop = asyncio.get_running_loop()
        state = order.state.copy()
        player = await self._fetch(order, state.game)
        tell = order.on_progress
        if tell is not None:
            player.on_progress = lambda choice: _tell(loop, tell, choice)
        work = loop.run_in_executor(self._threads, player.choose, state, order.limit)
        thought = _Thought(order, player, work)
        self._thoughts.add(thought)
        self._make_room()  # for who came while the player was fetched
        alarm = loop.call_later(self._max_think, thought.stop)
        turns = loop.create_task(self._take_turns(thought))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            thought.stop()
            await _end_of(work)
            raise
        finally:
            alarm.cancel()
            turns.cancel()
            self._thoughts.discard(thought)
            player.on_progress = None
            self._shelf.put(state.game, order.player, order.owner, player)

    async def _fetch(self, order: Order, game: Game) -> Player:
        """In a thread, because a net takes a while to load."""
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(
            self._threads, self._shelf.take, game, order.player, order.owner
        )
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await _end_of(work)
            if not work.cancelled() and work.exception() is None:
                self._shelf.put(game, order.player, order.owner, work.result())
            raise

    async def _take_turns(self, thought: _Thought) -> None:
        while thought.order.urgency is Urgency.ANALYSIS:
            await asyncio.sleep(_TURN)
            if self._waiting:
                thought.interrupt()


async def _end_of(
    work: asyncio.Future[Choice] | asyncio.Future[Player] | asyncio.Future[None],
) -> None:
    """Waits for a thread, however often the one who waits is cancelled: its player is in use."""
    while not work.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([work])


ThePool = Annotated[EnginePool, part(EnginePool)]


def _tell(
    loop: asyncio.AbstractEventLoop, listener: Callable[[Choice], None], choice: Choice
) -> None:
    with suppress(RuntimeError):  # the server has ended
        loop.call_soon_threadsafe(listener, choice)


class _Shelf:
    """Players that nobody uses now, the longest idle first."""

    def __init__(self) -> None:
        self._idle: list[tuple[tuple[str, str], Hashable, Player]] = []
        self._room = _IDLE
        self._lock = Lock()

    def take(self, game: Game, spec: str, owner: Hashable) -> Player:
        kind = (game.spec, spec)
        with self._lock:
            for position, (known, last, player) in enumerate(self._idle):
                if known == kind and last == owner:
                    del self._idle[position]
                    return player
            for position, (known, _, player) in enumerate(self._idle):
                if known == kind:
                    del self._idle[position]
                    player.new_game()
                    return player
        return make_player(spec, game)

    def put(self, game: Game, spec: str, owner: Hashable, player: Player) -> None:
        with self._lock:
            self._idle.append(((game.spec, spec), owner, player))
            count = max(0, len(self._idle) - self._room)
            gone = self._idle[:count]
            del self._idle[:count]
        for _, _, old in gone:
            old.close()

    def close(self) -> None:
        """Players that come back later are closed then."""
        with self._lock:
            gone, self._idle, self._room = self._idle, [], 0
        for _, _, player in gone:
            player.close()
