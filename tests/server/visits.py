"""A client of the server as a browser on the same machine would be."""

from fastapi.testclient import TestClient

from boardzero.server import Settings, create_app

__all__ = ["visitor"]


def visitor(settings: Settings) -> TestClient:
    return TestClient(create_app(settings), base_url="http://127.0.0.1:8000")
