from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from visits import visitor

from boardzero.games import register, registry
from boardzero.server import Settings
from tests.players.pile import Pile


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, workers=2)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with visitor(settings) as client:
        yield client


@pytest.fixture
def pile(monkeypatch: pytest.MonkeyPatch) -> str:
    """A game on squares that is no draughts, and in which a seat may move twice in a row."""
    monkeypatch.setattr(registry._families, "_loaded", dict(registry._families._loaded))
    register(Pile)
    return "pile"
