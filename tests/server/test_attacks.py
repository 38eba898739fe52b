"""What a stranger, or the page of another site, may try against the server."""

import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from visits import visitor

from boardzero.base.errors import BoardZeroError
from boardzero.server import Settings, create_app
from boardzero.server.live import LiveGames

TOKEN = "open sesame"


def with_token(tmp_path: Path, token: str = TOKEN) -> TestClient:
    settings = Settings(tmp_path, host="0.0.0.0", token=token)
    return TestClient(create_app(settings), base_url="http://board.example")


@pytest.mark.parametrize(
    "player", ["mcts:c=inf", "mcts:c=nan", "mcts:seed=18446744073709551616", "mcts:rollouts=1e99"]
)
def test_a_player_with_an_impossible_number_is_refused(client: TestClient, player: str) -> None:
    wish = {"game": "english", "seats": [player, "human"]}
    assert client.post("/api/games", json=wish).status_code == 400


def test_the_page_of_another_site_may_not_even_ask(client: TestClient) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}):
        assert client.get("/api/catalog", headers=headers).status_code == 403
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code != 403  # a link


def test_a_long_spec_in_an_address_is_read_at_once(client: TestClient) -> None:
    assert client.get("/api/catalog/gomoku:a=" + "%20" * 5000).status_code == 400


@pytest.mark.parametrize("body", ['{"minutes": NaN}', '{"minutes": Infinity}', '"\\ud800"', "{"])
@pytest.mark.parametrize("address", ["/api/games", "/api/runs", "/api/line", "/api/tournaments"])
def test_what_is_no_json_gets_a_sentence(client: TestClient, address: str, body: str) -> None:
    answer = client.post(address, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["detail"]


def test_a_half_character_inside_a_text_is_no_json(client: TestClient) -> None:
    body = '{"game": "english\\ud800", "seats": ["human", "human"]}'
    answer = client.post("/api/games", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400


def test_a_socket_survives_what_is_no_json(client: TestClient) -> None:
    key = client.post("/api/games", json={"game": "english", "seats": ["human"] * 2}).json()["id"]
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        assert socket.receive_json()["kind"] == "game"
        for text in ('{"kind": "move", "text": "\\ud800"}', "NaN", '{"kind": NaN}'):
            socket.send_text(text)
            assert socket.receive_json()["kind"] == "error"


def test_a_short_token_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match="can be guessed"):
        Settings(tmp_path, token="x")


def test_who_guesses_too_often_is_not_listened_to(tmp_path: Path) -> None:
    with with_token(tmp_path) as client:
        answers = [
            client.get("/api/catalog", headers={"Authorization": f"Bearer {n}"}).status_code
            for n in range(40)
        ]
        assert answers[0] == 401
        assert answers[-1] == 429
        assert client.get("/", params={"token": "guess"}).status_code == 429


def test_who_has_no_token_at_all_is_told_so_however_often(tmp_path: Path) -> None:
    with with_token(tmp_path) as client:
        assert {client.get("/api/catalog").status_code for _ in range(40)} == {401}


def test_a_cookie_of_another_program_does_not_lock_the_owner_out(tmp_path: Path) -> None:
    with with_token(tmp_path) as client:
        welcome = client.get("/", params={"token": TOKEN}, follow_redirects=False)
        own = welcome.headers["set-cookie"].partition(";")[0]
        client.cookies.clear()
        foreign = 'a[b]="x; y=\\"; boardzero_9999=other; '
        answer = client.get("/api/catalog", headers={"Cookie": foreign + own})
        assert answer.is_success


def test_a_token_may_have_any_letters(tmp_path: Path) -> None:
    with with_token(tmp_path, "Sésame, öffne dich") as client:
        welcome = client.get("/", params={"token": "Sésame, öffne dich"}, follow_redirects=False)
        assert welcome.status_code == 303
        assert client.get("/api/catalog").is_success
        assert client.get("/api/catalog", headers={"Cookie": "x=é".encode()}).status_code == 401
        bearer = {"Authorization": "Bearer Sésame, öffne dich".encode()}
        assert client.get("/api/catalog", headers=bearer).is_success


def test_every_answer_has_the_security_headers(tmp_path: Path) -> None:
    with with_token(tmp_path) as client:
        refused = client.get("/api/catalog")
        foreign = client.get("/api/catalog", headers={"Origin": "http://evil.example"})
        welcome = client.get("/", params={"token": TOKEN}, follow_redirects=False)
        assert (refused.status_code, foreign.status_code, welcome.status_code) == (401, 403, 303)
        for answer in (refused, foreign, welcome):
            assert "default-src 'self'" in answer.headers["content-security-policy"]
            assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_server_answers_for_the_loopback_address_that_it_was_given(tmp_path: Path) -> None:
    settings = Settings(tmp_path, host="127.0.0.2")
    with TestClient(create_app(settings), base_url="http://127.0.0.2:8000") as client:
        assert client.get("/api/catalog").is_success


def test_a_bad_row_of_a_saved_game_leaves_the_others(tmp_path: Path) -> None:
    settings = Settings(tmp_path, workers=1)
    with visitor(settings) as client:
        wish = {"game": "english", "seats": ["human", "human"]}
        key = client.post("/api/games", json=wish).json()["id"]
        saved = client.app.state.parts[LiveGames]._saved  # type: ignore[attr-defined]
        for number, text in enumerate(("[]", "{", "{}", json.dumps({"game": 3}))):
            saved.save(f"bad{number}", text, 1e12).result()
        assert [game["id"] for game in client.get("/api/games").json()] == [key]
        assert client.get("/api/games/bad0").status_code == 400
