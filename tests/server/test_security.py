from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from boardzero.base.errors import BoardZeroError
from boardzero.cli.serve import _own_page
from boardzero.server import Settings, create_app
from boardzero.server.catalog import check_player, open_game
from boardzero.server.security import Bucket

NEW = {"game": "english", "seats": ["human", "human"]}


def test_another_address_than_loopback_needs_a_token(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match="token"):
        Settings(tmp_path, host="0.0.0.0")
    assert Settings(tmp_path, host="0.0.0.0", token="a secret")
    assert Settings(tmp_path, host="::1").is_loopback


def test_the_page_of_another_site_may_not_post(client: TestClient) -> None:
    answer = client.post("/api/games", json=NEW, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403
    assert client.post(
        "/api/games", json=NEW, headers={"Origin": "http://127.0.0.1:8000"}
    ).is_success


def test_the_page_of_another_site_may_not_open_a_socket(client: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/api/analysis", headers={"Origin": "http://evil.example"}),
    ):
        pass


def test_a_host_name_that_was_bent_to_this_machine_is_refused(client: TestClient) -> None:
    answer = client.get("/api/catalog", headers={"Host": "evil.example:8000"})
    assert answer.status_code == 403
    assert client.get("/api/catalog", headers={"Host": "127.0.0.1:8000"}).is_success


def test_a_host_or_origin_that_is_none_is_refused(client: TestClient) -> None:
    for host in ("[", "[::1", "127.0.0.1]:8000"):
        assert client.get("/api/catalog", headers={"Host": host}).status_code in (400, 403)
    answer = client.post("/api/games", json=NEW, headers={"Origin": "http://["})
    assert answer.status_code == 403


def test_forms_are_refused(client: TestClient) -> None:
    answer = client.post(
        "/api/games", content="game=english", headers={"Content-Type": "text/plain"}
    )
    assert answer.status_code == 415


def test_a_large_body_is_refused(client: TestClient) -> None:
    assert client.post("/api/line", content=b"x" * (2 << 20)).status_code == 413


def test_a_token_opens_the_door_once_and_then_is_a_cookie(tmp_path: Path) -> None:
    settings = Settings(tmp_path, host="0.0.0.0", token="open sesame")
    with TestClient(create_app(settings), base_url="http://board.example") as client:
        assert client.get("/api/catalog").status_code == 401
        assert client.get("/", params={"token": "wrong"}).status_code == 401
        bearer = {"Authorization": "Bearer open sesame"}
        assert client.get("/api/catalog", headers=bearer).is_success
        welcome = client.get("/", params={"token": "open sesame"}, follow_redirects=False)
        assert welcome.status_code == 303
        assert "HttpOnly" in welcome.headers["set-cookie"]
        assert client.get("/api/catalog").is_success


def test_the_page_that_opens_by_itself_brings_the_token(tmp_path: Path) -> None:
    assert _own_page("127.0.0.1", 8000, None) == "http://127.0.0.1:8000/"
    assert _own_page("::", 8000, "x").startswith("http://[::1]:8000/?")
    settings = Settings(tmp_path, host="0.0.0.0", token="open & sesame")
    page = _own_page(settings.host, 8000, settings.token)
    assert page.startswith("http://127.0.0.1:8000/")
    with TestClient(create_app(settings)) as client:
        assert client.get(page, follow_redirects=False).status_code == 303


def test_the_page_may_load_nothing_from_elsewhere(client: TestClient) -> None:
    policy = client.get("/api/catalog").headers["content-security-policy"]
    assert policy.startswith("default-src 'self'")


@pytest.mark.parametrize(
    "spec",
    [
        'hub:cmd="rm -rf /"',
        "zero:model=/etc",
        "zero:run=../secret",
        "zero:run=/etc",
        "net:model=/etc",
        "net:run=../secret",
        "alphabeta:depth=100",
        "alphabeta:time=1000",
        "alphabeta:time=nan",
        "alphabeta:hash=65536",
        "mcts:memory=100000",
        "minimax:depth=20",
        "./player.py",
        "",
        "alphabeta:depth",
    ],
)
def test_a_browser_cannot_name_a_player_that_does_harm(spec: str) -> None:
    with pytest.raises(BoardZeroError):
        check_player(spec, open_game("english"))


@pytest.mark.parametrize("spec", ["/etc/passwd", "./game.py", "../game.py", "game.py", "", "chess"])
def test_a_browser_cannot_name_a_game_that_is_a_file(spec: str) -> None:
    with pytest.raises(BoardZeroError):
        open_game(spec)


@pytest.mark.parametrize(
    "path", ["/../settings.py", "/%2e%2e/settings.py", "/assets/../../app.py", "/..%2fapp.py"]
)
def test_files_outside_the_page_are_not_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_run_outside_its_folder_is_not_read(client: TestClient) -> None:
    for name in ("..", "..%2f..", "%2e%2e", ".hidden"):
        assert client.get(f"/api/runs/{name}").status_code in (404, 422)


def test_a_bucket_refuses_what_comes_too_fast() -> None:
    bucket = Bucket(rate=0.001, burst=3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_a_game_of_another_library_cannot_be_opened(client: TestClient) -> None:
    assert "openspiel" not in {game["name"] for game in client.get("/api/catalog").json()}
    wish = {"game": "openspiel:game=efg_game(filename=/etc/passwd)", "seats": ["human", "human"]}
    assert client.post("/api/games", json=wish).status_code == 400
