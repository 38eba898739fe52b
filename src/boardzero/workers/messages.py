"""What workers on other machines say, as bytes of a format of our own: nothing is unpickled.

A message is a dataclass that was declared with `message`, or a plain value. Its bytes are a header
of JSON, which names the class, and the byte strings that it refers to, behind a length and a
checksum. Whoever reads them makes only objects of declared classes, and only of fields with the
declared types.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from boardzero.base.errors import BoardZeroError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_FRAME = struct.Struct("<4sIIQ")  # magic, checksum, bytes of the header, bytes in all behind this
_MAGIC = b"BZM1"
_DEEPEST = 20  # levels of a header

_declared: dict[str, type[object]] = {}

C = TypeVar("C", bound=type[object])


def message(kind: C) -> C:
    """Declares a dataclass as something that a worker may say."""
    _declared[_name(kind)] = kind
    return kind


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands for bytes that are no message."""

    reason: str


def what_is_wrong(said: object) -> str:
    """With a message that its reader does not expect."""
    if isinstance(said, Unreadable):
        return said.reason
    return f"a message of an unknown kind ({type(said).__name__})"


def encode(said: object) -> bytes:
    """The bytes of a message."""
    parts: list[bytes] = []
    name = ""
    if is_dataclass(said) and not isinstance(said, type):
        name = _name(type(said))
        assert name in _declared, f"{name} is not declared as a message"
    header = json.dumps([name, _flat(said, parts), [len(part) for part in parts]]).encode()
    body = header + b"".join(parts)
    return _FRAME.pack(_MAGIC, zlib.crc32(body), len(header), len(body)) + body


def decode_all(data: bytes) -> Iterator[object]:
    """The messages that follow each other in some bytes; the first bad one is the last."""
    view = memoryview(data)
    while view:
        try:
            end = _length(view)
            yield _decode(view[_FRAME.size : end], _FRAME.unpack(view[: _FRAME.size]))
        except BoardZeroError as error:
            yield Unreadable(str(error))
            return
        view = view[end:]


def _length(view: memoryview) -> int:
    """Of the message that the bytes begin with."""
    if len(view) < _FRAME.size:
        raise BoardZeroError("a message that is cut short")
    magic, _, _, size = _FRAME.unpack(view[: _FRAME.size])
    if magic != _MAGIC or size > len(view) - _FRAME.size:
        raise BoardZeroError("something else than a message")
    return int(_FRAME.size + size)


def _decode(body: memoryview, frame: tuple[bytes, int, int, int]) -> object:
    _, checksum, header_size, _ = frame
    if header_size > len(body) or zlib.crc32(body) != checksum:
        raise BoardZeroError("a damaged message")
    try:
        name, flat, lengths = json.loads(bytes(body[:header_size]))
        parts = _parts(body[header_size:], lengths)
        value = _full(flat, parts)
    except (ValueError, TypeError, LookupError, RecursionError):
        raise BoardZeroError("a message with a damaged header") from None
    if name == "":
        return value
    kind = _declared.get(name) if isinstance(name, str) else None
    if kind is None:
        raise BoardZeroError(f"a message of an unknown kind ({str(name)[:60]})")
    try:
        return _adapter(name).validate_python(value)
    except ValueError:
        raise BoardZeroError(f"a message {kind.__name__} with fields of other types") from None


@cache
def _adapter(name: str) -> TypeAdapter[object]:
    from pydantic import TypeAdapter  # only the owner of workers elsewhere needs it

    return TypeAdapter(_declared[name])


def _name(kind: type[object]) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _flat(value: object, parts: list[bytes]) -> object:
    """As JSON has it: lists, mappings and bytes are told apart by a letter before them."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case bytes():
            parts.append(value)
            return ["b", len(parts) - 1]
        case list() | tuple():
            return ["l", [_flat(one, parts) for one in value]]
        case Mapping():
            return ["m", {str(key): _flat(one, parts) for key, one in value.items()}]
        case Path():
            return ["p", str(value)]
        case datetime():
            return value.isoformat()
        case _ if is_dataclass(value):
            return ["m", {f.name: _flat(getattr(value, f.name), parts) for f in fields(value)}]
        case _:
            raise TypeError(f"a message cannot hold a {type(value).__name__}")


def _full(flat: object, parts: list[bytes], depth: int = 0) -> object:
    if depth > _DEEPEST:
        raise ValueError
    match flat:
        case ["b", int(number)] if number >= 0:
            return parts[number]
        case ["l", list(items)]:
            return [_full(one, parts, depth + 1) for one in items]
        case ["m", dict(items)]:
            return {key: _full(one, parts, depth + 1) for key, one in items.items()}
        case ["p", str(path)]:
            return Path(path)
        case None | bool() | int() | float() | str():
            return flat
        case _:
            raise ValueError


def _parts(rest: memoryview, lengths: list[int]) -> list[bytes]:
    found = []
    for length in lengths:
        if not isinstance(length, int) or not 0 <= length <= len(rest):
            raise ValueError
        found.append(bytes(rest[:length]))
        rest = rest[length:]
    if rest:
        raise ValueError
    return found
