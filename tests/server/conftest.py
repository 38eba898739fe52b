from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from visits import visitor

from boardzero.server import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, workers=2)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with visitor(settings) as client:
        yield client
