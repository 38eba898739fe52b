"""The parts of the server that requests find: one of each class, put there when it starts."""

from typing import Any

from fastapi import Depends
from starlette.requests import HTTPConnection


def part(kind: type) -> Any:
    """What a parameter depends on that wants the server's part of this class."""

    def find(connection: HTTPConnection) -> object:
        return connection.app.state.parts[kind]

    return Depends(find)
