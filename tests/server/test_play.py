import asyncio
import sys
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from visits import visitor

from boardzero.games import make
from boardzero.players import registry
from boardzero.server import Settings
from boardzero.server.engines import EnginePool
from boardzero.server.game_session import GameClock, GameSession, UsualRefusalError
from boardzero.server.live import LiveGame
from boardzero.server.messages import EndingView, GameView, QueuePlace
from boardzero.server.saved import SavedGames


def open_game(client: TestClient, *seats: str, game: str = "english", **more: object) -> str:
    answer = client.post("/api/games", json={"game": game, "seats": list(seats), **more})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def next_game(socket: WebSocketTestSession, plies: int | None = None) -> dict:
    """The next picture of the game, or the first one with so many plies."""
    while True:
        message = socket.receive_json()
        if message["kind"] != "game":
            continue
        if plies is None or len(message["game"]["moves"]) >= plies:
            return message["game"]


def ending(game: dict) -> tuple[int | None, str]:
    return game["position"]["ending"]["winner"], game["position"]["ending"]["reason"]


def test_a_person_moves_and_the_player_answers(client: TestClient) -> None:
    key = open_game(client, "human", "random")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        assert next_game(socket)["moves"] == []
        socket.send_json({"kind": "move", "text": "11-15"})
        game = next_game(socket, plies=2)
    assert game["moves"][0] == "11-15"
    assert game["position"]["to_move"] == 0


def test_the_player_begins_when_it_has_the_first_move(client: TestClient) -> None:
    key = open_game(client, "random", "human")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        assert len(next_game(socket, plies=1)["moves"]) == 1


def test_two_people_share_one_screen(client: TestClient) -> None:
    key = open_game(client, "human", "human")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        for ply, move in enumerate(["11-15", "22-18", "15x22"], start=1):
            socket.send_json({"kind": "move", "text": move})
            game = next_game(socket, plies=ply)
    assert game["moves"] == ["11-15", "22-18", "15x22"]
    assert len(game["position"]["pieces"]) == 23


def test_an_illegal_move_is_refused_in_a_sentence_and_changes_nothing(client: TestClient) -> None:
    key = open_game(client, "human", "human")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        socket.receive_json()
        socket.send_json({"kind": "move", "text": "1-32"})
        error = socket.receive_json()
    assert error["kind"] == "error"
    assert error["code"] == "illegal"
    assert "1-32" in error["message"]
    assert client.get(f"/api/games/{key}").json()["moves"] == []


def test_malformed_messages_get_an_error_and_leave_the_game_as_it_was(client: TestClient) -> None:
    key = open_game(client, "human", "human")
    before = client.get(f"/api/games/{key}").json()
    bad = [
        "",
        "no json",
        "[]",
        "{}",
        '{"kind":"nothing"}',
        '{"kind":"move"}',
        '{"kind":"move","text":7}',
        '{"kind":"undo","more":1}',
        '{"kind":"move","text":"' + "9" * 5000 + '"}',
        "\u0000",
    ]
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        socket.receive_json()
        for text in bad:
            socket.send_text(text)
            assert socket.receive_json()["kind"] == "error", text
    assert client.get(f"/api/games/{key}").json() == before


def test_a_wrong_message_is_answered_with_what_is_wrong(client: TestClient) -> None:
    key = open_game(client, "human", "human")
    answers = {
        "{}": "a message says by its 'kind' what it is",
        '{"kind":"pas"}': "there is no message of kind 'pas' here, only 'move', 'answer_draw'",
        '{"kind":"move","text":7}': "move.text: Input should be a valid string",
    }
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        socket.receive_json()
        for text, sentence in answers.items():
            socket.send_text(text)
            assert socket.receive_json()["message"].startswith(sentence)


def test_undo_takes_back_the_answer_too(client: TestClient) -> None:
    key = open_game(client, "human", "random")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        socket.send_json({"kind": "move", "text": "11-15"})
        next_game(socket, plies=2)
        socket.send_json({"kind": "undo"})
        game = next_game(socket)
    assert game["moves"] == []
    assert game["position"]["to_move"] == 0


def test_who_resigns_loses_and_may_take_it_back(client: TestClient) -> None:
    key = open_game(client, "human", "random")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        socket.receive_json()
        socket.send_json({"kind": "resign"})
        assert ending(next_game(socket)) == (1, "resigned")
        socket.send_json({"kind": "undo"})
        assert next_game(socket)["position"]["ending"] is None


def test_people_agree_on_a_draw(client: TestClient) -> None:
    key = open_game(client, "human", "human")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        socket.receive_json()
        socket.send_json({"kind": "offer_draw"})
        assert next_game(socket)["draw_offer"] == 0
        socket.send_json({"kind": "answer_draw", "accept": True})
        assert ending(next_game(socket)) == (None, "agreed")


def test_a_player_without_an_opinion_declines_a_draw(client: TestClient) -> None:
    key = open_game(client, "human", "random")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        socket.receive_json()
        socket.send_json({"kind": "offer_draw"})
        messages = [socket.receive_json(), socket.receive_json()]
    assert {message["kind"] for message in messages} == {"game", "error"}
    assert {message.get("code") for message in messages} == {None, "draw_declined"}


def test_a_hint_is_a_legal_move(client: TestClient) -> None:
    key = open_game(client, "human", "human")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        legal = {move["text"] for move in next_game(socket)["position"]["moves"]}
        socket.send_json({"kind": "hint"})
        hint = socket.receive_json()
    assert hint["kind"] == "hint"
    assert hint["move"]["text"] in legal


def test_a_game_survives_the_server(settings: Settings) -> None:
    with visitor(settings) as client:
        key = open_game(client, "human", "human", clock={"minutes": 5.0, "increment": 2.0})
        with client.websocket_connect(f"/api/games/{key}/live") as socket:
            socket.send_json({"kind": "move", "text": "11-15"})
            next_game(socket, plies=1)
    with visitor(settings) as client:
        game = client.get(f"/api/games/{key}").json()
        assert game["moves"] == ["11-15"]
        assert game["clock"]["running"] == 1
        assert [summary["id"] for summary in client.get("/api/games").json()] == [key]


def test_time_runs_out_and_ends_the_game(client: TestClient) -> None:
    key = open_game(client, "human", "human", clock={"minutes": 0.005})
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        socket.send_json({"kind": "move", "text": "11-15"})
        next_game(socket, plies=1)
        game = next_game(socket)
    assert game["position"]["ending"] == {"winner": 0, "reason": "time", "cells": []}
    assert game["clock"]["left"][1] == 0


def test_no_move_is_taken_back_after_a_loss_on_time(client: TestClient) -> None:
    key = open_game(client, "human", "human", clock={"minutes": 0.005})
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        socket.send_json({"kind": "move", "text": "11-15"})
        while (game := next_game(socket))["position"]["ending"] is None:
            pass
        assert not game["can_undo"]
        socket.send_json({"kind": "undo"})
        assert "time is over" in socket.receive_json()["message"]


def test_time_runs_out_in_a_game_from_disk_too(settings: Settings) -> None:
    session = GameSession(
        "late", make("english"), ["human", "human"], clock=GameClock(1, 0, [0.3, 0.3])
    )
    session.play("11-15")
    saved = SavedGames(settings.data / "web.sqlite")
    saved.save(session.key, session.dump(), 1.0)
    saved.close()
    with visitor(settings) as client, client.websocket_connect("/api/games/late/live") as socket:
        assert next_game(socket)["clock"]["running"] == 1
        assert ending(next_game(socket)) == (0, "time")


def test_who_moves_too_late_has_lost_and_everybody_is_told() -> None:
    now = [0.0]
    clock = GameClock(1, 0, [1.0, 1.0], now=lambda: now[0])
    session = GameSession("late", make("english"), ["human", "human"], clock=clock)
    seen: list[GameView | QueuePlace] = []
    kept: list[GameSession] = []

    async def keep(session: GameSession) -> None:
        kept.append(session)

    async def play() -> None:
        pool = EnginePool(workers=1, max_think=1, max_waiting=1)
        live = LiveGame(session, pool, keep)
        live.watch(seen.append)
        live.do(lambda session: session.play("11-15"))
        now[0] = 2.0
        with pytest.raises(UsualRefusalError, match="time is over") as refusal:
            live.do(lambda session: session.play("22-18"))
        assert refusal.value.code == "time_over"
        await live.saved()
        live.close()
        pool.close()

    asyncio.run(play())
    last = seen[-1]
    assert isinstance(last, GameView)
    assert last.position.ending == EndingView(winner=0, reason="time")
    assert kept


def test_the_clock_of_a_paused_game_stands_still_on_disk_too() -> None:
    session = GameSession(
        "p", make("english"), ["random", "random"], clock=GameClock(1, 0, [9.0, 9.0])
    )
    session.play("11-15")
    session.pause(True)
    loaded = GameSession.load("p", session.dump())
    assert loaded.clock is not None
    assert loaded.clock.minutes == 1
    assert loaded.clock.running is None
    loaded.pause(False)
    assert loaded.clock.running == 1


def test_a_seat_that_moves_twice_in_a_row_is_asked_for_its_own_opinion(pile: str) -> None:
    session = GameSession("twice", make(pile), ["random", "random"])
    for move, value in (("1", 0.5), ("a1", -0.5), ("a1", 0.25)):  # seats 0, 0, 1
        session.play(move, value)
    for known in (session, GameSession.load("twice", session.dump())):
        seats = known.view(thinking=False, waiting=0).seats
        assert [seat.value for seat in seats] == [-0.5, 0.25]
        assert not known.accepts_draw()  # two equal players, of which one stands better


def test_a_mandatory_capture_is_explained(client: TestClient) -> None:
    fen = "W:W28,48:B22,12"
    key = open_game(client, "human", "human", game="international", fen=fen)
    forced = client.get(f"/api/games/{key}").json()["position"]["forced"]
    assert forced == {"rule": "largest", "captures": 2, "cells": [27]}


def test_players_watched_by_nobody_do_not_move(client: TestClient) -> None:
    key = open_game(client, "random", "random")
    assert client.get(f"/api/games/{key}").json()["moves"] == []
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        assert len(next_game(socket, plies=1)["moves"]) == 1
        socket.send_json({"kind": "pause"})
        while not (game := next_game(socket))["paused"]:
            pass
    assert game["thinking"] is False


def test_a_finished_game_goes_into_the_store_and_is_found_by_position(client: TestClient) -> None:
    key = open_game(client, "human", "human")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        socket.send_json({"kind": "move", "text": "11-15"})
        socket.send_json({"kind": "resign"})
        while next_game(socket)["position"]["ending"] is None:
            pass
    found = client.post("/api/stored/search", json={"game": "english", "moves": ["11-15"]}).json()
    assert [(game["ply"], game["plies"]) for game in found] == [(1, 1)]
    tree = client.get(f"/api/stored/{found[0]['id']}").json()
    assert [node["move"] for node in tree["nodes"]] == ["", "11-15"]
    assert tree["tags"]["White"] == "human"


def test_an_unknown_game_closes_the_socket_with_a_sentence(client: TestClient) -> None:
    with client.websocket_connect("/api/games/nothing/live") as socket:
        assert socket.receive_json()["message"] == "there is no such game"
    assert client.get("/api/games/nothing").status_code == 404


def test_a_damaged_saved_game_is_left_out_and_explained(settings: Settings) -> None:
    saved = SavedGames(settings.data / "web.sqlite")
    saved.save("broken", '{"game": "english"}', 1.0)
    saved.close()
    with visitor(settings) as client:
        assert client.get("/api/games").json() == []
        answer = client.get("/api/games/broken")
    assert answer.status_code == 400
    assert "cannot be read" in answer.json()["detail"]


SLOW_TO_START = """
import sys, time
for line in sys.stdin:
    if line == "hub\\n": print("wait", flush=True)
    if line == "init\\n": time.sleep(2); print("ready", flush=True)
    if line == "go think\\n": print("done move=20-25", flush=True)
"""


def test_a_program_that_starts_slowly_loses_no_time_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry._families, "_loaded", dict(registry._families._loaded))
    (tmp_path / "slow.py").write_text(SLOW_TO_START)
    engine = f'hub:cmd="{sys.executable} {tmp_path / "slow.py"}"'
    with visitor(Settings(tmp_path, workers=1, engines={"slow": engine})) as client:
        clock = {"minutes": 1.5 / 60}  # less than the program takes to start
        key = open_game(client, "human", "slow", game="international", clock=clock)
        with client.websocket_connect(f"/api/games/{key}/live") as socket:
            socket.send_json({"kind": "move", "text": "32-28"})
            game = next_game(socket, plies=2)
    assert game["moves"] == ["32-28", "20-25"]
    assert game["clock"]["left"][1] > 0.5


def test_each_move_has_its_own_time_where_that_was_agreed() -> None:
    now = [0.0]
    clock = GameClock(0.5, 0, [30.0, 30.0], now=lambda: now[0], per_move=True)
    session = GameSession("each", make("english"), ["human", "human"], clock=clock)
    for move in ["11-15", "22-18", "15x22"]:
        session.play(move)
        now[0] += 20.0
    assert session.ending is None
    assert session.limit().time == pytest.approx(9.8)
    again = GameSession.load("each", session.dump())
    assert again.clock is not None
    assert again.clock.per_move
    now[0] += 11.0
    assert session.out_of_time()


def test_who_has_no_piece_left_passes_by_itself_and_may_undo_beyond_it(client: TestClient) -> None:
    # Red has one piece, which leaves the board; from then on it can only pass.
    fen = "4/4r/6/g6/6/4b/4 r 0,0,0 0"
    key = open_game(client, "human", "greedy:seed=1", "greedy:seed=1", game="chexers", fen=fen)
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        first = next_game(socket)["position"]["moves"]
        leaves = next(move["text"] for move in first if "EXIT" in move["text"])
        socket.send_json({"kind": "move", "text": leaves})
        game = next_game(socket, plies=6)
        assert "PASS" in game["moves"][3]
        socket.send_json({"kind": "undo"})
        while (game := next_game(socket))["moves"]:
            pass
    assert game["position"]["to_move"] == 0


def test_the_stones_that_won_are_told(client: TestClient) -> None:
    moves = ["a1", "a8", "b2", "b8", "d4", "c8", "e5", "d8", "c3"]
    key = open_game(client, "human", "human", game="gomoku")
    with client.websocket_connect(f"/api/games/{key}/live") as socket:
        for ply, move in enumerate(moves, start=1):
            socket.send_json({"kind": "move", "text": move})
            game = next_game(socket, plies=ply)
    labels = make("gomoku").geometry.labels
    won = [labels[cell] for cell in game["position"]["ending"]["cells"]]
    assert sorted(won) == ["a1", "b2", "c3", "d4", "e5"]
