import random
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from visits import visitor

from boardzero.cli.terminal_game import game_text
from boardzero.games import make
from boardzero.games.notation.fen import compose
from boardzero.server import Settings
from tests.games.variants import GAMES


def test_a_line_gives_every_position(client: TestClient) -> None:
    line = client.post("/api/line", json={"game": "english", "moves": ["11-15", "22-18"]}).json()
    assert len(line["positions"]) == 3
    assert line["positions"][2]["last"]["text"] == "22-18"


def test_a_wrong_move_of_a_line_is_named(client: TestClient) -> None:
    answer = client.post("/api/line", json={"game": "english", "moves": ["11-15", "1-2"]})
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("move 2:")


@pytest.mark.parametrize("spec", GAMES)
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


def test_a_game_on_squares_that_is_no_draughts_is_not_taken_for_one(
    client: TestClient, pile: str
) -> None:
    games = {game["name"]: game["editable"] for game in client.get("/api/catalog").json()}
    assert [games[name] for name in (*GAMES, pile)] == [True] * len(GAMES) + [False]
    setup = {"game": pile, "to_move": 0, "pieces": []}
    assert client.post("/api/setup", json=setup).status_code == 400
    line = {"game": pile, "fen": "7 1", "moves": ["1", "a1", "2"]}
    nodes = [node(at, move) for at, move in enumerate(["", *line["moves"]])]
    tree = {"game": pile, "fen": "7 1", "tags": {}, "result": "*", "nodes": nodes}
    text = client.post("/api/trees/write", json=tree).json()["text"]
    back = client.post("/api/trees/read", json={"game": "gomoku", "text": text}).json()
    assert back == {"trees": [tree], "problems": []}
    steps = review(client, pile, None, ["1", "a1"])
    assert steps[0]["verdict"]["best_gain"] == 0


def node(at: int, move: str) -> dict:
    """Of a tree of one line, as it goes over the wire."""
    said = {"comment": "", "nags": [], "evaluation": None, "arrows": []}
    return {"parent": max(0, at - 1), "move": move, **said}


def thoughts(socket: WebSocketTestSession) -> list[dict]:
    """All that an analysis says, without its places in the queue."""
    messages = []
    while (message := socket.receive_json())["kind"] != "done":
        assert message["kind"] != "error", message
        if message["kind"] == "analysis":
            messages.append(message)
    return messages


@pytest.mark.parametrize("player", ["mcts", "alphabeta:analyse=true"])
def test_analysis_streams_what_the_player_knows_so_far(client: TestClient, player: str) -> None:
    request = {"kind": "analyse", "line": {"game": "english"}, "player": player, "seconds": 0.9}
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json(request)
        messages = thoughts(socket)
    nodes = [message["nodes"] for message in messages]
    assert len(nodes) >= 3
    assert nodes == sorted(nodes)
    assert messages[-1]["candidates"][0]["move"]["text"] == messages[-1]["pv"][0]


def test_a_player_that_does_not_think_aloud_answers_once(client: TestClient) -> None:
    request = {"kind": "analyse", "line": {"game": "english"}, "player": "random"}
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json(request)
        assert len(thoughts(socket)) == 1


def test_a_move_does_not_wait_for_an_analysis(tmp_path: Path) -> None:
    request = {"kind": "analyse", "line": {"game": "gomoku"}, "player": "mcts", "seconds": 4}
    with visitor(Settings(tmp_path, workers=1)) as client:
        game = client.post("/api/games", json={"game": "english", "seats": ["human", "random"]})
        with (
            client.websocket_connect("/api/analysis") as study,
            client.websocket_connect(f"/api/games/{game.json()['id']}/live") as play,
        ):
            study.send_json(request)
            first = study.receive_json()
            assert first["kind"] == "analysis"
            began = monotonic()
            play.send_json({"kind": "move", "text": "11-15"})
            while len(play.receive_json()["game"]["moves"]) < 2:
                pass
            assert monotonic() - began < 1
            last = thoughts(study)[-1]
            assert last["nodes"] > first["nodes"]


def test_analysis_beyond_capacity_waits_in_a_queue_that_is_told(client: TestClient) -> None:
    request = {"kind": "analyse", "line": {"game": "gomoku"}, "player": "mcts", "seconds": 2}
    with ExitStack() as stack:
        sockets = [stack.enter_context(client.websocket_connect("/api/analysis")) for _ in range(3)]
        for socket in sockets:
            socket.send_json(request)
        messages = [
            list(iter(lambda s=socket: s.receive_json()["kind"], "done")) for socket in sockets
        ]
    assert any("queue" in types for types in messages)


def test_a_review_judges_every_move(client: TestClient) -> None:
    moves = ["11-15", "22-18", "15x22", "25x18", "8-11"]
    request = {"kind": "review", "line": {"game": "english", "moves": moves}, "player": "random"}
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json({**request, "seconds": 0.05})
        steps = []
        while (message := socket.receive_json())["kind"] == "review":
            steps.append(message)
    assert sorted(step["ply"] for step in steps) == [0, 1, 2, 3, 4, 5]
    positions = client.post("/api/line", json=request["line"]).json()["positions"]
    assert {step["ply"]: step["fen"] for step in steps} == {
        ply: position["fen"] for ply, position in enumerate(positions)
    }


def review(client: TestClient, game: str, fen: str | None, moves: list[str]) -> dict[int, dict]:
    line = {"game": game, "fen": fen, "moves": moves}
    request = {"kind": "review", "line": line, "player": "alphabeta:analyse=true", "seconds": 0.1}
    with client.websocket_connect("/api/analysis") as socket:
        socket.send_json(request)
        steps = {}
        while (message := socket.receive_json())["kind"] == "review":
            steps[message["ply"]] = message
    return steps


def test_a_review_calls_a_piece_given_away_a_blunder_and_counts_it(client: TestClient) -> None:
    # White moves before the black man, which takes for nothing; 28-24 keeps everything.
    fen = "W:W28,32,22:B15,1,3"
    steps = review(client, "english", fen, ["22-18", "15x22"])
    verdict = steps[0]["verdict"]
    assert verdict["name"] == "blunder"
    assert verdict["loss"] >= 0.2
    assert verdict["played_gain"] < 0 <= verdict["best_gain"]
    assert steps[0]["best"]["text"] != "22-18"
    assert steps[1]["verdict"] is None  # there was no choice


def test_a_review_counts_what_a_missed_shot_would_have_won(client: TestClient) -> None:
    # 17-14 10x17 1x3: the king takes two for one.
    steps = review(client, "english", "W:WK1,17,21,25,28:B4,6,7,10,20", ["28-24", "20x27"])
    verdict = steps[0]["verdict"]
    assert steps[0]["best"]["text"] == "17-14"
    assert verdict["name"] in ("mistake", "blunder")
    assert verdict["best_gain"] > max(0, verdict["played_gain"])


def test_a_bad_request_for_analysis_is_an_error_frame(client: TestClient) -> None:
    with client.websocket_connect("/api/analysis") as socket:
        for request in (
            {"kind": "analyse", "line": {"game": "nothing"}, "player": "random"},
            {"kind": "analyse", "line": {"game": "english"}, "player": "hub:cmd=ls"},
            {"kind": "analyse", "line": {"game": "english"}, "player": "random", "seconds": 1e9},
        ):
            socket.send_json(request)
            assert socket.receive_json()["kind"] == "error"


@pytest.mark.parametrize("game", ["english", "gomoku:size=15", "gomoku:rule=renju", "chexers"])
def test_a_long_game_that_was_saved_comes_back(client: TestClient, game: str) -> None:
    dice = random.Random(3)
    state = make(game).start()
    while state.outcome() is None and len(state.history) < 150:
        state.play(dice.choice(state.moves()))
    moves = [str(move) for move in state.history]
    nodes = [node(at, move) for at, move in enumerate(["", *moves])]
    tree = {"game": game, "fen": None, "tags": {}, "result": "*", "nodes": nodes}
    by_page = client.post("/api/trees/write", json=tree).json()["text"]
    saved = game_text(state, ['the "one"'] * state.game.players, "1/2-1/2")
    for text in (by_page, saved, by_page.replace(",", ", ")):
        back = client.post("/api/trees/read", json={"game": game, "text": text}).json()
        assert [one["move"] for one in back["trees"][0]["nodes"]] == ["", *moves]


def test_a_path_instead_of_a_game_reads_no_file(client: TestClient) -> None:
    wish = {"game": "english", "text": "/etc/passwd"}
    answer = client.post("/api/trees/read", json=wish)
    assert answer.status_code == 400
    assert "root" not in answer.text


def test_a_position_becomes_a_picture(client: TestClient) -> None:
    text = client.post("/api/svg", json={"game": "chexers"}).json()["text"]
    assert text.startswith("<svg")
