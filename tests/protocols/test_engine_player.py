"""Other programs as players: ours through their protocols, and bad ones that must not hurt us."""

import sys
from pathlib import Path
from random import Random
from time import perf_counter, sleep

import pytest
from conversations import ENGINE

from boardzero.base.errors import BoardZeroError
from boardzero.games import make
from boardzero.players import (
    Clock,
    Limit,
    make_player,
    name_player,
    player_families,
    player_family,
    registry,
)
from boardzero.protocols.engine_process import EngineError, EngineProcess
from boardzero.protocols.hub import VARIANTS
from boardzero.server.catalog import check_player, offered_levels

HUB = f'hub:cmd="{ENGINE} hub --player alphabeta:hash=1"'
GOMOCUP = f'gomocup:cmd="{ENGINE} gomocup --player random"'


def write(path, *lines):
    path.write_text("\n".join(lines) + "\n")
    return path


def script(path, *lines):
    """The command of a Python program made of these lines."""
    write(path, "import sys, time", "def say(t): print(t, flush=True)", *lines)
    return f"{sys.executable} {path}"


@pytest.fixture
def playing():
    """Makes players that are closed at the end."""
    made = []

    def make_one(spec, game):
        made.append(make_player(spec, make(game)))
        return made[-1]

    yield make_one
    for player in made:
        player.close()


def play(state, player, limit, *, plies=400, seed=1):
    """A game against random moves, in which the player has the seat that is to move."""
    random, seat = Random(seed), state.to_move
    for _ in range(plies):
        if state.outcome() is not None:
            break
        mine = state.to_move == seat
        state.play(player.choose(state, limit).move if mine else random.choice(state.moves()))
    return state


# Programs


def test_a_program_is_ended_together_with_what_it_started(tmp_path):
    pid_file = tmp_path / "pid"
    command = script(
        tmp_path / "parent.py",
        "import subprocess",
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'])",
        f"open({str(pid_file)!r}, 'w').write(str(child.pid))",
        "say('up')",
        "time.sleep(100)",
    )
    program = EngineProcess(command)
    assert program.receive(perf_counter() + 10) == "up"
    child = int(pid_file.read_text())
    program.kill()
    for _ in range(100):
        if not is_alive(child):
            break
        sleep(0.02)
    assert not is_alive(child)
    assert not program.is_running
    program.kill()  # twice does no harm


def is_alive(pid):
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def test_a_program_that_nobody_holds_any_more_is_ended():
    program = EngineProcess([sys.executable, "-c", "import time; time.sleep(100)"])
    pid = program._process.pid
    del program
    for _ in range(100):
        if not is_alive(pid):
            break
        sleep(0.02)
    assert not is_alive(pid)


@pytest.mark.parametrize(
    ("command", "part"),
    [("/no/such/program", "does not start"), ("", "empty"), ("/", "does not start")],
)
def test_a_program_that_does_not_start_is_a_sentence(command, part):
    with pytest.raises(EngineError, match=part):
        EngineProcess(command)


def test_a_program_that_ends_says_its_last_words(tmp_path):
    program = EngineProcess(script(tmp_path / "p.py", "sys.exit('out of cheese')"))
    for _ in range(2):
        with pytest.raises(EngineError, match="exit code 1: out of cheese"):
            program.receive(perf_counter() + 10)
    program.kill()


# The registry


def test_kinds_that_run_programs_are_marked_so_that_a_server_can_refuse_them():
    marked = {family.name for family in player_families() if family.runs_programs}
    assert marked == {"hub", "gomocup", "chexers"}
    assert not player_family("random").runs_programs


@pytest.mark.parametrize(
    ("spec", "game", "part"),
    [
        ("hub", "international", "which program"),
        ('hub:cmd="x"', "gomoku", "draughts"),
        ("gomocup", "gomoku", "which program"),
        ('gomocup:cmd="x"', "international", "five in a row"),
        ('gomocup:cmd="x"', "gomoku:line=4", "five in a row"),
        ("chexers", "chexers", "which program"),
        ('chexers:module="x"', "english", "cannot play"),
        ("hubb", "international", "did you mean 'hub'"),
    ],
)
def test_a_spec_that_makes_no_sense_is_a_sentence(spec, game, part):
    with pytest.raises(BoardZeroError, match=part):
        make_player(spec, make(game))


# On the web


@pytest.fixture
def scan(monkeypatch):
    """A program to which the owner of a server has given the name of scan."""
    monkeypatch.setattr(registry._families, "_loaded", dict(registry._families._loaded))
    name_player("scan", HUB)


@pytest.mark.usefixtures("scan")
def test_the_page_may_choose_a_program_by_the_name_that_the_owner_gave_it():
    draughts = make("international")
    assert check_player("scan", draughts) == "scan"
    assert "scan" in {level.spec for level in offered_levels(draughts)}
    player = make_player("scan", draughts)
    assert player.spec == "scan"  # and not the command
    assert player.choose(draughts.start(), Limit(nodes=10)).move in draughts.start().moves()
    player.close()


@pytest.mark.usefixtures("scan")
@pytest.mark.parametrize("spec", [HUB, "scan:cmd=ls", "scan:time=1"])
def test_the_page_may_not_change_what_the_name_means(spec):
    with pytest.raises(BoardZeroError):
        check_player(spec, make("international"))


@pytest.mark.usefixtures("scan")
def test_a_named_program_is_offered_only_for_games_that_it_plays():
    assert "scan" not in {level.spec for level in offered_levels(make("gomoku"))}
    with pytest.raises(BoardZeroError, match="cannot play"):
        check_player("scan", make("gomoku"))


@pytest.mark.parametrize(
    ("name", "spec", "part"),
    [
        ("", HUB, "not a name"),
        ("a b", HUB, "not a name"),
        ("random", HUB, "already"),
        ("hub", HUB, "already"),
        ("mine", "hubb:cmd=x", "did you mean"),
        ("mine", "hub:speed=3", "unknown option"),
    ],
)
def test_a_bad_name_for_a_program_is_a_sentence(name, spec, part):
    with pytest.raises(BoardZeroError, match=part):
        name_player(name, spec)


# Hub


def test_our_engine_plays_a_game_through_hub_with_every_limit(playing):
    player = playing(HUB, "international")
    state = make("international").start()
    limits = [
        Limit(depth=2),
        Limit(nodes=200),
        Limit(time=0.01),
        Limit(clock=Clock(1.0, 0.01)),
        Limit(clock=Clock(1.0, moves=10)),
        Limit(simulations=100),
    ]
    random = Random(1)
    for ply in range(400):
        if state.outcome() is not None:
            break
        if ply % 2:
            state.play(random.choice(state.moves()))
            continue
        choice = player.choose(state, limits[ply // 2 % len(limits)])
        assert choice.nodes > 0
        assert choice.time > 0
        state.play(choice.move)
    assert state.outcome().values[0] == 1


@pytest.mark.parametrize("game", sorted({*VARIANTS.values()} - {"international"}))
def test_our_engine_plays_the_other_draughts_through_hub(playing, game):
    player = playing(HUB, game)
    state = play(make(game).start(), player, Limit(nodes=50), plies=30)
    assert len(state.history) > 10


def test_hub_can_be_stopped(playing):
    from threading import Timer

    player = playing(HUB, "international")
    start = make("international").start()
    player.choose(start, Limit(depth=1))
    Timer(0.3, player.stop).start()
    began = perf_counter()
    player.choose(start, Limit(time=30))
    assert perf_counter() - began < 5


def test_hub_engines_get_their_parameters(playing, tmp_path):
    log = tmp_path / "log"
    command = script(
        tmp_path / "engine.py",
        f"log = open({str(log)!r}, 'w')",
        "for line in sys.stdin:",
        "    print(line.strip(), file=log, flush=True)",
        "    if line == 'hub\\n': say('param name=book value=true'); say('a =='); say('wait')",
        "    if line == 'init\\n': say('ready')",
        "    if line == 'go think\\n': say('info depth=x score=0.5'); say('done move=32-28')",
    )
    player = playing(f'hub:cmd="{command}",params="book=false threads=2"', "international")
    choice = player.choose(make("international").start())
    assert choice.move.text == "32-28"
    assert choice.value == pytest.approx(0.2)
    told = log.read_text().splitlines()
    assert told[:4] == [
        "hub",
        "set-param name=book value=false",
        "set-param name=threads value=2",
        "init",
    ]
    assert "level move-time=1.000" in told


GREETING = (
    "for line in sys.stdin:",
    "    if line == 'hub\\n': say('wait')",
    "    if line == 'init\\n': say('ready')",
)


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        ("time.sleep(100)", "does not answer in time"),
        ("say('done move=1-2')", "'1-2' is not legal"),
        ("say('done')", "not a square|not a move"),
        ("say('error message=\"tired\"'); say('done move=x')", "tired"),
        ("sys.exit('crash')", "exit code 1: crash"),
        ("\n        while True: say('info depth=1')", "does not answer in time"),
    ],
)
def test_a_bad_engine_is_killed_and_started_again_for_the_next_game(
    playing, tmp_path, answer, part
):
    flag = tmp_path / "flag"
    command = script(
        tmp_path / "engine.py",
        f"import os; flag = {str(flag)!r}",
        *GREETING,
        "    if line == 'go think\\n' and os.path.exists(flag): say('done move=32-28')",
        f"    elif line == 'go think\\n': {answer}",
    )
    player = playing(f'hub:cmd="{command}",grace=0.3', "international")
    start = make("international").start()
    began = perf_counter()
    with pytest.raises(EngineError, match=part):
        player.choose(start, Limit(time=0.1))
    assert perf_counter() - began < 5
    assert player._program is None
    flag.write_text("")
    player.new_game()
    assert player.choose(start, Limit(time=0.1)).move.text == "32-28"


def test_each_game_gets_a_new_process(playing):
    player = playing(HUB, "international")
    start = make("international").start()
    player.choose(start, Limit(nodes=10))
    first = player._program._process.pid
    player.choose(start, Limit(nodes=10))
    assert player._program._process.pid == first
    player.new_game()
    player.choose(start, Limit(nodes=10))
    assert player._program._process.pid != first
    assert not is_alive(first)


# Gomocup


@pytest.mark.parametrize("game", ["gomoku:size=15", "gomoku:size=15,rule=renju", "gomoku"])
def test_our_engine_plays_a_game_through_gomocup(playing, game):
    player = playing(GOMOCUP, game)
    state = play(make(game).start(), player, Limit(time=0.05), plies=60)
    assert len(state.history) >= 9


def test_gomocup_follows_a_game_that_goes_elsewhere(playing):
    player = playing(GOMOCUP, "gomoku:size=15")
    state = make("gomoku:size=15").start()
    state.play(player.choose(state).move)
    state.play(state.moves()[0])
    state.play(player.choose(state).move)
    state.undo()
    state.undo()
    state.play(state.moves()[-1])
    assert player.choose(state, Limit(clock=Clock(10))).move in state.moves()
    board = make("gomoku:size=15").parse_fen("/".join(["15"] * 14 + ["xo13"]) + " x")
    assert player.choose(board).move in board.moves()


@pytest.mark.parametrize(
    ("start", "answer", "part"),
    [
        ("say('ERROR unsupported size')", "pass", "UNSUPPORTED SIZE"),
        ("say('OK')", "say('ERROR no')", "says: ERROR no"),
        ("say('OK')", "say('99,99')", "not legal"),
        ("say('OK')", "time.sleep(50)", "in time"),
        ("sys.exit(3)", "pass", "exit code 3"),
    ],
)
def test_a_bad_gomocup_engine_is_killed(playing, tmp_path, start, answer, part):
    command = script(
        tmp_path / "engine.py",
        "for line in sys.stdin:",
        f"    if line.startswith('START'): {start}",
        f"    if line.startswith('BEGIN'): {answer}",
    )
    player = playing(f'gomocup:cmd="{command}",grace=0.2', "gomoku:size=15")
    with pytest.raises(EngineError, match=part):
        player.choose(make("gomoku:size=15").start(), Limit(time=0.1))
    assert player._program is None


# Chexers


FIRST = (
    "import boardzero",
    "class Player:",
    "    def __init__(self, colour):",
    "        print('hello')",
    "        self.colour, self.state = colour, boardzero.make('chexers').start()",
    "    def action(self):",
    "        from ast import literal_eval",
    "        return literal_eval(self.state.moves()[0].text)",
    "    def update(self, colour, action):",
    "        assert self.state.game.seats[self.state.to_move] == colour",
    "        self.state.play(str(action))",
)


def test_a_class_of_the_course_plays_in_its_own_process(playing, tmp_path):
    path = write(tmp_path / "theirs.py", *FIRST)
    player = playing(f'chexers:module="{path}:Player"', "chexers")
    state, random = make("chexers").start(), Random(1)
    state.play(state.moves()[0])
    for _ in range(60):
        if state.to_move == 1:
            choice = player.choose(state, Limit(time=5))
            assert choice.move == state.moves()[0]
            state.play(choice.move)
        else:
            state.play(random.choice(state.moves()))
    state.undo()  # to another line of the same game
    while state.to_move != 1:
        state.undo()
    assert player.choose(state, Limit(time=5)).move == state.moves()[0]


def test_our_own_class_is_one_of_the_course(playing):
    player = playing('chexers:module="boardzero.protocols.chexers:Player"', "chexers")
    state = make("chexers").start()
    assert player.choose(state, Limit(time=20)).move in state.moves()


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        (["def action(self): return ('MOVE', ((0, 0), (1, 0)))"], "acts"),
        (["def action(self): return None"], "acts"),
        (["def action(self): raise ValueError('lost')"], "lost"),
        (["def action(self):", "    while True: pass"], "in time"),
    ],
)
def test_a_bad_class_is_killed(playing, tmp_path, lines, part):
    body = ["class Player:", "    def __init__(self, colour): pass", *(f"    {x}" for x in lines)]
    path = write(tmp_path / "theirs.py", *body)
    player = playing(f'chexers:module="{path}",grace=0.2', "chexers")
    with pytest.raises(EngineError, match=part):
        player.choose(make("chexers").start(), Limit(time=0.2))
    assert player._program is None


@pytest.mark.parametrize("place", ["/nosuch/file.py", "nosuch.module:Player"])
def test_a_class_that_is_not_there_is_a_sentence(playing, place):
    player = playing(f'chexers:module="{place}"', "chexers")
    with pytest.raises(EngineError, match="nosuch"):
        player.choose(make("chexers").start())


def test_a_class_cannot_start_in_the_middle(playing, tmp_path):
    path = write(tmp_path / "theirs.py", *FIRST)
    player = playing(f'chexers:module="{path}"', "chexers")
    fen = play(make("chexers").start(), make_player("random", make("chexers")), Limit(), plies=9)
    with pytest.raises(BoardZeroError, match="from the start"):
        player.choose(make("chexers").parse_fen(fen.fen()))
