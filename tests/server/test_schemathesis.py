"""Requests made up from the OpenAPI schema: none of them makes the server fail."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings
from visits import visitor

from boardzero.server import Settings, create_app
from boardzero.server.security import Bucket

SCHEMA = schemathesis.openapi.from_dict(create_app(Settings(Path(os.devnull))).openapi())
QUICK = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Bucket, "take", lambda _: True)  # which would refuse most of them
        with visitor(Settings(tmp_path_factory.mktemp("fuzzed"), workers=1)) as client:
            client.headers["Host"] = "127.0.0.1:8000"
            yield client


def check(case: schemathesis.Case, client: TestClient) -> None:
    request = case.as_transport_kwargs(base_url="http://127.0.0.1:8000")
    for unused in ("files", "cookies"):
        request.pop(unused, None)
    headers = {
        name: value
        for name, value in dict(request.pop("headers") or {}).items()
        if name.lower() not in ("host", "connection", "accept-encoding", "content-length")
    }
    answer = client.request(headers=headers, **request)
    assert answer.status_code < 500, answer.text
    if 400 <= answer.status_code < 500:
        assert answer.json()["detail"], "a refusal says why"


@SCHEMA.parametrize()
@QUICK
def test_no_request_of_the_schema_makes_the_server_fail(
    case: schemathesis.Case, client: TestClient
) -> None:
    check(case, client)


@pytest.mark.slow
@SCHEMA.parametrize()
@settings(QUICK, max_examples=150, derandomize=False)
def test_nor_does_any_of_many(case: schemathesis.Case, client: TestClient) -> None:
    check(case, client)
