"""A client of the server as a browser on the same machine would be."""

from fastapi.testclient import TestClient

from boardzero.server import Settings, create_app

__all__ = ["visitor"]


def visitor(settings: Settings) -> TestClient:
    host = "127.0.0.1:8000"
    return TestClient(create_app(settings), base_url=f"http://{host}", headers={"Host": host})
