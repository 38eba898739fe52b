"""The web application: FastAPI and web sockets around games, players and the store."""

from boardzero.server.app import create_app
from boardzero.server.settings import Settings

__all__ = ["Settings", "create_app"]
