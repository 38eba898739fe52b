"""What the person who starts the server decides."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from boardzero.base.errors import BoardZeroError

_SHORTEST_TOKEN = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """Where to listen, where to keep games, and how much may happen at once."""

    data: Path  # games and tournaments are kept here
    runs: Path | None = None  # training runs, only read; in the data folder unless given
    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    workers: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))
    max_think: float = 30.0  # seconds after which any player is stopped
    max_waiting: int = 1000  # requests for thought that may wait; a sentence answers others
    max_body: int = 1 << 20  # bytes
    engines: Mapping[str, str] = field(default_factory=dict)  # programs to choose by these names

    def __post_init__(self) -> None:
        if not self.is_loopback and not self.token:
            raise BoardZeroError(
                f"{self.host} can be reached from other machines; give a token, "
                f"such as --token {secrets.token_urlsafe(12)}"
            )
        if self.token is not None and len(self.token) < _SHORTEST_TOKEN:
            raise BoardZeroError(
                f"a token of {len(self.token)} characters can be guessed; "
                f"take {_SHORTEST_TOKEN} or more"
            )

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches the server."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a name or address means this machine to itself."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
