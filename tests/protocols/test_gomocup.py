"""Our Gomocup engine: every command with its errors, renju, swap2, clocks and fuzz."""

import subprocess
from random import Random
from time import perf_counter

import pytest
from conversations import ENGINE, Conversation, fuzzed

from boardzero.base.errors import BoardZeroError
from boardzero.games import make
from boardzero.players import best_player
from boardzero.protocols.gomocup import GomocupEngine, Stone, board_state


@pytest.fixture
def talk():
    conversation = Conversation(lambda send: GomocupEngine("alphabeta:nodes=300,hash=1", send))
    yield conversation
    conversation.engine.close()


@pytest.fixture
def started(talk):
    assert talk.say("START 15") == ["OK"]
    return talk


def point_of(lines, size=15):
    (line,) = lines
    x, y = map(int, line.split(","))
    assert 0 <= x < size
    assert 0 <= y < size
    return x, y


def stones_of(talk):
    """The stones as the engine has them: what a BOARD with none but them would repeat."""
    return [(stone.cell, stone.owner) for stone in talk.engine._stones]


def test_start_is_answered_with_ok_in_any_case_and_with_windows_line_ends(talk):
    assert talk.say("START 15\r") == ["OK"]
    assert talk.say("start 20") == ["OK"]


@pytest.mark.parametrize("size", ["4", "21", "-5", "x", "", "15 15", "1e1", "١٥"])  # noqa: RUF001
def test_a_bad_start_is_an_error_and_the_old_board_stays(started, size):
    started.say("BEGIN")
    before = stones_of(started)
    (answer,) = started.say(f"START {size}")
    assert answer.startswith("ERROR a board has 5 to 20")
    assert stones_of(started) == before


def test_rectangular_boards_are_refused_clearly(talk):
    assert talk.say("RECTSTART 20,15")[0].startswith("ERROR boards are square")


def test_begin_plays_the_first_stone(started):
    point_of(started.say("BEGIN"))
    assert len(stones_of(started)) == 1


def test_begin_is_for_an_empty_board(started):
    started.say("BEGIN")
    assert started.say("BEGIN") == ["ERROR BEGIN is for an empty board"]


def test_turn_is_answered_with_another_point(started):
    assert point_of(started.say("TURN 7,7")) != (7, 7)
    assert [owner for _, owner in stones_of(started)] == [0, 1]


@pytest.mark.parametrize("command", ["BEGIN", "TURN 7,7", "BOARD", "RESTART", "TAKEBACK 7,7"])
def test_before_start_everything_else_is_an_error(talk, command):
    assert talk.say(command) == ["ERROR START comes first"]


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("TURN 15,0", "15,0 is not on the board"),
        ("TURN 0,15", "not on the board"),
        ("TURN 7,7", "there is a stone on 7,7 already"),
        ("TURN -1,3", "not a point"),
        ("TURN 7", "not a point"),
        ("TURN 7,7,7", "not a point"),
        ("TURN", "not a point"),
        ("TURN a,b", "not a point"),
        ("TURN 9999999999999999,1", "not a point"),
        ("TAKEBACK 3,3", "the last stone is not on 3,3"),
        ("TAKEBACK 99,3", "not on the board"),
        ("INFO rule 2", "rule 2"),
        ("INFO rule 8", "rule 8"),
        ("INFO rule x", "whole number"),
        ("INFO timeout_turn soon", "whole number"),
    ],
)
def test_an_error_says_why_and_leaves_the_position_alone(started, command, part):
    started.say("TURN 7,7")
    before = stones_of(started)
    (answer,) = started.say(command)
    assert answer.startswith("ERROR ")
    assert part in answer
    assert stones_of(started) == before
    assert started.say("ABOUT")[0].startswith('name="BoardZero"')


def test_board_sets_up_a_position_and_is_answered_with_a_move(started):
    answer = started.say("BOARD", "7,7,2", "7,8,1", "8,8,2", "DONE")
    assert point_of(answer) not in {(7, 7), (7, 8), (8, 8)}
    assert stones_of(started)[:3] == [(7 * 15 + 7, 0), (8 * 15 + 7, 1), (8 * 15 + 8, 0)]


def test_an_empty_board_is_ours_to_open(started):
    point_of(started.say("BOARD", "DONE"))
    assert len(stones_of(started)) == 1  # ours


def test_board_takes_the_stones_in_any_order(started):
    point_of(started.say("BOARD", "1,1,1", "2,1,1", "7,7,2", "8,8,2", "DONE"))
    assert sum(owner == 0 for _, owner in stones_of(started)) == 3  # we are black, and moved


def test_board_finds_the_five_that_wins(started):
    four = [f"{x},3,1" for x in range(4)] + [f"{x},9,2" for x in (2, 5, 8, 11)]
    assert started.say("BOARD", *four, "DONE") == ["4,3"]


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        (["7,7,2", "7,7,1"], "second stone"),
        (["7,7,3"], "does not end with 1"),
        (["7,7,0"], "does not end with 1"),
        (["7,7"], "does not end with 1"),
        (["x,y,1"], "not a point"),
        (["99,1,2"], "not on the board"),
        (["7,7,1"], "we are not to move"),
        (["7,7,2", "8,8,2"], "we are not to move"),
        ([f"{x},0,2" for x in range(5)] + [f"{x},5,1" for x in range(4)], "game is over"),
        ([f"{x},{y},2" for x in range(15) for y in range(15)] * 2, "more stones"),
    ],
)
def test_a_bad_board_is_one_error_and_leaves_the_position_alone(started, lines, part):
    started.say("TURN 7,7")
    before = stones_of(started)
    answers = started.say("BOARD", *lines)
    answers += started.say("DONE") if not answers else []
    assert len(answers) == 1
    assert answers[0].startswith("ERROR ")
    assert part in answers[0]
    assert stones_of(started) == before


def test_a_command_inside_of_board_ends_it_with_an_error(started):
    started.say("BOARD", "7,7,2")
    answers = started.say("TURN 1,1")
    assert answers[0] == "ERROR BOARD was not finished with DONE"
    point_of(answers[1:])


def test_about_and_info_are_heard_inside_of_board(started):
    started.say("BOARD")
    assert started.say("ABOUT")[0].startswith('name="BoardZero", version=')
    assert started.say("INFO timeout_turn 100") == []
    point_of(started.say("DONE"))


def test_done_alone_and_unknown_commands_are_unknown(started):
    assert started.say("DONE") == ["UNKNOWN DONE"]
    assert started.say("SUGGEST 1,1") == ["UNKNOWN SUGGEST"]
    assert started.say("hello world") == ["UNKNOWN HELLO"]


def test_yxboard_sets_up_a_position_without_an_answer(started):
    assert started.say("YXBOARD", "7,7,2", "8,8,1", "7,8,2", "6,6,1", "DONE") == []
    assert [owner for _, owner in stones_of(started)] == [0, 1, 0, 1]
    point_of(started.say("TURN 0,0"))  # the opponent is black, and goes on
    assert started.say("YXBOARD", "1,1,1", "2,2,2", "3,3,1", "DONE") == []
    point_of(started.say("YXNBEST 1"))
    assert [owner for _, owner in stones_of(started)] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        (["7,7,2", "8,8,2"], "do not alternate"),
        (["7,7,2", "7,7,1"], "second stone"),
        (["7,7,3"], "does not end with 1"),
    ],
)
def test_a_bad_yxboard_leaves_the_position_alone(started, lines, part):
    started.say("TURN 7,7")
    before = stones_of(started)
    (answer,) = started.say("YXBOARD", *lines, "DONE")
    assert part in answer
    assert stones_of(started) == before


def test_restart_clears_the_board_of_the_same_size(started):
    started.say("TURN 7,7")
    assert started.say("RESTART") == ["OK"]
    assert stones_of(started) == []
    point_of(started.say("TURN 14,14"))


def test_takeback_removes_stones_from_the_last_one_on(started):
    x, y = point_of(started.say("TURN 7,7"))
    assert started.say("TAKEBACK 7,7")[0].startswith("ERROR")
    assert started.say(f"TAKEBACK {x},{y}") == ["OK"]
    assert started.say("TAKEBACK 7,7") == ["OK"]
    assert stones_of(started) == []
    point_of(started.say("BEGIN"))


def test_info_that_nobody_knows_is_silent(started):
    known = ["timeout_match 0", "max_memory 83886080", "game_type 1", "folder /tmp", "time_left 9"]
    assert started.say(*(f"INFO {text}" for text in known), "INFO evaluate 3,3", "INFO") == []


def test_a_stone_that_ends_the_game_is_refused(started):
    open_four = [f"{x},3,2" for x in range(3, 7)] + [f"{x},9,1" for x in (2, 5, 8, 11)]
    started.say("BOARD", *open_four, "DONE")
    before = stones_of(started)
    free = next(x for x in (2, 7) if all(cell != 3 * 15 + x for cell, _ in before))
    assert started.say(f"TURN {free},3") == ["ERROR the game is over with that"]
    assert stones_of(started) == before


def test_after_the_end_every_turn_is_refused(started):
    four = [f"{x},3,1" for x in range(4)] + [f"{x},9,2" for x in (2, 5, 8, 11)]
    assert started.say("BOARD", *four, "DONE") == ["4,3"]
    assert started.say("TURN 0,0")[0].startswith("ERROR the game is over")


# Rules


def test_with_rule_1_only_exactly_five_wins(talk):
    talk.say("INFO rule 1", "START 15")
    six = [f"{x},3,1" for x in (0, 1, 2, 4, 5)] + [f"{x},9,2" for x in (1, 3, 6, 8, 11)]
    assert talk.say("BOARD", *six, "DONE") != ["3,3"]


DOUBLE_THREE = ["7,8,1", "8,8,1", "9,7,1", "9,6,1"]  # black on 9,8 would make two threes
WHITE = ["3,3,2", "11,11,2", "4,12,2", "10,1,2"]


def test_with_rule_4_black_never_plays_a_forbidden_point(talk):
    talk.say("INFO rule 4", "START 15")
    assert talk.say("BOARD", *DOUBLE_THREE, *WHITE, "DONE") != ["9,8"]


def test_with_rule_4_a_forbidden_stone_of_black_is_refused(talk):
    talk.say("INFO rule 4", "START 15")
    # We are white: the same stones with the colours the other way round, and one more of black.
    lines = [line[:-1] + "2" for line in DOUBLE_THREE] + [line[:-1] + "1" for line in WHITE[:3]]
    assert len(talk.say("BOARD", *lines, "DONE")) == 1
    (answer,) = talk.say("TURN 9,8")
    assert answer.startswith("ERROR")
    assert "forbidden" in answer or "already" in answer


def forbids_the_double_three(talk):
    """Whether black may not play on 9,8, as in renju."""
    lines = [line[:-1] + "2" for line in DOUBLE_THREE] + [line[:-1] + "1" for line in WHITE]
    talk.say("YXBOARD", *lines, "DONE")
    (answer,) = talk.say("TURN 9,8")
    return answer.startswith("ERROR")


def test_a_rule_is_that_of_one_game(talk):
    talk.say("START 15", "INFO rule 4")
    assert forbids_the_double_three(talk)
    talk.say("RESTART")
    assert forbids_the_double_three(talk)
    talk.say("START 15")
    assert not forbids_the_double_three(talk)


def test_a_rule_that_is_told_during_a_game_is_for_the_next_one(talk):
    talk.say("START 15", "BEGIN", "INFO rule 4")
    assert not forbids_the_double_three(talk)
    talk.say("START 15")
    assert forbids_the_double_three(talk)


def test_stones_that_alternate_keep_their_history_and_others_do_not():
    game = make("gomoku:size=15")
    ordered = board_state(game, [Stone(0, 0), Stone(1, 1)], 0)
    assert len(ordered.history) == 2
    jumbled = board_state(game, [Stone(1, 1), Stone(0, 0)], 0)
    assert jumbled == ordered
    assert not jumbled.history


# Swap2


def test_swap2_opens_with_three_stones(started):
    (answer,) = started.say("SWAP2BOARD", "DONE")
    points = [point_of([text]) for text in answer.split()]
    assert len(set(points)) == 3
    point_of(started.say("TURN 0,14"))  # the other side stays white; we are black


@pytest.mark.parametrize(
    "stones", [["7,7", "8,8", "0,0"], ["7,7", "8,7", "6,6", "0,0", "14,14"], ["7,7", "0,0", "8,7"]]
)
def test_swap2_is_answered_with_a_stone_or_swap(started, stones):
    (answer,) = started.say("SWAP2BOARD", *stones, "DONE")
    if answer != "SWAP":
        point_of([answer])
    assert len(stones_of(started)) == len(stones) + (answer != "SWAP")
    assert started.say("ABOUT")


def test_swap2_takes_the_colour_that_is_better_off():
    talk = Conversation(lambda send: GomocupEngine("mcts:rollouts=3000,memory=8", send))
    talk.say("START 9")
    # Black has three in the middle of an empty board, and white is far away.
    assert talk.say("SWAP2BOARD", "4,4", "0,0", "5,4", "8,8", "3,4", "DONE") == ["SWAP"]
    talk.engine.close()


@pytest.mark.parametrize(
    ("stones", "part"),
    [
        (["7,7"], "0, 3 or 5 stones"),
        (["7,7", "7,7", "8,8"], "second stone"),
        (["7,7", "99,7", "8,8"], "not on the board"),
        (["7,7", "1,1,2", "8,8"], "not a point"),
    ],
)
def test_a_bad_swap2_is_an_error_and_leaves_the_position_alone(started, stones, part):
    started.say("TURN 7,7")
    before = stones_of(started)
    (answer,) = started.say("SWAP2BOARD", *stones, "DONE")
    assert part in answer
    assert stones_of(started) == before


# Clocks and memory


def test_with_no_time_it_moves_at_once():
    talk = Conversation(lambda send: GomocupEngine("alphabeta:hash=1", send))
    talk.say("START 20", "INFO timeout_turn 0")
    start = perf_counter()
    point_of(talk.say("TURN 0,0"), 20)
    assert perf_counter() - start < 0.5
    talk.engine.close()


@pytest.mark.parametrize("player", ["alphabeta:hash=1", "mcts:memory=8", "random"])
@pytest.mark.parametrize(
    "info",
    [["timeout_turn 60"], ["time_left 300"], ["timeout_match 300", "timeout_turn 10000"]],
)
def test_it_stays_within_its_time(player, info):
    talk = Conversation(lambda send: GomocupEngine(player, send))
    talk.say("START 15", *(f"INFO {text}" for text in info))
    start = perf_counter()
    point_of(talk.say("TURN 7,7"))
    assert perf_counter() - start < 1  # the figures are in the benchmark; this is for slow machines
    talk.engine.close()


def test_max_memory_makes_tables_smaller():
    talk = Conversation(lambda send: GomocupEngine("alphabeta:nodes=10", send))
    talk.say("START 15", f"INFO max_memory {70 * 2**20}", "BEGIN")
    assert talk.engine._made_for[0] == "alphabeta:nodes=10,hash=6"
    talk.engine.close()


def test_a_new_start_ends_a_search_unheard():
    talk = Conversation(lambda send: GomocupEngine("alphabeta:time=60,hash=1", send))
    talk.say("START 15")
    talk.say_only("BEGIN")
    talk.say_only("START 10")
    assert talk.heard() == ["OK"]
    talk.engine.close()


@pytest.mark.parametrize("word", ["STOP", "YXSTOP"])
def test_a_long_thought_is_stopped_with_an_answer(word):
    talk = Conversation(lambda send: GomocupEngine("alphabeta:hash=1", send))
    talk.say("START 15", "INFO timeout_turn 600000", "INFO timeout_match 0")
    talk.say_only("TURN 7,7")
    assert talk.heard() == []
    talk.say_only("ABOUT")  # is answered while it thinks
    assert talk.heard()[0].startswith('name="BoardZero"')
    talk.say_only(word)
    assert talk.engine._search.wait(10)
    point_of(talk.heard())
    talk.engine.close()


@pytest.mark.parametrize("info", ["max_depth 2", "max_node 200"])
def test_depth_and_nodes_bound_a_thought_too(info):
    talk = Conversation(lambda send: GomocupEngine("alphabeta:hash=1", send))
    talk.say("START 15", "INFO timeout_turn 600000", f"INFO {info}")
    talk.say_only("TURN 7,7")
    assert talk.engine._search.wait(20)
    point_of(talk.heard())
    talk.engine.close()


@pytest.mark.parametrize(("start", "best"), [("START 15", "champion"), ("START 20", "classic")])
def test_who_names_no_player_gets_the_best_that_there_is(start, best):
    talk = Conversation(lambda send: GomocupEngine(None, send))
    talk.say(start, "INFO timeout_turn 50", "BEGIN")
    spec, game = talk.engine._made_for
    talk.engine.close()
    assert spec == best_player(make(game))
    assert (spec == make(game).traits.players.ladder[-1]) == (best == "classic")


def test_a_player_that_fails_still_moves(started, monkeypatch):
    started.say("BEGIN")

    def fail(*_):
        raise RuntimeError("no idea")

    monkeypatch.setattr(started.engine._player, "choose", fail)
    message, answer = started.say("TURN 14,14")
    assert "no idea" in message
    point_of([answer])


def test_a_bad_player_is_refused_at_once():
    with pytest.raises(BoardZeroError):
        GomocupEngine("alphabet", print)


# Fuzz

LINES = [
    "START 15",
    "START 8",
    "RECTSTART 10,20",
    "RESTART",
    "BEGIN",
    "TURN 3,4",
    "TURN 0,0",
    "BOARD",
    "DONE",
    "3,4,1",
    "5,5,2",
    "7,7",
    "SWAP2BOARD",
    "YXBOARD",
    "YXNBEST 1",
    "STOP",
    "TAKEBACK 3,4",
    "ABOUT",
    "INFO rule 4",
    "INFO rule 1",
    "INFO timeout_turn 1",
    "INFO timeout_match 1000",
    "INFO time_left 3",
    "INFO max_memory 100000000",
    "INFO game_type 0",
    "INFO folder /tmp",
]


def test_ten_thousand_bad_lines_do_not_disturb_it():
    talk = Conversation(lambda send: GomocupEngine("random", send))
    for line in fuzzed(LINES, 10_000, seed=2):
        if line.strip().partition(" ")[0].upper() != "END":
            talk.say_only(line)
    talk.engine.wait()
    talk.heard()
    assert talk.say("ABOUT")[0].startswith('name="BoardZero"')
    assert talk.say("START 15")[-1] == "OK"  # perhaps after the error of an open BOARD
    point_of(talk.say("BEGIN"))
    talk.engine.close()


def test_a_process_plays_and_survives_bytes_that_are_no_text():
    random = Random(3)
    noise = b"\n".join(random.randbytes(random.randrange(200)) for _ in range(300))
    script = b"\nSTART 15\r\nINFO timeout_turn 100\r\nTURN 7,7\r\nABOUT\r\nEND\r\n"
    run = subprocess.run(
        [*ENGINE.split(), "gomocup"], input=noise + script, capture_output=True, timeout=60
    )
    lines = run.stdout.decode().splitlines()
    assert run.returncode == 0
    assert b"Traceback" not in run.stderr
    assert lines[-1].startswith('name="BoardZero"')
    assert "OK" in lines
