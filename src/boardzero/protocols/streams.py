"""Engines that answer lines, over standard input and output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Lock
from time import perf_counter
from typing import Protocol, TextIO

_LONGEST = 65_536  # characters of a line; what is behind them is cut off


class LineEngine(Protocol):
    """Takes lines, and gives answers through a function that it was made with."""

    def receive(self, line: str) -> bool:
        """Handle one line; False when the engine shall end."""

    def close(self) -> None:
        """The other side is gone."""


def serve(
    make: Callable[[Callable[[str], None]], LineEngine], *, log: TextIO | None = None
) -> None:
    """Run an engine until it is told to end or its input does.

    What is said goes to `log` too, one JSON object a line.
    """
    lock = Lock()
    start = perf_counter()

    def note(who: str, line: str) -> None:
        if log is not None:
            entry = {"seconds": round(perf_counter() - start, 6), "from": who, "line": line}
            print(json.dumps(entry), file=log, flush=True)

    def send(line: str) -> None:
        with lock:  # a search may end while we answer something else
            with suppress(BrokenPipeError):  # nobody listens; the end of the input will follow
                print(line, flush=True)
            note("engine", line)

    engine = make(send)
    try:
        for line in lines(sys.stdin):
            note("user", line)
            if not engine.receive(line):
                break
    finally:
        engine.close()


def lines(stream: TextIO) -> Iterator[str]:
    """Lines as they come, whatever bytes they hold."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    while line := stream.readline(_LONGEST):
        yield line.rstrip("\r\n")
        while not line.endswith("\n") and (line := stream.readline(_LONGEST)):
            pass
