"""The web application: FastAPI and web sockets around games, players and the store."""

from boardzero.base.extras import needs_extra
from boardzero.server.settings import Settings

with needs_extra("web", "the page"):
    from boardzero.server.app import check_data, create_app

__all__ = ["Settings", "check_data", "create_app"]
