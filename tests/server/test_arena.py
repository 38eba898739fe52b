import json
import sys
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from visits import visitor

from boardzero.arena import Competition, CompetitionPlan
from boardzero.players import registry
from boardzero.runs.recipe import Recipe
from boardzero.server import Settings
from boardzero.store import Store


def wait_until_over(client: TestClient, number: int) -> dict:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        view = client.get(f"/api/tournaments/{number}").json()
        if view["state"] != "running":
            return view
        time.sleep(0.1)
    raise AssertionError("the tournament does not end")


def test_a_tournament_is_played_to_its_end(client: TestClient) -> None:
    wish = {
        "game": "gomoku:size=5,line=3",
        "players": ["random:seed=1", "random:seed=2", "random"],
        "games": 4,
    }
    begun = client.post("/api/tournaments", json=wish)
    assert begun.status_code == 201, begun.text
    view = wait_until_over(client, begun.json()["id"])
    assert view["done"] == view["total"] == 12
    assert len(view["ratings"]) == 3
    cell = next(cell for cell in view["cross"] if (cell["row"], cell["column"]) == (0, 1))
    assert cell["wins"] + cell["draws"] + cell["losses"] == 4
    met = client.get(f"/api/tournaments/{view['id']}/games?a=0&b=1").json()
    assert [set(game["seats"]) for game in met] == [{"random:seed=1", "random:seed=2"}] * 4
    tree = client.get(f"/api/stored/{met[0]['id']}").json()
    assert len(tree["nodes"]) == met[0]["plies"] + 1
    assert client.get(f"/api/tournaments/{view['id']}/games?a=0&b=7").status_code == 400
    assert [one["id"] for one in client.get("/api/tournaments").json()] == [view["id"]]


def test_a_program_that_the_owner_named_plays_in_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry._families, "_loaded", dict(registry._families._loaded))
    command = f"{sys.executable} -m boardzero engine gomocup --player random"
    settings = Settings(tmp_path, workers=1, engines={"friend": f'gomocup:cmd="{command}",time=0'})
    with visitor(settings) as client:
        wish = {"game": "gomoku:size=5", "players": ["friend", "random"], "games": 2}
        begun = client.post("/api/tournaments", json=wish)
        assert begun.status_code == 201, begun.text
        view = wait_until_over(client, begun.json()["id"])
        met = client.get(f"/api/tournaments/{view['id']}/games?a=0&b=1").json()
    assert view["done"] == view["total"] == 2
    assert {game["reason"] for game in met} <= {"line", "full board"}
    assert command not in json.dumps(view)


def test_a_program_that_does_not_start_ends_a_tournament_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry._families, "_loaded", dict(registry._families._loaded))
    settings = Settings(tmp_path, workers=1, engines={"friend": 'gomocup:cmd="nosuchprogram"'})
    with visitor(settings) as client:
        wish = {"game": "gomoku:size=5", "players": ["friend", "random"], "games": 2}
        begun = client.post("/api/tournaments", json=wish).json()
        view = wait_until_over(client, begun["id"])
    assert view["done"] == 0
    assert "does not start" in view["trouble"]


def test_three_players_meet_in_every_seat(client: TestClient) -> None:
    wish = {"game": "chexers", "players": ["random:seed=1", "random:seed=2", "random"], "games": 3}
    begun = client.post("/api/tournaments", json=wish)
    view = wait_until_over(client, begun.json()["id"])
    assert view["scale"] == "openskill"
    met = client.get(f"/api/tournaments/{view['id']}/games?a=0&b=2").json()
    assert {game["seats"].index("random") for game in met} == {0, 1, 2}


def test_a_stopped_tournament_keeps_what_was_played(client: TestClient) -> None:
    wish = {"game": "international", "players": ["random:seed=1", "random"], "games": 200}
    number = client.post("/api/tournaments", json=wish).json()["id"]
    view = client.post(f"/api/tournaments/{number}/stop").json()
    assert view["state"] == "stopped"
    assert view["done"] < view["total"]


def test_tournaments_of_the_command_line_are_shown_too(settings: Settings) -> None:
    others = tuple(f"random:seed={seed}" for seed in range(8))
    players = ("random", "mcts", *others)  # more than the page would let meet
    plan = CompetitionPlan(kind="tournament", game="gomoku:size=5,line=3", players=players, games=2)
    with Store(settings.data / "games.sqlite") as store:
        for _ in Competition(plan, store).play(workers=1):
            break
    with visitor(settings) as client:
        (summary,) = client.get("/api/tournaments").json()
        assert summary["players"] == [*players]
        assert (summary["done"], summary["total"], summary["state"]) == (1, 90, "stopped")
        address = f"/api/tournaments/{summary['id']}"
        assert client.get(address).json()["ratings"]
        assert client.get(f"{address}/games?a=9&b=1").json() == []


def test_bad_tournaments_are_refused_in_a_sentence(client: TestClient) -> None:
    for players, games in (
        (["random"], 1),
        (["random", "random"], 1),
        (["random", "human"], 1),
        (["random", "random:seed=1"], 1000),
    ):
        wish = {"game": "english", "players": players, "games": games}
        assert 400 <= client.post("/api/tournaments", json=wish).status_code < 500
    assert client.get("/api/tournaments/77").status_code == 404


def test_a_run_is_read_from_its_folder_even_while_it_writes(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "first"
    (run / "versions" / "0001").mkdir(parents=True)
    (run / "recipe.toml").write_text(Recipe(name="first", game="gomoku:size=6").toml())
    (run / "progress.json").write_text(json.dumps({"iteration": 3, "seconds": 90.0}))
    line = json.dumps({"event": "loss", "iteration": 2, "policy": 1.5, "value": 0.4, "step": 10})
    (run / "log.jsonl").write_text(f"{line}\n{line[:20]}")
    with visitor(Settings(tmp_path)) as client:
        assert client.get("/api/runs").json()[0]["versions"] == [1]
        view = client.get("/api/runs/first").json()
        assert client.get("/api/runs/second").status_code == 404
    assert [loss["losses"]["policy"] for loss in view["losses"]] == [1.5]
