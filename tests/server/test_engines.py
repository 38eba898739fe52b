"""Players that think in threads: one at a time each, and they end when they are asked to."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

import pytest

from boardzero.games import State, make
from boardzero.players import Choice, Limit, Player
from boardzero.server import engines
from boardzero.server.engines import EnginePool, Order, Urgency


class Slow(Player):
    """Takes a while to begin, in which it hears nothing, and a while to end."""

    spec = "slow"
    thinking = 0
    most = 0  # calls of `choose` at a time
    stopped = False

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: ARG002, B008
        self.thinking += 1
        self.most = max(self.most, self.thinking)
        time.sleep(0.1)
        self.stopped = False
        deadline = time.monotonic() + 5
        while not self.stopped and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(0.1)
        self.thinking -= 1
        return Choice(state.moves()[0], nodes=int(self.stopped))

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Slow]:
    """All players that a pool makes; each takes a while to load."""
    players: list[Slow] = []

    def make_slow(*_: object) -> Slow:
        time.sleep(0.1)
        players.append(Slow())
        return players[-1]

    monkeypatch.setattr(engines, "make_player", make_slow)
    return players


def order(urgency: Urgency = Urgency.MOVE) -> Order:
    return Order(make("english").start(), "slow", Limit(), "owner", urgency)


@asynccontextmanager
async def open_pool(workers: int) -> AsyncIterator[EnginePool]:
    pool = EnginePool(workers=workers, max_think=60, max_waiting=9)
    yield pool
    pool.close()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(15):
        while not condition():
            await asyncio.sleep(0.005)


def run(test: Coroutine[None, None, None]) -> None:
    asyncio.run(test)


async def give_up(task: asyncio.Task[Choice]) -> None:
    """Cancelled again and again, as by an impatient server."""
    while not task.done():
        task.cancel()
        await asyncio.sleep(0.01)


def test_a_player_that_still_thinks_is_given_to_nobody_else(made: list[Slow]) -> None:
    async def test() -> None:
        async with open_pool(2) as pool:
            first = asyncio.create_task(pool.choose(order()))
            await until(lambda: made and made[0].thinking)
            await give_up(first)
            assert made[0].thinking == 0
            second = asyncio.create_task(pool.choose(order()))
            await until(lambda: made[0].thinking)
            await give_up(second)
            assert [player.most for player in made] == [1]

    run(test())


def test_a_player_that_is_loaded_for_nobody_is_kept(made: list[Slow]) -> None:
    async def test() -> None:
        async with open_pool(1) as pool:
            first = asyncio.create_task(pool.choose(order()))
            await asyncio.sleep(0.02)
            await give_up(first)
            second = asyncio.create_task(pool.choose(order()))
            await until(lambda: made and made[0].thinking)
            await give_up(second)
            assert len(made) == 1

    run(test())


@pytest.mark.parametrize("loaded", [False, True])
def test_an_analysis_gives_way_although_it_has_not_begun(made: list[Slow], loaded: bool) -> None:
    async def test() -> None:
        async with open_pool(1) as pool:
            study = asyncio.create_task(pool.choose(order(Urgency.HINT)))
            await asyncio.sleep(0.02)
            await until(lambda: not loaded or (made and made[0].thinking))
            move = asyncio.create_task(pool.choose(order()))
            assert (await study).nodes == 1  # it was stopped
            await give_up(move)

    run(test())


def test_a_thought_that_was_cut_is_begun_again(made: list[Slow]) -> None:
    async def test() -> None:
        async with open_pool(1) as pool:
            has_ended = []
            study = asyncio.create_task(pool.choose_whole(order(Urgency.ANALYSIS)))
            for _ in range(2):
                await until(lambda: made and made[0].thinking)
                move = asyncio.create_task(pool.choose(order()))
                await asyncio.sleep(0.3)  # the analysis has given way
                has_ended.append(study.done())
                await give_up(move)
            await until(lambda: made[0].thinking)
            while not study.done():
                made[0].stop()
                await asyncio.sleep(0.01)
            assert has_ended == [False, False]

    run(test())
