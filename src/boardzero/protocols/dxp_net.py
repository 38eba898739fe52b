"""DXP over TCP: serve those who connect, or connect and ask for games."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from time import perf_counter, sleep

from boardzero.base.errors import BoardZeroError
from boardzero.protocols.dxp import Peer, frames

# Seconds between two messages of ours without one of theirs: some programs, pydraughts among them,
# take what arrives together for one message.
_SPACING = 0.05

MakePeer = Callable[[Callable[[str], None]], Peer]


def listen(host: str, port: int) -> socket.socket:
    """A socket that waits for opponents."""
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise BoardZeroError(f"cannot listen on {host}, port {port}: {error.strerror}") from None


def connect(host: str, port: int) -> socket.socket:
    """A connection to somebody who listens."""
    try:
        connection = socket.create_connection((host, port), timeout=10)
    except OSError as error:
        reason = error.strerror or "nobody answers"
        raise BoardZeroError(f"cannot reach {host}, port {port}: {reason}") from None
    connection.settimeout(None)
    return connection


def talk(
    connection: socket.socket,
    make: MakePeer,
    *,
    then: Callable[[Peer], bool] = lambda _: True,
    patience: float | None = None,
) -> Peer:
    """Hand messages on until the other side leaves, or `then` says that it is enough.

    It is called before anything is received, so that it may ask for a game, and again later. Who
    plays no game and says nothing for so many seconds is hung up on: others may be waiting.
    """
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # each message matters now
    lock = Lock()
    free_at = 0.0

    def send(text: str) -> None:
        nonlocal free_at
        # A search may end while we answer something else; and if the other side has left, we
        # shall read so.
        with lock, suppress(OSError):
            sleep(max(0.0, free_at - perf_counter()))
            connection.sendall(text.encode("ascii", "replace") + b"\0")
            free_at = perf_counter() + _SPACING

    peer = make(send)
    buffer = bytearray()
    try:
        while then(peer):
            connection.settimeout(None if peer.is_playing else patience)
            try:
                chunk = connection.recv(4096)
            except OSError:
                break
            if not chunk:
                break
            free_at = 0.0
            buffer += chunk
            for text in frames(buffer):
                peer.receive(text)
    finally:
        peer.close()
        connection.close()
    return peer
