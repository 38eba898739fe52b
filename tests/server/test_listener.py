"""Connections: who says nothing is hung up on, and nobody takes all places."""

import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread
from time import monotonic, sleep

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket
from websockets.sync.client import connect

from boardzero.server import listener
from boardzero.server.listener import LogLimit

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@contextmanager
def serving(
    places: int = 100,
    app: ASGIApp = PlainTextResponse("hello"),  # noqa: B008
) -> Iterator[tuple[str, int]]:
    own = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(listener.configured(app, places=places))
    thread = Thread(target=server.run, kwargs={"sockets": [own]})
    thread.start()
    try:
        yield own.getsockname()
    finally:
        server.should_exit = True
        thread.join()


def heard(connection: socket.socket) -> bytes:
    try:
        return connection.recv(4096)
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize(
    "words",
    [b"", b"GET / HTTP/1.1\r\nX: ", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na"],
)
def test_a_request_that_does_not_end_is_not_waited_for(
    words: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "REQUEST_SECONDS", 0.5)
    with serving() as address, socket.create_connection(address) as connection:
        connection.settimeout(20)
        connection.sendall(words)
        while data := heard(connection):  # the answer to a request whose body never comes
            assert b"200 OK" in data or data == b"hello"


def test_a_second_request_that_does_not_end_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listener, "REQUEST_SECONDS", 0.5)
    with serving() as address, socket.create_connection(address) as connection:
        connection.settimeout(20)
        connection.sendall(GET)
        assert b"200 OK" in connection.recv(4096)
        connection.sendall(b"GET / HTTP/1.1\r\nX:")
        begun = monotonic()
        while heard(connection):
            pass
        assert monotonic() - begun < 15


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """A web socket that says what it hears."""
    if scope["type"] == "websocket":
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        await socket.send_text(await socket.receive_text())


def test_a_socket_may_be_silent_for_as_long_as_it_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "REQUEST_SECONDS", 0.3)
    with serving(app=echo) as (host, port), connect(f"ws://{host}:{port}/") as socket:
        sleep(1)
        socket.send("still here")
        assert socket.recv(20) == "still here"


def test_who_takes_all_places_is_refused_and_makes_room_by_leaving() -> None:
    with serving(places=3) as address:
        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(socket.create_connection(address))
            sleep(0.2)
            late = stack.enter_context(socket.create_connection(address))
            late.settimeout(20)
            late.sendall(GET)
            assert heard(late) == b""
        sleep(0.2)
        with socket.create_connection(address) as welcome:
            welcome.settimeout(20)
            welcome.sendall(GET)
            assert b"200 OK" in welcome.recv(4096)


def test_an_address_elsewhere_has_only_so_many_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "PLACES_EACH", 2)
    monkeypatch.setattr(listener, "is_loopback", lambda _: False)
    with serving() as address, ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(socket.create_connection(address))
        sleep(0.2)
        third = stack.enter_context(socket.create_connection(address))
        third.settimeout(20)
        assert heard(third) == b""


def test_the_log_repeats_itself_only_so_often() -> None:
    limit = LogLimit()
    record = logging.LogRecord("asyncio", logging.ERROR, "", 7, "out of files", None, None)
    assert sum(limit.filter(record) for _ in range(10_000)) == 20
    other = logging.LogRecord("asyncio", logging.ERROR, "", 8, "something else", None, None)
    assert limit.filter(other)
