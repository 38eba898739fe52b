"""What all web sockets share: messages of bounded size and rate in, messages out in order.

Both directions are models of `messages.py`. What comes in is checked here; a message that is wrong
is answered with a sentence and changes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from types import TracebackType
from typing import Generic, Self, TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from boardzero.server.messages import ErrorNews, Outgoing
from boardzero.server.security import Bucket

_MAX_TEXT = 65_536
_MAX_WAITING = 200  # messages to somebody who does not read

In = TypeVar("In")
Out = TypeVar("Out", bound=Outgoing)


class Connection(Generic[In, Out]):
    """One accepted socket. Sending never waits; somebody who does not read is hung up on."""

    def __init__(self, socket: WebSocket, incoming: TypeAdapter[In]) -> None:
        self._socket = socket
        self._incoming = incoming
        self._out: asyncio.Queue[Out | ErrorNews] = asyncio.Queue(_MAX_WAITING)
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

    def send_soon(self, message: Out | ErrorNews) -> None:
        if self._out.full():
            self.spawn(self._socket.close(1008, "too slow"))
        else:
            self._out.put_nowait(message)

    def refuse(self, sentence: str) -> None:
        self.send_soon(ErrorNews(message=sentence))

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Work that ends with the connection at the latest."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def messages(self) -> AsyncIterator[In]:
        """What comes in, until the other side leaves."""
        while True:
            try:
                text = await self._socket.receive_text()
            except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: bytes, not text
                return
            if len(text) > _MAX_TEXT:
                self.refuse("that message is too long")
            elif not self._bucket.take():
                self.refuse("too many messages; wait a moment")
            else:
                try:
                    message = self._incoming.validate_json(text)
                except ValidationError as error:
                    self.refuse(_explain(error))
                else:
                    yield message

    async def close_with_error(self, code: int, sentence: str) -> None:
        await self._socket.send_text(ErrorNews(message=sentence).model_dump_json())
        await self._socket.close(code, sentence)

    async def _send(self) -> None:
        while True:
            message = await self._out.get()
            try:
                await self._socket.send_text(message.model_dump_json())
            except (WebSocketDisconnect, RuntimeError):
                return


def _explain(error: ValidationError) -> str:
    """The first thing that is wrong, in one sentence."""
    first = error.errors(include_url=False, include_input=False)[0]
    match first:
        case {"type": "union_tag_not_found"}:
            return "a message says by its 'kind' what it is"
        case {"type": "union_tag_invalid", "ctx": {"tag": tag, "expected_tags": known}}:
            return f"there is no message of kind '{tag}' here, only {known}"
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])
