"""Connections of strangers: who says nothing is hung up on, and nobody takes all places.

The guard (`security.py`) sees whole requests. Before there is one, a client without a token could
hold connections open for ever, until the machine has no more of them and nobody is served. So a
request must arrive in time, an address has only so many places, and some are never given away:
without them the system could not even take a connection in order to refuse it.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections import Counter
from time import monotonic

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from boardzero.server.settings import is_loopback

REQUEST_SECONDS = 20.0  # for a request to arrive, its body too
PLACES_EACH = 64  # connections of one address elsewhere
_SPARE = 128  # files for ourselves: databases, nets, pipes to other programs
_MOST_FILES = 65_536
_LOG_SECONDS, _LOG_LINES = 60.0, 20  # so many lines of a kind in so many seconds


class PunctualProtocol(H11Protocol):
    """HTTP of a client that must come to the point."""

    places = 0  # for all clients together; set by `configured`

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._alarm: asyncio.TimerHandle | None = None
        self._is_socket = False
        address = self.client[0] if self.client else ""
        own = sum(_address(other) == address for other in self.connections)
        is_full = len(self.connections) > self.places
        if is_full or (own > PLACES_EACH and not is_loopback(address)):
            transport.abort()
        else:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_watch()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._is_socket = True  # which has arrived, and may be silent for hours
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def _watch(self) -> None:
        """Let the alarm run while a request is on its way."""
        if self._is_socket or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._end_watch()
        elif self._alarm is None and not self.transport.is_closing():
            self._alarm = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _end_watch(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None


def serve(app: ASGIApp, listener: socket.socket) -> None:
    """Serve the application until the process is told to end."""
    _log_sparingly()
    uvicorn.Server(configured(app, places=_file_limit() - _SPARE)).run(sockets=[listener])


def configured(app: ASGIApp, *, places: int) -> uvicorn.Config:
    """How uvicorn serves it, to so many connections at a time."""
    PunctualProtocol.places = places
    return uvicorn.Config(
        app,
        http=PunctualProtocol,
        ws_max_size=1 << 17,
        server_header=False,
        log_config=None,
        access_log=False,
        h11_max_incomplete_event_size=1 << 16,
    )


def _address(connection: object) -> str:
    client = getattr(connection, "client", None)  # of uvicorn's protocols, each of its own class
    return client[0] if client else ""


def _file_limit() -> int:
    """As many open files as the system lets us have."""
    if sys.platform == "win32":
        return _MOST_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted if soft == resource.RLIM_INFINITY else min(soft, _MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def _log_sparingly() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    handler.addFilter(LogLimit())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


class LogLimit(logging.Filter):
    """Lets only so many lines of a kind through, so that nobody can fill the disk with them."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: Counter[tuple[str, object]] = Counter()
        self._since = monotonic()

    def filter(self, record: logging.LogRecord) -> bool:
        if monotonic() - self._since > _LOG_SECONDS:
            self._counts.clear()
            self._since = monotonic()
        kind = (record.name, record.lineno)
        self._counts[kind] += 1
        return self._counts[kind] <= _LOG_LINES
