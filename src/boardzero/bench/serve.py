"""Many games at once against the web server: how long a person waits for an answer.

The peers are a promise, a median of 300 ms and a 99th percentile of two seconds with 200 games, and
the throughput of the crowd before: it must not fall when twice as many come.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from boardzero.bench import Measurement

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

_CROWDS = (50, 100, 200, 400)  # games at a time
_PLAYER = "alphabeta:depth=3"
_MOVES = 4_000  # answered in all, to each crowd
_PAUSE = 1.0  # seconds, at most, that a person thinks


def measure() -> Iterator[Measurement]:
    before: float | None = None
    for games in _CROWDS:
        load, seconds = _measured(games)
        waits, speed = sorted(load.waits), len(load.waits) / seconds
        name = f"{games} games against {_PLAYER}"
        peer = () if before is None else ("half as many", before)
        yield Measurement(f"{name}, throughput", speed, "moves/s", *peer)
        yield Measurement(f"{name}, median", waits[len(waits) // 2], "s", "promise", 0.3)
        yield Measurement(f"{name}, 99 %", waits[len(waits) * 99 // 100], "s", "promise", 2.0)
        yield Measurement(f"{name}, resident memory", load.memory[-1], "MB")
        before = speed


def _measured(games: int) -> tuple[_Load, float]:
    """A crowd at a server of its own, and how long all its moves took."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "boardzero", "serve", "--port", "0", "--json"]
        environment = os.environ | {"BOARDZERO_HOME": folder}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as server:
            try:
                assert server.stdout is not None
                address = json.loads(server.stdout.readline())["address"]
                load = _Load(address, server.pid, games)
                began = perf_counter()
                asyncio.run(load.run())
                return load, perf_counter() - began
            finally:
                server.terminate()


class _Load:
    """So many people who play random moves and think for a while before each."""

    def __init__(self, address: str, server: int, games: int) -> None:
        self._address = address
        self._games = games
        self._server = server
        self.waits: list[float] = []
        self.memory: list[float] = []

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            for seed in range(self._games):
                group.create_task(self._person(Random(seed)))

    async def _person(self, rng: Random) -> None:
        while len(self.waits) < _MOVES:
            await self._game(rng)

    async def _game(self, rng: Random) -> None:
        from websockets.asyncio.client import connect

        key = await asyncio.to_thread(self._open)
        address = self._address.replace("http:", "ws:") + f"api/games/{key}/live"
        async with connect(address) as socket:
            game = await _turn(socket, 0)
            while game["position"]["ending"] is None and len(self.waits) < _MOVES:
                await asyncio.sleep(rng.random() * _PAUSE)
                move = rng.choice(game["position"]["moves"])["text"]
                plies = len(game["moves"])
                began = perf_counter()
                await socket.send(json.dumps({"kind": "move", "text": move}))
                game = await _turn(socket, plies + 1)
                self._note(perf_counter() - began)

    def _open(self) -> str:
        wish = json.dumps({"game": "english", "seats": ["human", _PLAYER]}).encode()
        request = urllib.request.Request(
            f"{self._address}api/games", wish, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            return str(json.load(answer)["id"])

    def _note(self, wait: float) -> None:
        self.waits.append(wait)
        if len(self.waits) % (_MOVES // 10) == 0:
            self.memory.append(_megabytes(self._server))


async def _turn(socket: ClientConnection, plies: int):  # type: ignore[no-untyped-def]
    """The game when it is over, or the person's turn after at least so many plies."""
    while True:
        frame = json.loads(await socket.recv())
        if frame["kind"] != "game":
            continue
        game = frame["game"]
        position = game["position"]
        mine = position["to_move"] == 0 and len(game["moves"]) >= plies
        if position["ending"] is not None or mine:
            return game


def _megabytes(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
