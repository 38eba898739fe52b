"""DXP: messages, both sides of a conversation, the network, pydraughts as a peer, and fuzz."""

import json
import socket
import subprocess
import sys
from random import Random
from threading import Thread
from time import sleep
from types import SimpleNamespace

import pytest
from conversations import fuzzed
from draughts import BLACK, WHITE, Board
from draughts.engines.dxp_communication import dxp_classes
from draughts.engines.dxp_communication.dxp_classes import DamExchange
from draughts.engines.dxp_communication.dxp_communication import Sender

from boardzero.base.errors import BoardZeroError
from boardzero.cli.dxp import Display
from boardzero.games import make
from boardzero.players import make_player
from boardzero.protocols import dxp
from boardzero.protocols.dxp_net import connect, listen, talk
from boardzero.protocols.squares import NumberedMove, numbered, position

GAME = make("international")
START = "W" + "z" * 20 + "e" * 10 + "w" * 20
MESSAGES = [
    dxp.GameReq("Tornado voor Windows 4.0", True, 60, 65),
    dxp.GameReq("x", False, 999, 0, START),
    dxp.GameAcc("BoardZero", "0"),
    dxp.Moved(12, NumberedMove(5, 25, frozenset({22, 12, 23, 20}))),
    dxp.Moved(0, NumberedMove(32, 28)),
    dxp.GameEnd("3", True),
    dxp.Chat("What do you think about move 35?"),
    dxp.BackReq(5, False),
    dxp.BackAcc("1"),
]


class Side:
    """A peer, what it said, and what its watcher saw."""

    def __init__(self, player="random:seed=1"):
        self.said, self.seen = [], []
        self.peer = dxp.Peer(
            GAME, make_player(player, GAME), self.said.append, watch=self.seen.append
        )

    def hear(self, *texts):
        """What is said to these messages, once our move is made."""
        self.said.clear()
        for text in texts:
            self.peer.receive(text)
            self.peer.wait()
        return [dxp.decode(text) for text in self.said]


@pytest.fixture
def side():
    return Side()


def request(*, white=True, minutes=0, moves=0, where=None):
    """A request in which the one who gets it has that colour."""
    return dxp.encode(dxp.GameReq("they", white, minutes, moves, where))


# Messages


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_what_is_written_is_read_again(message):
    assert dxp.decode(dxp.encode(message)) == message


def test_messages_look_as_the_protocol_says():
    assert dxp.encode(MESSAGES[0]) == "R01Tornado voor Windows 4.0        W060065A"
    assert dxp.encode(MESSAGES[3]) == "M0012052504" + "12202223"
    assert dxp.encode(MESSAGES[5]) == "E31"
    assert dxp.encode(MESSAGES[7]) == "B005Z"


def test_pydraughts_reads_what_we_write_and_writes_what_we_read():
    theirs = DamExchange()
    assert theirs.parse(dxp.encode(MESSAGES[0]))["name"] == "Tornado voor Windows 4.0"
    assert theirs.parse(dxp.encode(MESSAGES[1]))["pos"] == START[1:]
    assert theirs.parse(dxp.encode(MESSAGES[3]))["captures"] == ["12", "20", "22", "23"]
    assert dxp.decode(theirs.msg_gamereq(0, 5, 75)) == dxp.GameReq("DXP Client", False, 5, 75)
    board = Board()
    asked = dxp.decode(theirs.msg_gamereq(1, 5, 75, board, 0))
    assert asked == dxp.GameReq("DXP Client", True, 5, 75, START)
    assert dxp.decode(theirs.msg_move([32, 28], [], 3)) == dxp.Moved(3, NumberedMove(32, 28))
    assert dxp.decode(theirs.msg_gameend("2")) == dxp.GameEnd("2", True)
    assert dxp.decode(theirs.msg_backreq(7, 0)) == dxp.BackReq(7, True)
    assert dxp.decode(theirs.msg_backacc("0")) == dxp.BackAcc("0")
    assert dxp.decode(theirs.msg_chat("hi")) == dxp.Chat("hi")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "X",
        "R01short",
        "M00010101",
        "M0001322802" + "11",
        "E9",
        "K7",
        "B00",
        "Aé",
    ],
)
def test_what_is_no_message_is_an_error(text):
    with pytest.raises(BoardZeroError):
        dxp.decode(text)


def test_messages_are_cut_at_zero_bytes_however_they_arrive():
    buffer = bytearray(b"K0\0Chel")
    assert list(dxp.frames(buffer)) == ["K0"]
    buffer += b"lo\0\0\r\nE00\0"
    assert list(dxp.frames(buffer)) == ["Chello", "E00"]
    assert not buffer


def test_a_message_without_end_takes_no_memory():
    buffer = bytearray()
    for _ in range(1000):
        buffer += b"C" * 1000
        assert list(dxp.frames(buffer)) == []
    assert len(buffer) < 1000


# The follower


def test_a_request_is_accepted_and_white_moves_first(side):
    accepted, moved = side.hear(request(white=True))
    assert accepted == dxp.GameAcc("BoardZero", "0")
    assert moved.move in {numbered(move) for move in GAME.start().moves()}


def test_as_black_we_wait_for_the_first_move(side):
    assert side.hear(request(white=False)) == [dxp.GameAcc("BoardZero", "0")]
    (moved,) = side.hear("M000032280" + "0")
    assert isinstance(moved, dxp.Moved)


def test_a_request_may_name_a_position(side):
    state = GAME.parse_fen("B:W28,K50:B22,12,13,24")
    accepted, moved = side.hear(request(white=False, where=position(state, dxp.LETTERS)))
    assert accepted.code == "0"
    assert moved.move in {numbered(move) for move in state.moves()}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("R02" + request()[3:], "1"),
        (request(where="W" + "w" * 50), "5"),
        (request(where="W" + "z" * 20 + "e" * 30), "5"),
    ],
)
def test_a_request_that_cannot_be_met_is_answered_with_its_code(side, text, code):
    assert dxp.GameAcc("BoardZero", code) in side.hear(text)
    assert not side.peer.is_playing


def test_a_second_request_during_a_game_is_refused_and_the_game_goes_on(side):
    side.hear(request(white=False))
    assert dxp.GameAcc("BoardZero", "2") in side.hear(request())
    (moved,) = side.hear("M00003228" + "00")
    assert isinstance(moved, dxp.Moved)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("M0000013200", "not legal"),
        ("M0000322801" + "23", "not legal"),
        ("A" + " " * 32 + "0", "nobody asked"),
        ("Z", "unknown kind"),
        ("M00", "does not look like"),
    ],
)
def test_what_makes_no_sense_is_answered_in_a_chat_and_changes_nothing(side, text, part):
    side.hear(request(white=False))
    (answer,) = side.hear(text)
    assert part in answer.text
    assert side.seen[-1].kind == "error"
    (moved,) = side.hear("M0000322800")
    assert isinstance(moved, dxp.Moved)


def test_a_move_without_a_game_or_out_of_turn_is_refused(side):
    assert "no game" in side.hear("M0000322800")[0].text
    side.hear(request(white=True))
    state = GAME.start()
    state.play(state.moves()[0])
    side.hear("M0000193000")  # whatever it is, the engine answers
    assert side.peer.is_playing


def test_a_chat_is_shown_and_not_answered(side):
    assert side.hear("Chello") == []
    assert side.seen[-1] == dxp.DxpEvent("chat", "hello")


def test_the_end_of_a_game_is_confirmed_and_seen_from_our_side(side):
    side.hear(request(white=False))
    assert side.hear("E10") == [dxp.GameEnd("0", False)]  # they have lost
    assert side.seen[-1].reason == "won"
    assert side.hear("E00") == []
    assert (side.peer.games, side.peer.is_stopped) == (1, False)
    side.hear("E01")
    assert side.peer.is_stopped


def test_who_has_no_move_says_that_the_game_is_lost(side):
    # Black takes white's last man.
    state = GAME.parse_fen("B:W28:B22")
    side.hear(request(white=True, where=position(state, dxp.LETTERS)))
    assert side.hear(dxp.encode(dxp.Moved(0, numbered(state.moves()[0])))) == [dxp.GameEnd("1")]
    assert side.seen[-1].reason == "lost"


def test_after_the_agreed_number_of_moves_the_result_is_unknown(side):
    side.hear(request(white=True, moves=1))
    state = GAME.start()
    state.play(next(m for m in state.moves() if m.text == side.seen[-1].text))
    assert side.hear(dxp.encode(dxp.Moved(0, numbered(state.moves()[0]))))[-1] == dxp.GameEnd("0")


def test_moves_are_taken_back_on_request(side):
    side.hear(request(white=False))
    side.hear("M0000322800")
    accepted, moved = side.hear("B001Z")  # to our own first move
    assert accepted == dxp.BackAcc("0")
    assert isinstance(moved, dxp.Moved)
    assert side.hear("B001W") == [dxp.BackAcc("0")]  # to theirs
    assert isinstance(side.hear("M0000332900")[0], dxp.Moved)


@pytest.mark.parametrize("text", ["B000W", "B050W"])
def test_what_was_not_played_is_not_taken_back(side, text):
    side.hear(request(white=False))
    assert side.hear(text) == [dxp.BackAcc("1")]


def test_back_without_a_game_is_refused(side):
    assert side.hear("B001W") == [dxp.BackAcc("1")]


def test_dxp_is_for_international_draughts():
    english = make("english")
    with pytest.raises(BoardZeroError, match="international"):
        dxp.Peer(english, make_player("random", english), print)


# The initiator


def test_the_initiator_starts_when_it_is_accepted(side):
    side.peer.request(white=True, minutes=5, moves=75)
    assert dxp.decode(side.said[0]) == dxp.GameReq("BoardZero", False, 5, 75)
    (moved,) = side.hear(dxp.encode(dxp.GameAcc("they")))
    assert isinstance(moved, dxp.Moved)
    assert side.seen[0].white == "BoardZero"
    assert side.seen[0].black == "they"


def test_the_initiator_stops_when_it_is_refused(side):
    side.peer.request(white=True, minutes=5, moves=75)
    side.hear(dxp.encode(dxp.GameAcc("they", "3")))
    assert side.peer.is_stopped
    assert not side.peer.is_playing


# The network


def test_two_of_us_play_four_games_over_the_loopback():
    seen = []
    with listen("127.0.0.1", 0) as door:
        port = door.getsockname()[1]

        def follow():
            connection, _ = door.accept()
            player = make_player("alphabeta:nodes=100,hash=1", GAME)
            talk(connection, lambda send: dxp.Peer(GAME, player, send, watch=seen.append))

        thread = Thread(target=follow)
        thread.start()

        def next_game(peer):
            if peer.games == 4:
                return False
            if peer.games == len(asked):
                asked.append(peer.games)
                peer.request(white=len(asked) % 2 == 1, minutes=1, moves=60)
            return True

        asked = []
        player = make_player("random:seed=2", GAME)
        peer = talk(
            connect("127.0.0.1", port), lambda send: dxp.Peer(GAME, player, send), then=next_game
        )
        thread.join(20)
    assert peer.games == 4
    assert [event.reason for event in seen if event.kind == "end"] == ["won"] * 4
    assert not [event for event in seen if event.kind in ("error", "chat")]


@pytest.mark.parametrize("colour", [WHITE, BLACK])
def test_pydraughts_plays_a_game_against_our_server(colour, monkeypatch):
    monkeypatch.setattr(
        dxp_classes, "time", SimpleNamespace(sleep=lambda _: None)
    )  # seven seconds for a goodbye
    random = Random(4)
    with listen("127.0.0.1", 0) as door:
        player = make_player("alphabeta:nodes=100,hash=1", GAME)

        def follow():
            connection, _ = door.accept()
            talk(connection, lambda send: dxp.Peer(GAME, player, send))

        Thread(target=follow, daemon=True).start()
        sender = Sender()
        sender.setup(Board().fen, "standard")
        sender.connect("127.0.0.1", door.getsockname()[1])
        sender.gamereq("W" if colour == WHITE else "B", 1, 0)
        while sender.receiver.accepted is None:
            sleep(0.001)
        board = sender.current.pos

        def await_move():
            """Nobody looks at the board while another thread plays on it."""
            while sender.current.started and not sender.receiver.last_move_changed:
                sleep(0.001)

        if colour == BLACK:
            await_move()
        while sender.current.started and not board.is_over():
            sender.send_move(random.choice(board.legal_moves()))
            await_move()
        assert board.is_over()
        sender.disconnect()
        sender.receiver.receive_thread.join(10)


def test_a_port_that_nobody_serves_is_a_sentence():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(BoardZeroError, match="cannot reach"):
            connect("127.0.0.1", free.getsockname()[1])
        with pytest.raises(BoardZeroError, match="cannot listen"):
            listen("127.0.0.1", free.getsockname()[1])


def test_the_two_commands_play_each_other():
    command = [sys.executable, "-m", "boardzero", "dxp"]
    serve = subprocess.Popen(
        [*command, "serve", "--port", "0", "--games", "2", "--player", "random", "--json"],
        stdout=subprocess.PIPE,
        text=True,
    )
    port = json.loads(serve.stdout.readline())["text"].rpartition(":")[2]
    terms = ["--minutes", "0", "--moves", "20"]
    ours = subprocess.run(
        [*command, "connect", "--port", port, "--player", "random", *terms, "--json"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ours.returncode == 0, ours.stderr
    theirs = [json.loads(line) for line in serve.stdout]
    assert serve.wait(10) == 0
    serve.stdout.close()
    events = [json.loads(line) for line in ours.stdout.splitlines()]
    results = [event["result"] for event in events if event["event"] == "end"]
    opposite = {"won": "lost", "lost": "won", "drawn": "drawn", "unknown": "unknown"}
    assert len(results) == 2
    assert [opposite[result] for result in results] == [
        event["result"] for event in theirs if event["event"] == "end"
    ]


def test_what_a_peer_writes_is_shown_as_it_is(capsys):
    for event in (
        dxp.DxpEvent("chat", "[/x] [bold]"),
        dxp.DxpEvent("start", "", white="[/x]", black="[red]"),
    ):
        Display(as_json=False)(event)
    assert capsys.readouterr().out == "[/x] [bold]\n[/x] - [red]\n"


# Fuzz


def test_ten_thousand_bad_messages_do_not_disturb_it(side):
    texts = [dxp.encode(message) for message in MESSAGES] + ["M0000322800", "M0000193000"]
    for text in fuzzed(texts, 10_000, seed=3):
        buffer = bytearray(text.encode() + b"\0")
        for frame in dxp.frames(buffer):
            side.peer.receive(frame)
    side.peer.wait()
    side.hear("E00")
    accepted, moved = side.hear(request(white=True))
    assert accepted.code == "0"
    assert isinstance(moved, dxp.Moved)
