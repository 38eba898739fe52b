"""The schema describes the server, and nothing that is sent to it makes it fail."""

from fastapi.routing import APIWebSocketRoute
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st

from boardzero.server import arena, files, learn, play, stored, study
from tests.games.variants import GAMES

Json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
SPECS = st.sampled_from([*GAMES, "gomoku:size=5"])
TEXTS = st.text(max_size=30) | st.sampled_from(["11-15", "d4", "pass", "W:W1:B2", "x", "8/8"])
LINES = st.fixed_dictionaries(
    {"game": SPECS | TEXTS},
    optional={"fen": st.none() | TEXTS, "moves": st.lists(TEXTS, max_size=3)},
)
PIECES = st.fixed_dictionaries(
    {
        "cell": st.integers(-2, 110),
        "owner": st.integers(-1, 4),
        "kind": st.sampled_from(["man", "king", "x"]),
    }
)


def test_the_schema_names_every_address(client: TestClient) -> None:
    schema = client.get("/openapi.json").json()
    assert {"/api/games", "/api/line", "/api/tournaments", "/api/runs"} <= schema["paths"].keys()
    for page in ("/docs", "/redoc"):  # which would need scripts from elsewhere
        assert client.get(page).status_code == 404


def test_the_schema_names_every_message_of_every_socket(client: TestClient) -> None:
    schema = client.get("/openapi.json").json()
    parts = (play, study, files, stored, arena, learn)
    routes = [route for part in parts for route in part.router.routes]
    sockets = {route.path for route in routes if isinstance(route, APIWebSocketRoute)}
    assert schema["x-sockets"].keys() == sockets
    messages = schema["components"]["schemas"]
    for socket in schema["x-sockets"].values():
        for direction in socket.values():
            union = messages[direction["$ref"].rpartition("/")[2]]
            assert union["discriminator"]["propertyName"] == "kind"
            for kind, message in union["discriminator"]["mapping"].items():
                described = messages[message.rpartition("/")[2]]["properties"]["kind"]
                assert kind in described.get("enum", [described.get("const")])


@hypothesis(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(body=Json)
def test_no_body_makes_the_server_fail(client: TestClient, body: object) -> None:
    for path in (
        "games",
        "line",
        "position",
        "setup",
        "svg",
        "trees/read",
        "trees/write",
        "studies",
        "try",
        "stored/search",
        "stored/explore",
        "tournaments",
    ):
        assert client.post(f"/api/{path}", json=body).status_code < 500, path


@hypothesis(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(line=LINES, pieces=st.lists(PIECES, max_size=4), mover=st.integers(-1, 5))
def test_no_line_makes_the_server_fail(
    client: TestClient, line: dict, pieces: list, mover: int
) -> None:
    for path in ("line", "position", "svg", "stored/search", "stored/explore"):
        assert client.post(f"/api/{path}", json=line).status_code < 500, path
    setup = {"game": line["game"], "to_move": mover, "pieces": pieces}
    assert client.post("/api/setup", json=setup).status_code < 500
