"""Thinking, in a bounded number of threads.

The compiled players release the GIL, so threads are enough. Moves of games go before analysis; who
must wait is told its place in the queue. Players are kept between moves, because they keep tables
and trees, but only so many of them.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from threading import Lock

from boardzero.errors import BoardZeroError
from boardzero.games import Game, State
from boardzero.players import Choice, Limit, Player, make_player

__all__ = ["EnginePool", "Order", "Urgency"]

_IDLE = 12  # players kept for later


class Urgency(IntEnum):
    MOVE = 0
    HINT = 1
    ANALYSIS = 2
    TOURNAMENT = 3


@dataclass(slots=True)
class Order:
    """A thought that somebody wants; `owner` gets the same player again if it is still there."""

    state: State
    player: str
    limit: Limit
    owner: Hashable
    urgency: Urgency
    on_wait: Callable[[int], None] | None = None  # told the place in the queue, 0 when it starts


@dataclass(order=True, slots=True)
class _Ticket:
    urgency: Urgency
    number: int
    order: Order = field(compare=False)
    turn: asyncio.Future[None] = field(compare=False)


class EnginePool:
    """Belongs to one event loop; `choose` may be called by any number of its tasks."""

    def __init__(self, *, workers: int, max_think: float, max_waiting: int) -> None:
        self._free = workers
        self._max_think = max_think
        self._max_waiting = max_waiting
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="engine")
        self._waiting: list[_Ticket] = []
        self._numbers = count()
        self._shelf = _Shelf()

    async def choose(self, order: Order) -> Choice:
        """The player's choice; a cancelled caller stops its player."""
        await self._enter(order)
        try:
            return await self._think(order)
        finally:
            self._leave()

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
        for place, ticket in enumerate(sorted(self._waiting), start=1):
            if ticket.order.on_wait:
                ticket.order.on_wait(place)

    async def _think(self, order: Order) -> Choice:
        loop = asyncio.get_running_loop()
        state = order.state.copy()
        player = self._shelf.take(state.game, order.player, order.owner)
        alarm = loop.call_later(self._max_think, player.stop)
        thought = loop.run_in_executor(self._threads, player.choose, state, order.limit)
        try:
            return await asyncio.shield(thought)
        except asyncio.CancelledError:
            player.stop()
            await asyncio.wait([thought])
            raise
        finally:
            alarm.cancel()
            self._shelf.put(state.game, order.player, order.owner, player)


class _Shelf:
    """Players that nobody uses now, the longest idle first."""

    def __init__(self) -> None:
        self._idle: list[tuple[tuple[str, str], Hashable, Player]] = []
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
            gone = self._idle[:-_IDLE]
            del self._idle[:-_IDLE]
        for _, _, old in gone:
            old.close()

    def close(self) -> None:
        with self._lock:
            gone, self._idle = self._idle, []
        for _, _, player in gone:
            player.close()
