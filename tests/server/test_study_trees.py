"""Studies over the wire: files in and out, kept trees, stored games, puzzles, better moves."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from visits import visitor

from boardzero.games import make
from boardzero.server import Settings
from boardzero.store import PlayedGame, Store
from boardzero.study.puzzles import games_with_puzzles

TEXT = '[GameType "21"] [White "Tom"] 1. 11-15 {mine} (1. 11-16 $1 22-18) 23-19 2. 8-11 *'


def read(client: TestClient, text: str = TEXT, game: str = "english") -> dict:
    answer = client.post("/api/trees/read", json={"game": game, "text": text})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_tree_survives_the_wire_and_its_file(client: TestClient) -> None:
    (tree,) = read(client)["trees"]
    assert [(n["move"], n["parent"]) for n in tree["nodes"]] == [
        *(("", 0), ("11-15", 0), ("23-19", 1), ("8-11", 2), ("11-16", 0), ("22-18", 4)),
    ]
    written = client.post("/api/trees/write", json=tree).json()
    assert written["extension"] == "pdn"
    assert read(client, written["text"])["trees"] == [
        {**tree, "tags": tree["tags"] | read(client, written["text"])["trees"][0]["tags"]}
    ]


def test_of_a_faulty_text_the_good_part_and_the_place_are_told(client: TestClient) -> None:
    found = read(client, TEXT.replace("8-11", "8-99"))
    assert "line 1, column" in found["problems"][0]
    assert len(found["trees"][0]["nodes"]) == 5
    answer = client.post("/api/trees/read", json={"game": "english", "text": "hello"})
    assert answer.status_code == 400


def test_a_text_cannot_name_a_file_as_its_game(client: TestClient, tmp_path: Path) -> None:
    script = tmp_path / "evil.py"
    script.write_text("raise SystemExit")
    text = f'[Game "{script}"]\n1. a1 *'
    answer = client.post("/api/trees/read", json={"game": "gomoku", "text": text})
    assert answer.status_code == 400
    assert "unknown game" in answer.json()["detail"]


def test_a_study_is_kept_and_survives_the_server(tmp_path: Path) -> None:
    with visitor(Settings(tmp_path)) as client:
        (tree,) = read(client)["trees"]
        key = client.post("/api/studies", json=tree).json()["key"]
        tree["nodes"][1]["comment"] = "changed"
        assert client.put(f"/api/studies/{key}", json=tree).status_code == 200
    with visitor(Settings(tmp_path)) as client:
        assert client.get(f"/api/studies/{key}").json() == tree
        (listed,) = client.get("/api/studies").json()
        assert (listed["key"], listed["moves"], listed["tags"]["White"]) == (key, 5, "Tom")
        client.delete(f"/api/studies/{key}")
        assert client.get(f"/api/studies/{key}").status_code == 404


def test_a_tree_that_cannot_be_shown_is_not_kept(client: TestClient) -> None:
    (tree,) = read(client)["trees"]
    tree["nodes"][2]["move"] = "1-32"
    answer = client.post("/api/studies", json=tree)
    assert answer.status_code == 400
    assert "node 2" in answer.json()["detail"]
    tree["nodes"][2] |= {"move": "23-19", "parent": 5}
    assert "before its parent" in client.post("/api/studies", json=tree).json()["detail"]


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    now = datetime(2024, 5, 1, tzinfo=UTC)
    with Store(tmp_path / "games.sqlite") as store:
        for winner, moves in ((0, ("11-15", "23-19")), (1, ("11-15", "22-18")), (None, ("9-14",))):
            values = (0.0, 0.0) if winner is None else ((1.0, -1.0), (-1.0, 1.0))[winner]
            store.add_game(
                PlayedGame(
                    ("human", "random"),
                    values,
                    winner,
                    game="english",
                    reason="resigned",
                    started=now,
                    finished=now,
                    moves=moves,
                )
            )
    return tmp_path


def test_stored_games_are_listed_opened_exported_and_deleted(stored: Path) -> None:
    with visitor(Settings(stored)) as client:
        games = client.get("/api/stored", params={"game": "english"}).json()
        assert [game["result"] for game in games] == ["½-½", "0-1", "1-0"]
        assert client.get("/api/stored", params={"before": games[0]["id"], "limit": 1}).json() == [
            games[1]
        ]
        tree = client.get(f"/api/stored/{games[1]['id']}").json()
        assert tree["tags"]["Black"] == "human"
        assert tree["result"] == "0-1"
        text = client.get(f"/api/stored/{games[1]['id']}/text").json()["text"]
        assert "1. 11-15 22-18" in text
        assert client.delete(f"/api/stored/{games[1]['id']}").status_code == 200
        assert len(client.get("/api/stored").json()) == 2
        assert client.delete(f"/api/stored/{games[1]['id']}").status_code == 400


def test_the_explorer_counts_moves_and_results(stored: Path) -> None:
    with visitor(Settings(stored)) as client:
        moves = client.post("/api/stored/explore", json={"game": "english"}).json()
        assert moves[0] == {"move": "11-15", "games": 2, "wins": [1, 1], "draws": 0}
        assert moves[1] == {"move": "9-14", "games": 1, "wins": [0, 0], "draws": 1}


def test_a_move_as_good_as_the_best_is_accepted_and_another_is_refuted(client: TestClient) -> None:
    fen = "15/15/15/15/15/15/6oo7/5xxx7/15/15/15/15/15/15/15 x"
    wish = {"line": {"game": "gomoku:size=15", "fen": fen}, "best": "e8"}
    good = client.post("/api/try", json={**wish, "move": "i8"}).json()
    assert good["accepted"]
    bad = client.post("/api/try", json={**wish, "move": "a1"}).json()
    assert not bad["accepted"]
    assert bad["refutation"]


def test_puzzles_are_served_near_the_solvers_rating(client: TestClient) -> None:
    offered = client.get("/api/puzzles").json()
    assert {one["game"] for one in offered} == set(games_with_puzzles())
    for one in offered:
        game = make(one["game"])
        first = client.get("/api/puzzles/next", params={"game": game.spec}).json()
        state = game.parse_fen(first["fen"])
        state.play(first["solution"][0])
        other = client.get("/api/puzzles/next", params={"game": game.spec, "done": first["id"]})
        assert one["count"] == 1 or other.json()["id"] != first["id"]
        assert client.get("/api/puzzles/daily", params={"game": game.spec}).status_code == 200
    assert client.get("/api/puzzles/daily", params={"game": "chexers"}).status_code == 404
