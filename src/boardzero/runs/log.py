"""The log of a run: its events, one JSON object per line.

A line has when the event happened, its name, and its own fields. Whoever is killed while writing
leaves a torn line behind, which is left out when the log is read; so is what this program does not
know.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import MISSING, fields
from pathlib import Path

from pydantic import TypeAdapter

from boardzero.base.files import writing
from boardzero.runs.events import EVENTS, Event, Field


def append_event(path: Path, event: Event) -> None:
    """Add a line to the log."""
    when = {"iteration": event.iteration, "minutes": event.minutes}
    entry = {"time": round(time.time(), 3), "event": event.kind, **when, **event.fields()}
    with writing(path), path.open("ab+") as file:
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")  # behind a torn line
        file.write(json.dumps(entry).encode() + b"\n")


def read_events(
    path: Path, further: Sequence[type[Event]] = (), *, most_bytes: int | None = None
) -> list[Event]:
    """All events of the log, or of so many bytes at its end; `further` ones are a recipe's own."""
    try:
        with path.open("rb") as file:
            if most_bytes is not None:
                file.seek(max(0, path.stat().st_size - most_bytes))
            lines = file.read().splitlines()
    except FileNotFoundError:
        return []
    shapes = [_Shape(kind) for kind in (*EVENTS, *further)]
    return [event for line in lines if (event := _read(line, shapes)) is not None]


def _read(line: bytes, shapes: Sequence[_Shape]) -> Event | None:
    try:
        entry = json.loads(line, parse_constant=_refuse_constant)
        if not isinstance(entry, dict):
            return None
        return next((event for shape in shapes if (event := shape.read(entry))), None)
    except ValueError:  # among them pydantic's
        return None


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


class _Shape:
    """How an event lies in a line."""

    def __init__(self, kind: type[Event]) -> None:
        self._kind = kind.kind
        self._adapter: TypeAdapter[Event] = TypeAdapter(kind)
        self._names = {field.name for field in fields(kind)}
        required = {field.name for field in fields(kind) if field.default is MISSING}
        # The field that holds whatever no other field names.
        self._rest = {field.name for field in fields(kind) if "Mapping" in str(field.type)}
        self._required = required - self._rest

    def read(self, entry: dict[str, Field]) -> Event | None:
        if entry.get("event") != self._kind or not self._required <= entry.keys():
            return None
        values: dict[str, object] = {k: v for k, v in entry.items() if k in self._names}
        for name in self._rest:
            others = {k: v for k, v in entry.items() if k not in {"event", "time", *self._names}}
            values[name] = others
        return self._adapter.validate_python(values)
