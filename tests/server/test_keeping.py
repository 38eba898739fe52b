"""A move is acknowledged when it is on disk; or the page says that it is not, and tries again."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path
from random import Random

import pytest
from fastapi.testclient import TestClient
from visits import visitor
from websockets.sync.client import connect

from boardzero import BoardZeroError
from boardzero.server import Settings, live
from boardzero.server.live import LiveGames
from boardzero.server.saved import SavedGames
from boardzero.store import PlayedGame, Store

PEOPLE = {"game": "gomoku:size=5", "seats": ["human", "human"]}


def fill_disk(saved: SavedGames, *, full: bool) -> None:
    pages = 1 if full else 1_000_000
    saved._writer.do(lambda: saved._db.execute(f"PRAGMA max_page_count = {pages}")).result()


def on_disk(folder: Path, key: str) -> list[str]:
    with sqlite3.connect(folder / "web.sqlite") as db:
        row = db.execute("SELECT data FROM games WHERE id = ?", (key,)).fetchone()
    moves: list[str] = json.loads(row[0])["moves"]
    return moves


def test_on_a_full_disk_the_page_is_told_and_the_game_is_saved_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_RETRY", 0.1)
    with visitor(Settings(tmp_path, workers=1)) as client:
        saved = client.app.state.parts[LiveGames]._saved  # type: ignore[attr-defined]
        fill_disk(saved, full=True)
        view = client.post("/api/games", json=PEOPLE).json()
        while view["unsaved"] is None:  # until the games need a page more
            view = client.post("/api/games", json=PEOPLE).json()
        assert "full" in view["unsaved"]
        with client.websocket_connect(f"/api/games/{view['id']}/live") as socket:
            view = socket.receive_json()["game"]
            socket.send_json({"kind": "move", "text": view["position"]["moves"][0]["text"]})
            while not view["moves"]:
                view = socket.receive_json()["game"]
            assert view["unsaved"]
            fill_disk(saved, full=False)
            while view["unsaved"] is not None:
                view = socket.receive_json()["game"]
        assert on_disk(tmp_path, view["id"]) == view["moves"]


def test_a_finished_game_that_cannot_be_stored_is_stored_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "_RETRY", 0.1)
    with visitor(Settings(tmp_path, workers=1)) as client:
        key = client.post("/api/games", json=PEOPLE).json()["id"]
        is_full = [True]
        add = Store.add_game

        def add_game(store: Store, record: PlayedGame) -> int | None:
            if is_full[0]:
                raise BoardZeroError("cannot use the database: database or disk is full")
            return add(store, record)

        monkeypatch.setattr(Store, "add_game", add_game)
        with client.websocket_connect(f"/api/games/{key}/live") as socket:
            view = socket.receive_json()["game"]
            socket.send_json({"kind": "move", "text": view["position"]["moves"][0]["text"]})
            socket.receive_json()
            socket.send_json({"kind": "resign"})
            view = socket.receive_json()["game"]
            assert view["position"]["ending"]
            assert view["unsaved"]
            is_full[0] = False
            while view["unsaved"] is not None:
                view = socket.receive_json()["game"]
    with Store(tmp_path / "games.sqlite") as found:
        assert found.count() == 1


def test_news_of_the_queue_is_its_place_and_not_the_whole_game(client: TestClient) -> None:
    wish = {"game": "english", "seats": ["human", "alphabeta:time=1.5"]}
    keys = [client.post("/api/games", json=wish).json()["id"] for _ in range(6)]
    sockets = [client.websocket_connect(f"/api/games/{key}/live") for key in keys]
    for socket in sockets:
        socket.__enter__()
        move = socket.receive_json()["game"]["position"]["moves"][0]["text"]
        socket.send_json({"kind": "move", "text": move})
    news = []
    while not news or news[-1]["kind"] != "game" or len(news[-1]["game"]["moves"]) < 2:
        news.append(sockets[-1].receive_json())
    for socket in sockets:
        socket.__exit__(None, None, None)
    assert "queue" in {one["kind"] for one in news}
    assert sum(one["kind"] == "game" for one in news) <= 3  # our move, the answer


@pytest.mark.slow
def test_no_acknowledged_move_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    """The figures are in docs/results/robustness.md."""
    rng = Random(1)
    for kill in range(10):
        folder = tmp_path / str(kill)
        command = [sys.executable, "-m", "boardzero", "serve", "--port", "0", "--json"]
        environment = os.environ | {"BOARDZERO_HOME": str(folder)}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["address"]
            acknowledged = _play(address, rng.randrange(1, 20))
            server.send_signal(signal.SIGKILL)
        for key, moves in acknowledged.items():
            assert on_disk(folder, key)[: len(moves)] == moves


def _play(address: str, plies: int) -> dict[str, list[str]]:
    """What the server has told of some games."""
    told = {}
    for _ in range(5):
        body = json.dumps(PEOPLE).encode()
        wish = urllib.request.Request(
            f"{address}api/games", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(wish) as answer:
            key = json.load(answer)["id"]
        with connect(address.replace("http", "ws") + f"api/games/{key}/live") as socket:
            view = json.loads(socket.recv())["game"]
            for _ in range(plies):
                if not (moves := view["position"]["moves"]):
                    break
                socket.send(json.dumps({"kind": "move", "text": moves[0]["text"]}))
                view = json.loads(socket.recv())["game"]
        told[key] = view["moves"]
    return told
