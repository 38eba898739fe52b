"""Our Hub engine: every command with its errors, clocks, fuzz, and pydraughts as the other side."""

import logging
import subprocess
from random import Random
from time import perf_counter, sleep

import pytest
from conversations import ENGINE, Conversation, fuzzed
from draughts import Board
from draughts.engine import HubEngine as TheirEngine
from draughts.engine import Limit as TheirLimit

from boardzero.base.errors import BoardZeroError
from boardzero.games import make
from boardzero.protocols import hub
from boardzero.protocols.squares import (
    NumberedMove,
    find,
    numbered,
    parse_position,
    play_on,
    position,
)

START = "W" + "b" * 20 + "e" * 10 + "w" * 20
LEGAL = {str(numbered(move)) for move in make("international").start().moves()}


@pytest.fixture
def talk():
    conversation = Conversation(lambda send: hub.HubEngine("international", "alphabeta", send))
    yield conversation
    conversation.engine.close()


def error_of(lines):
    (line,) = lines
    command, arguments = hub.parse_line(line)
    assert command == "error"
    return arguments["message"]


def done_of(lines):
    command, arguments = hub.parse_line(lines[-1])
    assert command == "done"
    return arguments


# Lines, positions and moves


def test_a_line_is_a_command_with_arguments_flags_and_quotes():
    assert hub.parse_line('pos  pos=Wbe moves="1-2 3x4x5" flag') == (
        "pos",
        {"pos": "Wbe", "moves": "1-2 3x4x5", "flag": ""},
    )
    assert hub.parse_line("go think") == ("go", {"think": ""})
    assert hub.parse_line('a b="" c=') == ("a", {"b": "", "c": ""})


def test_what_is_written_is_read_again():
    arguments = {"a": "plain", "b": "two words", "c": "", "d": "x=1"}
    assert hub.parse_line(hub.line("cmd", arguments)) == ("cmd", arguments)


@pytest.mark.parametrize("text", ["pos =3", 'pos a="b', 'pos "x"'])
def test_a_line_that_is_none_is_an_error(text):
    with pytest.raises(BoardZeroError, match="not of the form"):
        hub.parse_line(text)


@pytest.mark.parametrize("game", hub.VARIANTS.values())
def test_positions_and_moves_survive_the_way_through_hub_in_every_variant(game):
    rules, random = make(game), Random(1)
    for _ in range(20):
        state = rules.start()
        while state.outcome() is None:
            text = position(state)
            assert position(parse_position(rules, text)) == text
            move = random.choice(state.moves())
            assert find(state, hub.parse_move(str(numbered(move)))).captured == move.captured
            state.play(move)


def test_our_hub_moves_are_those_of_pydraughts():
    board, random, state = Board(), Random(2), make("international").start()
    for _ in range(60):
        theirs = sorted(move.hub_move for move in board.legal_moves())
        ours = sorted({str(numbered(move)) for move in state.moves()})
        assert ours == sorted(set(theirs))
        if not ours or board.is_over():
            break
        chosen = random.choice(ours)
        board.push(next(move for move in board.legal_moves() if move.hub_move == chosen))
        state.play(find(state, hub.parse_move(chosen)))


@pytest.mark.parametrize("text", ["32", "32-28-23", "28x19", "a-b", "32x", "100-1", "", "-"])
def test_a_move_that_is_none_is_refused(text):
    with pytest.raises(BoardZeroError):
        hub.parse_move(text)


def test_moves_go_on_where_our_rules_call_the_game_drawn():
    state = parse_position(make("international"), "W" + "e" * 3 + "B" + "e" * 41 + "W" + "e" * 4)
    there, back = ("46-41", "4-9", "41-46", "9-4"), 30
    for text in there * back:
        state = play_on(state, hub.parse_move(text))
    assert position(state).count("W") == 2  # the side and its king


# Commands


def test_hub_is_answered_with_who_we_are_what_can_be_set_and_wait(talk):
    lines = talk.say("hub")
    assert lines[0].startswith("id name=BoardZero version=")
    assert lines[-1] == "wait"
    params = [hub.parse_line(line)[1] for line in lines[1:-1]]
    assert params[0] == {
        "name": "variant",
        "value": "normal",
        "type": "enum",
        "values": "normal english russian brazilian",
    }
    assert {"name": "hash", "value": "32", "type": "int", "min": "1", "max": "65536"} in params


def test_set_param_changes_the_variant_and_the_players_options(talk):
    assert talk.say("set-param name=variant value=russian", "set-param name=hash value=4") == []
    declared = talk.say("hub")
    assert any(line.startswith("param name=variant value=russian ") for line in declared)
    assert any(line.startswith("param name=hash value=4 ") for line in declared)
    assert talk.say("init") == ["ready"]
    russian = {str(numbered(move)) for move in make("russian").start().moves()}
    assert done_of(talk.say("level depth=2", "go think"))["move"] in russian


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("set-param name=varient value=normal", "did you mean 'variant'"),
        ("set-param name=variant value=chess", "variant"),
        ("set-param name=hash value=many", "whole number"),
        ("set-param name=hash value=0", "from 1"),
        ("set-param value=3", "'name' is missing"),
        ("set-param name=hash", "'value' is missing"),
        ("pos", "'pos' is missing"),
        ("pos pos=W", "51 letters"),
        (f"pos pos=X{START[1:]}", "side to move"),
        (f"pos pos={START[:-1]}x", "square 50"),
        (f"pos pos={'Ww' + 'e' * 30 + 'b' + 'e' * 18}", "crowning row"),
        (f'pos pos={START} moves="32-28 99"', "move 2"),
        (f'pos pos={START} moves="32-27 19-23 1-2"', "move 3: '1-2' is not legal"),
        ("level", "a level has"),
        ("level speed=3", "a level has"),
        ("level depth=0", "depth"),
        ("level depth=x", "depth"),
        ("level nodes=-1", "nodes"),
        ("level move-time=nan", "move-time"),
        ("level move-time=-1", "move-time"),
        ("level time=inf", "time"),
        ("level moves=10", "need a time"),
        ("level inc=1", "need a time"),
        ("level moves=-2 time=3", "moves"),
        ("go", "go needs"),
        ("go think ponder", "go needs"),
        ("go home", "go needs"),
        ("fly me=moon", "unknown command 'fly'"),
        ('pos a="', "not of the form"),
    ],
)
def test_what_is_wrong_is_answered_with_an_error_and_changes_nothing(talk, text, part):
    assert part in error_of(talk.say(text))
    assert talk.say("ping") == ["pong"]
    assert done_of(talk.say("level depth=1", "go think"))["move"] in LEGAL


def test_go_on_a_finished_game_is_an_error(talk):
    lost = "W" + "b" * 5 + "e" * 45
    assert error_of(talk.say(f"pos pos={lost}", "go think")) == "the game is over"


def test_pos_with_moves_is_the_position_after_them(talk):
    talk.say(f'pos pos={START} moves="32-28 19-23 28x19x23"', "level depth=3")
    assert done_of(talk.say("go think"))["move"] in {"14x23x19", "13x24x19"}


@pytest.mark.parametrize(
    "level",
    [
        "depth=4",
        "nodes=500",
        "move-time=0.05",
        "time=2",
        "time=-0.1 inc=0.2",
        "moves=10 time=1",
        "moves=0 time=1",
    ],
)
def test_every_level_gives_info_and_a_legal_move(talk, level):
    lines = talk.say(f"pos pos={START}", f"level {level}", "go think")
    info = [hub.parse_line(line)[1] for line in lines if line.startswith("info")]
    assert {"depth", "score", "nodes", "time", "nps", "pv"} <= set(info[-1])
    answer = done_of(lines)
    state = make("international").start()
    state.play(find(state, hub.parse_move(answer["move"])))
    assert find(state, hub.parse_move(answer["ponder"]))
    assert info[-1]["pv"].startswith(f"{answer['move']} {answer['ponder']}")


def test_depth_and_nodes_are_kept(talk):
    lines = talk.say("level depth=3", "go think")
    assert hub.parse_line(lines[-2])[1]["depth"] == "3"
    lines = talk.say("level nodes=1000", "go think")
    assert int(hub.parse_line(lines[-2])[1]["nodes"]) <= 1000


def test_while_it_thinks_it_tells_more_and_more_and_answers_ping(talk):
    talk.say_only("level infinite")
    talk.say_only("go analyze")
    sleep(0.3)
    talk.say_only("ping")
    talk.say_only("stop")
    talk.engine.wait()
    lines = talk.heard()
    assert "pong" in lines
    depths = [int(hub.parse_line(line)[1]["depth"]) for line in lines if line.startswith("info")]
    assert len(depths) > 2
    assert depths == sorted(depths)
    done_of(lines)


@pytest.mark.parametrize("text", [f"pos pos={START}", "level depth=2", "go think", "new-game"])
def test_other_commands_during_a_search_are_refused(talk, text):
    talk.say_only("go analyze")
    talk.say_only(text)
    assert "wait for the end" in error_of([line for line in talk.heard() if "error" in line])
    talk.say_only("stop")
    talk.engine.wait()
    done_of(talk.heard())


def test_after_stop_a_new_search_can_be_set_up_at_once(talk):
    for _ in range(20):
        talk.say_only("go ponder")
        talk.say_only("stop")
        talk.say_only(f"pos pos={START}")
    talk.engine.wait()
    lines = talk.heard()
    assert sum(line.startswith("done") for line in lines) == 20
    assert not any(line.startswith("error") for line in lines)


def test_stop_and_ponder_hit_without_a_search_mean_nothing(talk):
    assert talk.say("stop", "ponder-hit") == []


def test_pondering_lasts_until_the_hit_and_then_as_long_as_the_level_says(talk):
    talk.say_only("level move-time=0.1")
    talk.say_only("go ponder")
    sleep(0.3)
    assert not any(line.startswith("done") for line in talk.heard())
    start = perf_counter()
    talk.say_only("ponder-hit")
    talk.engine.wait()
    assert perf_counter() - start > 0.05
    done_of(talk.heard())


def test_a_search_to_a_depth_answers_while_pondering(talk):
    talk.say_only("level depth=2")
    talk.say_only("go ponder")
    talk.engine.wait()
    done_of(talk.heard())


def test_new_game_and_empty_lines_are_silent(talk):
    assert talk.say("new-game", "", "   ") == []


def test_quit_ends_even_in_the_middle_of_a_search(talk):
    talk.say_only("go analyze")
    assert not talk.engine.receive("quit")
    start = perf_counter()
    talk.engine.close()
    assert perf_counter() - start < 1


def test_a_player_that_fails_still_moves_and_the_error_is_told(talk, monkeypatch):
    def fail(*_):
        raise RuntimeError("no idea")

    monkeypatch.setattr(talk.engine._player, "choose", fail)
    lines = talk.say("go think")
    assert "no idea" in lines[0]
    done_of(lines)


def test_only_draughts_is_played():
    with pytest.raises(BoardZeroError, match="draughts"):
        hub.HubEngine("gomoku", "random", print)


def test_scores_are_men():
    assert hub._men(1 / 3) == pytest.approx(1)
    assert hub._men(-1.0) == -90


# Fuzz

LINES = [
    "hub",
    "init",
    "ping",
    "new-game",
    "stop",
    "ponder-hit",
    f"pos pos={START}",
    f'pos pos={START} moves="32-28 19-23 28x19x23"',
    'pos pos=BeeeWWeeeeeeeeeeeeeeeeeeeweeeeeeeeewweBeeeeeeeeeBee moves="38-15 5-41 48-26"',
    "level depth=3",
    "level nodes=40",
    "level move-time=0.001",
    "level moves=9 time=0.01 inc=0.01",
    "level infinite",
    "go think",
    "go ponder",
    "go analyze",
    "set-param name=variant value=russian",
    "set-param name=hash value=1",
]


def test_ten_thousand_bad_lines_do_not_disturb_it():
    talk = Conversation(
        lambda send: hub.HubEngine("international", "alphabeta:nodes=40,hash=1", send)
    )
    for line in fuzzed(LINES, 10_000, seed=1):
        if line.strip().partition(" ")[0] != "quit":
            talk.say_only(line)
    talk.say_only("stop")
    talk.engine.wait()
    talk.heard()
    assert talk.say("ping") == ["pong"]
    done_of(talk.say("set-param name=variant value=normal", "level depth=2", "go think"))
    talk.engine.close()


def test_a_process_survives_bytes_that_are_no_text_and_lines_without_end():
    random = Random(3)
    noise = b"\n".join(random.randbytes(random.randrange(200)) for _ in range(300))
    noise = noise.replace(b"quit", b"") + b"\n" + b"x" * 200_000 + b"\nstop\nping\n"
    run = subprocess.run(
        [*ENGINE.split(), "hub"], input=noise, capture_output=True, timeout=60, check=True
    )
    assert run.stdout.decode().splitlines()[-1] == "pong"
    assert b"Traceback" not in run.stderr


def test_the_end_of_the_input_ends_the_process():
    run = subprocess.run([*ENGINE.split(), "hub"], input=b"go analyze\n", timeout=30, check=True)
    assert run.returncode == 0


def test_with_json_what_is_said_is_logged_to_standard_error():
    run = subprocess.run(
        [*ENGINE.split(), "hub", "--json"], input=b"ping\n", capture_output=True, timeout=30
    )
    assert b'"from": "user", "line": "ping"' in run.stderr
    assert b'"from": "engine", "line": "pong"' in run.stderr


# pydraughts, as lidraughts-bot uses it


@pytest.fixture
def their_engine(tmp_path):
    # pydraughts follows links, which leads out of a virtual environment; a script stays inside.
    script = tmp_path / "engine"
    script.write_text(f'#!/bin/sh\nexec {ENGINE} hub "$@"\n')
    script.chmod(0o755)
    engine = TheirEngine([str(script), "--player", "alphabeta:hash=4"])
    yield engine
    engine.quit()
    engine.kill_process()


@pytest.mark.parametrize("colour", [0, 1])
def test_pydraughts_plays_a_whole_game_against_us_with_every_level(their_engine, colour, caplog):
    caplog.set_level(logging.WARNING, logger="pydraughts")
    their_engine.init()
    their_engine.ping()
    their_engine.setoption("variant", "normal")
    levels = [
        TheirLimit(depth=3),
        TheirLimit(nodes=300),
        TheirLimit(movetime=0.01),
        TheirLimit(time=1, inc=0.01),
        TheirLimit(time=1),
    ]
    random, board, plies = Random(colour), Board(), 0
    while not board.is_over() and plies < 300:
        if plies % 2 == colour:
            board.push(their_engine.play(board, levels[plies // 2 % len(levels)], False).move)
        else:
            board.push(random.choice(board.legal_moves()))
        plies += 1
    assert board.is_over()
    assert board.winner() is not None
    assert not caplog.records  # pydraughts warns of every answer that it does not expect
    assert "depth" in their_engine.info


def test_pydraughts_ponders_with_us(their_engine):
    from threading import Thread

    their_engine.init()
    found = []
    thread = Thread(
        target=lambda: found.append(their_engine.play(Board(), TheirLimit(movetime=0.1), True))
    )
    thread.start()
    sleep(0.3)
    their_engine.ponderhit()
    thread.join(10)
    assert found
    assert found[0].move.hub_move in LEGAL


def test_numbered_moves_are_written_as_hub_writes_them():
    assert str(NumberedMove(28, 19, frozenset({23}))) == "28x19x23"
    assert str(NumberedMove(32, 28)) == "32-28"
