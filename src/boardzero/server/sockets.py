"""What all web sockets share: texts of bounded size and rate in, JSON out in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from types import TracebackType
from typing import Self

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from boardzero.server.security import Bucket

__all__ = ["Connection", "Json", "explain"]

Json = str | int | float | bool | None | list["Json"] | Mapping[str, "Json"]

_MAX_TEXT = 65_536
_MAX_WAITING = 200  # messages to somebody who does not read


class Connection:
    """One accepted socket. Sending never waits; somebody who does not read is hung up on."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._out: asyncio.Queue[Mapping[str, object]] = asyncio.Queue(_MAX_WAITING)
        self._tasks: set[asyncio.Task[None]] = set()
        self._bucket = Bucket(rate=30, burst=100)

    async def __aenter__(self) -> Self:
        self.spawn(self._send())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def send_soon(self, message: Mapping[str, object]) -> None:
        if self._out.full():
            self.spawn(self._socket.close(1008, "too slow"))
        else:
            self._out.put_nowait(message)

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Work that ends with the connection at the latest."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def texts(self) -> AsyncIterator[str]:
        """What comes in, until the other side leaves or misbehaves."""
        while True:
            try:
                text = await self._socket.receive_text()
            except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: bytes, not text
                return
            if len(text) > _MAX_TEXT:
                self._error("that message is too long")
            elif not self._bucket.take():
                self._error("too many messages; wait a moment")
            else:
                yield text

    async def close_with_error(self, code: int, sentence: str) -> None:
        await self._socket.send_json({"type": "error", "message": sentence})
        await self._socket.close(code, sentence)

    def _error(self, sentence: str) -> None:
        self.send_soon({"type": "error", "message": sentence})

    async def _send(self) -> None:
        while True:
            message = await self._out.get()
            try:
                await self._socket.send_json(message)
            except (WebSocketDisconnect, RuntimeError):
                return


def explain(error: ValidationError) -> str:
    """The first thing that is wrong, in one sentence."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])
