"""What the page tells about a run, from a run that was really trained."""

import os
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from visits import visitor

from boardzero import _core
from boardzero.games import make
from boardzero.runs.events import WorkerStats
from boardzero.runs.recipe import validate
from boardzero.runs.replay import Replay
from boardzero.runs.run_folder import RunFolder
from boardzero.server import Settings
from boardzero.server.selfplay import selfplay_game
from boardzero.server.strength import _number, _plans
from boardzero.store import Rating
from tests.training.tiny import tiny
from tests.training.tiny_sparse import tiny_sparse

GAME = "gomoku:size=5,line=4"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    from boardzero.training.train import train

    folder = tmp_path_factory.mktemp("runs")
    train(tiny(gate__threshold=0.01), run=folder / "first", cores=1)
    short = {"cycles": 1, "parallel": 1, "test_every": 1, "archive_every": 1}
    picking = {"name": "picking", "game": "english", "method": "dqn", "run": short}
    train(validate(picking, source="picking"), run=folder / "picking", cores=1)
    train(tiny_sparse(run__iterations=1, gate__nodes=2000), run=folder / "sparse", cores=1)
    return folder


@pytest.fixture
def client(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setenv("BOARDZERO_RUNS", str(runs))
    with visitor(Settings(tmp_path, runs=runs)) as client:
        yield client


def test_a_run_tells_its_versions_and_its_story(client: TestClient) -> None:
    view = client.get("/api/runs/first").json()
    assert view["summary"]["versions"] == [0, 1, 2]
    assert [(gate["iteration"], gate["accepted"]) for gate in view["gates"]] == [
        (1, True),
        (2, True),
    ]
    assert view["games"][-1]["positions_per_second"] > 0
    assert view["losses"][-1]["losses"].keys() == {"policy", "value"}


def test_a_run_of_a_sparse_net_is_shown_and_asked_like_any_other(client: TestClient) -> None:
    view = client.get("/api/runs/sparse").json()
    assert (view["summary"]["player"], view["summary"]["versions"]) == ("alphabeta", [0, 1])
    assert view["losses"][-1]["losses"].keys() == {"result", "value"}
    wish = {"line": {"game": "english", "moves": ["11-15"]}, "versions": [0, 1]}
    for one in client.post("/api/runs/sparse/versions", json=wish).json():
        candidates = one["thought"]["candidates"]
        assert len(candidates) == 7
        assert candidates[0]["value"] is not None
    seats = ["human", "alphabeta:run=sparse,version=1,time=0.1"]
    assert client.post("/api/games", json={"game": "english", "seats": seats}).status_code == 201
    plans = list(_plans(RunFolder.find("sparse"), make("english")))
    assert plans[0].players[0] == "alphabeta:nodes=2000,run=sparse,version=0"


def test_workers_of_a_cluster_are_shown_while_they_are_news(client: TestClient, runs: Path) -> None:
    def cluster() -> object:
        return client.get("/api/runs/first").json()["cluster"]

    assert cluster() is None
    workers = [
        WorkerStats("worker 1", "pc/1", 1200, 7, 0),
        WorkerStats("worker 2", "pc/2", 0, 0, 3),
    ]
    run = RunFolder(runs / "first")
    run.save_workers(workers, dashboard="http://127.0.0.1:8265")
    assert cluster() == {
        "dashboard": "http://127.0.0.1:8265",
        "workers": [asdict(worker) for worker in workers],
    }
    file = run.path / "workers.json"
    os.utime(file, (time.time() - 100,) * 2)
    assert cluster() is None
    for text in ("", "[1]", '{"workers": [{"name": 5}]}'):
        file.write_text(text)
        assert cluster() is None
    run.forget_workers()


def test_a_game_of_self_play_can_be_watched(client: TestClient) -> None:
    newest = client.get("/api/runs/first/selfplay").json()
    assert (newest["game"], newest["iteration"], newest["version"]) == (GAME, 2, 1)
    assert len(newest["values"]) == len(newest["moves"])
    line = {"game": newest["game"], "fen": newest["fen"], "moves": newest["moves"]}
    last = client.post("/api/line", json=line).json()["positions"][-1]
    assert last["ending"]["winner"] == newest["winner"]
    oldest = client.get("/api/runs/first/selfplay?back=15").json()
    assert oldest["iteration"] == 1
    assert client.get("/api/runs/first/selfplay?back=16").json() is None
    assert client.get("/api/runs/second/selfplay").status_code == 404


def test_a_game_of_self_play_goes_on_behind_a_capture_by_another_route(tmp_path: Path) -> None:
    fen, other_route = "W:WK45:B40,11,23,6,30", [2228, 1406, 315]
    game = make("international")
    after = game.parse_fen(fen).after("45x16")
    actions = [*other_route, *after.parse("30-35").actions]
    record = _core.write_record(actions, [0, 3], (0.0, 0.0), winner=None, number=1, fen=fen)
    replay = Replay(tmp_path / "replay")
    replay.append(record, 1)
    replay.close()
    shown = selfplay_game(RunFolder(tmp_path), game, 0)
    assert shown is not None
    assert shown.moves == ["45x16", "30-35"]
    assert shown.values == [[0, 0], [0, 0]]


def test_versions_are_asked_about_the_same_position(client: TestClient) -> None:
    wish = {"line": {"game": GAME, "moves": ["c3"]}, "versions": [0, 2], "simulations": 30}
    found = client.post("/api/runs/first/versions", json=wish).json()
    assert [one["version"] for one in found] == [0, 2]
    for one in found:
        candidates = one["thought"]["candidates"]
        assert len(candidates) == 24
        assert sum(candidate["prior"] for candidate in candidates) == pytest.approx(1, abs=1e-3)
        assert 20 <= sum(candidate["visits"] for candidate in candidates) <= 30
    missing = client.post("/api/runs/first/versions", json={**wish, "versions": [7]})
    assert missing.status_code == 400


def test_versions_are_measured_against_opponents_that_never_change(client: TestClient) -> None:
    before = client.get("/api/runs/first/strength").json()
    assert (before["versions"], before["done"], before["measuring"]) == ([], 0, False)
    assert client.post("/api/runs/first/strength").json()["measuring"]
    deadline = time.monotonic() + 90
    while len((view := client.get("/api/runs/first/strength").json())["versions"]) < 3:
        assert time.monotonic() < deadline, view
        assert view["trouble"] is None
        time.sleep(0.2)
    stopped = client.post("/api/runs/first/strength/stop").json()
    assert not stopped["measuring"]
    assert [one["version"] for one in stopped["versions"]] == [0, 1, 2]
    by_name = {one["player"]: one["value"] for one in stopped["opponents"]}
    assert by_name["random"] == 0
    assert by_name["mcts:rollouts=1000"] > 0
    assert stopped["total"] == 3 * 3 * 12


def test_a_version_can_be_played_against_and_shows_its_priors(client: TestClient) -> None:
    player = "zero:run=first,version=2"
    request = {"kind": "analyse", "line": {"game": GAME}, "player": player, "seconds": 0.7}
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json(request)
        messages = []
        while (message := socket.receive_json())["kind"] != "done":
            messages.append(message)
    assert len(messages) >= 2
    assert messages[-1]["candidates"][0]["prior"] is not None


def test_a_run_without_search_is_played_by_its_net_alone(client: TestClient, runs: Path) -> None:
    families = {run["name"]: run["player"] for run in client.get("/api/runs").json()}
    assert families == {"first": "zero", "picking": "net", "sparse": "alphabeta"}
    wish = {"line": {"game": "english"}, "versions": [0, 1]}
    found = client.post("/api/runs/picking/versions", json=wish).json()
    legal = {move.text for move in make("english").start().moves()}
    assert {one["thought"]["candidates"][0]["move"]["text"] for one in found} <= legal
    plan = next(_plans(RunFolder(runs / "picking"), make("english")))
    assert plan.players[0] == "net:run=picking,version=0"
    assert _number(Rating(plan.players[0], 0, 0, 0, 1)) == 0
    seats = ["net:run=picking", "human"]
    game = client.post("/api/games", json={"game": "english", "seats": seats}).json()
    with client.websocket_connect(f"/api/games/{game['id']}/live") as socket:
        while not (view := socket.receive_json()["game"])["moves"]:
            assert view["trouble"] is None
