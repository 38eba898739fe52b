from contextlib import ExitStack

import pytest
from fastapi.testclient import TestClient

from boardzero.games import make
from boardzero.server.editor import compose


def test_a_line_gives_every_position(client: TestClient) -> None:
    line = client.post("/api/line", json={"game": "english", "moves": ["11-15", "22-18"]}).json()
    assert len(line["frames"]) == 3
    assert line["frames"][2]["last"]["text"] == "22-18"


def test_a_wrong_move_of_a_line_is_named(client: TestClient) -> None:
    answer = client.post("/api/line", json={"game": "english", "moves": ["11-15", "1-2"]})
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("move 2:")


@pytest.mark.parametrize("spec", ["international", "english", "russian", "gomoku", "chexers"])
def test_the_editor_composes_what_stands_on_the_board(spec: str) -> None:
    state = make(spec).start()
    for _ in range(7):
        state.play(state.moves()[0])
    pieces = [(piece.cell, piece.owner, piece.kind) for piece in state.pieces()]
    composed = compose(make(spec), state.to_move, pieces)
    assert [(p.cell, p.owner, p.kind) for p in composed.pieces()] == pieces
    assert composed.to_move == state.to_move


def test_the_editor_refuses_a_piece_beside_the_board(client: TestClient) -> None:
    wish = {"game": "english", "to_move": 0, "pieces": [{"cell": 99, "owner": 0, "kind": "man"}]}
    answer = client.post("/api/setup", json=wish)
    assert answer.status_code == 400
    assert "cell 99" in answer.json()["detail"]


def test_analysis_streams_better_and_better_answers(client: TestClient) -> None:
    request = {"type": "analyse", "line": {"game": "english"}, "player": "random", "seconds": 0.3}
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json(request)
        frames = [socket.receive_json()]
        while frames[-1]["type"] != "done":
            frames.append(socket.receive_json())
    assert [frame["type"] for frame in frames] == ["analysis", "analysis", "done"]
    assert frames[0]["candidates"][0]["move"]["text"]


def test_analysis_beyond_capacity_waits_in_a_queue_that_is_told(client: TestClient) -> None:
    pytest.importorskip("boardzero.players.mcts")
    request = {"type": "analyse", "line": {"game": "gomoku"}, "player": "mcts", "seconds": 0.5}
    with ExitStack() as stack:
        sockets = [stack.enter_context(client.websocket_connect("/api/analysis")) for _ in range(3)]
        for socket in sockets:
            socket.send_json(request)
        frames = [
            list(iter(lambda s=socket: s.receive_json()["type"], "done")) for socket in sockets
        ]
    assert any("queue" in types for types in frames)


def test_a_review_judges_every_move(client: TestClient) -> None:
    moves = ["11-15", "22-18", "15x22", "25x18", "8-11"]
    request = {"type": "review", "line": {"game": "english", "moves": moves}, "player": "random"}
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json({**request, "seconds": 0.05})
        steps = []
        while (frame := socket.receive_json())["type"] == "review":
            steps.append(frame)
    assert sorted(step["ply"] for step in steps) == [0, 1, 2, 3, 4, 5]


def test_a_bad_request_for_analysis_is_an_error_frame(client: TestClient) -> None:
    with client.websocket_connect("/api/analysis") as socket:
        for request in (
            {"type": "analyse", "line": {"game": "nothing"}, "player": "random"},
            {"type": "analyse", "line": {"game": "english"}, "player": "hub:cmd=ls"},
            {"type": "analyse", "line": {"game": "english"}, "player": "random", "seconds": 1e9},
        ):
            socket.send_json(request)
            assert socket.receive_json()["type"] == "error"


def test_a_game_goes_out_as_pdn_and_comes_back(client: TestClient) -> None:
    line = {"game": "international", "moves": ["32-28", "19-23", "28x19", "14x23"]}
    text = client.post("/api/pdn/write", json=line).json()["text"]
    back = client.post("/api/pdn/read", json={"game": "international", "text": text}).json()
    assert back[0]["moves"] == line["moves"]


def test_moves_of_games_without_pdn_come_back_too(client: TestClient) -> None:
    for game in ("gomoku", "chexers"):
        state = make(game).start()
        for _ in range(6):
            state.play(state.moves()[0])
        line = {"game": game, "moves": [str(move) for move in state.history]}
        text = client.post("/api/pdn/write", json=line).json()["text"]
        back = client.post("/api/pdn/read", json={"game": game, "text": text}).json()
        assert back[0]["moves"] == line["moves"]


def test_a_path_instead_of_pdn_reads_no_file(client: TestClient) -> None:
    wish = {"game": "english", "text": "/etc/passwd"}
    answer = client.post("/api/pdn/read", json=wish)
    assert answer.status_code == 400
    assert "root" not in answer.text


def test_a_position_becomes_a_picture(client: TestClient) -> None:
    text = client.post("/api/svg", json={"game": "chexers"}).json()["text"]
    assert text.startswith("<svg")
