"""Engines of others before their first move: folders, packages, clocks, those that cannot play."""

import os
import sys
from time import perf_counter

import pytest

from boardzero.arena.openings import Opening
from boardzero.arena.play_game import Scoresheet, play_game
from boardzero.arena.terms import Terms
from boardzero.cli import main
from boardzero.games import make
from boardzero.players import Clock, Limit, NotReadyError, make_player
from boardzero.protocols import engine_player
from boardzero.store import Store

DRAUGHTS = make("international")

# A Hub engine of which `ready` and `go` are the interesting parts.
HUB = """
import os, sys, time
def say(text): print(text, flush=True)
{first}
for line in sys.stdin:
    with open({log!r}, "a") as log: log.write(line)
    if line == "hub\\n": say("wait")
    if line == "init\\n": {ready}; say("ready")
    if line == "go think\\n": say("done move=32-28")
"""


def engine(folder, *, first="", ready="pass"):
    """An engine in a folder of its own, and the file of what it is told."""
    folder.mkdir()
    log = folder / "log"
    text = HUB.replace("\\\\n", "\\n").format(first=first, ready=ready, log=str(log))
    (folder / "engine.py").write_text(text)
    return folder / "engine.py", log


@pytest.mark.parametrize(
    ("command", "part"),
    [
        ("nosuchprogram", "does not start: No such file"),
        (f"{sys.executable} -c 'import nosuchmodule'", "No module named 'nosuchmodule'"),
        ("true", "has ended, with exit code 0"),
    ],
)
def test_an_engine_that_cannot_start_ends_the_match_and_has_lost_nothing(
    tmp_path, capsys, command, part
):
    store = tmp_path / "games.sqlite"
    words = ["match", f'hub:cmd="{command}"', "random", "--game", "international", "--games", "2"]
    assert main([*words, "--store", str(store)]) == 2
    said = capsys.readouterr()
    assert part in said.err
    assert said.err.count("\n") == 1
    assert "Elo" not in said.out
    with Store(store) as kept:
        assert kept.count() == 0


@pytest.mark.parametrize(
    ("spec", "game", "part"),
    [
        ('hub:cmd="cat"', "international", "does it speak Hub"),
        ('gomocup:cmd="cat"', "gomoku:size=15", "does it speak the protocol of Gomocup"),
    ],
)
def test_an_engine_of_another_protocol_is_not_beaten(monkeypatch, spec, game, part):
    monkeypatch.setattr(engine_player, "_START_SECONDS", 0.3)
    rules = make(game)
    players = [make_player("random", rules), make_player(spec, rules)]
    with pytest.raises(NotReadyError, match=part):
        play_game(rules, players, sheet=Scoresheet(game, ("random", spec)))


def test_an_engine_runs_where_it_lies_and_finds_its_own_files(tmp_path, monkeypatch):
    path, _ = engine(tmp_path / "scan", first="open('scan.ini')")
    (path.parent / "scan.ini").write_text("")
    monkeypatch.chdir(tmp_path)
    for command in (f"{sys.executable} scan/engine.py hub", f"{sys.executable} {path} hub"):
        player = make_player(f'hub:cmd="{command}"', DRAUGHTS)
        assert player.choose(DRAUGHTS.start()).move.text == "32-28"
        player.close()


def test_a_module_runs_where_we_are(tmp_path, monkeypatch):
    engine(tmp_path / "scan", first="open('scan.ini')")
    (tmp_path / "scan.ini").write_text("")
    monkeypatch.chdir(tmp_path)
    player = make_player(f'hub:cmd="{sys.executable} -m scan.engine"', DRAUGHTS)
    assert player.choose(DRAUGHTS.start()).move.text == "32-28"
    player.close()


def test_a_program_with_a_path_runs_in_its_folder_too(tmp_path, monkeypatch):
    path, _ = engine(tmp_path / "scan", first="open('scan.ini')")
    (path.parent / "scan.ini").write_text("")
    program = path.with_name("scan")
    program.write_text(f"#!{sys.executable}\n{path.read_text()}")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    player = make_player('hub:cmd="scan/scan hub"', DRAUGHTS)
    assert player.choose(DRAUGHTS.start()).move.text == "32-28"
    player.close()


def test_the_folder_may_be_named(tmp_path):
    engine(tmp_path / "programs", first="open('scan.ini')")
    (tmp_path / "scan.ini").write_text("")
    command = f"{sys.executable} programs/engine.py"
    player = make_player(f'hub:cmd="{command}",cwd="{tmp_path}"', DRAUGHTS)
    assert player.choose(DRAUGHTS.start()).move.text == "32-28"
    player.close()
    nowhere = make_player(f'hub:cmd="{command}",cwd="{tmp_path / "no"}"', DRAUGHTS)
    with pytest.raises(NotReadyError, match="there is no folder"):
        nowhere.choose(DRAUGHTS.start())


@pytest.mark.parametrize(
    ("options", "limit", "level"),
    [
        ("depth=8", Limit(), "level depth=8"),
        ("nodes=500,time=2", Limit(), "level move-time=2.000 nodes=500"),
        ("depth=8", Limit(time=0.5), "level move-time=0.500 depth=8"),
        ("depth=8", Limit(depth=3), "level depth=3"),
        ("time=2", Limit(clock=Clock(60)), "level time=60.000"),
    ],
)
def test_an_engines_own_bounds_hold_where_nobody_says_more(tmp_path, options, limit, level):
    path, log = engine(tmp_path / "scan")
    player = make_player(f'hub:cmd="{sys.executable} {path}",{options}', DRAUGHTS)
    player.choose(DRAUGHTS.start(), limit)
    player.close()
    assert level in log.read_text().splitlines()


def test_starting_costs_an_engine_none_of_its_time(tmp_path):
    path, _ = engine(tmp_path / "slow", ready="time.sleep(1.5)")
    spec = f'hub:cmd="{sys.executable} {path}"'
    players = [make_player(spec, DRAUGHTS), make_player("random:seed=1", DRAUGHTS)]
    sheet = Scoresheet("international", (spec, "random"), Opening())
    terms = Terms(Limit(clock=Clock(1.0)), max_plies=2)
    record = play_game(DRAUGHTS, players, sheet=sheet, terms=terms)
    players[0].close()
    assert record.moves[0] == "32-28"
    assert record.reason == "cut at 2 plies"
    assert record.seconds[0] < 1.0


def test_a_choice_tells_the_time_of_thinking_alone(tmp_path):
    path, _ = engine(tmp_path / "slow", ready="time.sleep(1.5)")
    player = make_player(f'hub:cmd="{sys.executable} {path}"', DRAUGHTS)
    begun = perf_counter()
    choice = player.choose(DRAUGHTS.start())
    player.close()
    assert choice.time < perf_counter() - begun - 1.4


# Classes of the Chexers course

PLAYER = """
from {name}.rules import first_move
class Player:
    def __init__(self, colour): self.colour = colour
    def action(self): return first_move(self.colour)
    def update(self, colour, action): pass
"""
RULES = """
import boardzero
from ast import literal_eval
def first_move(colour):
    state = boardzero.make("chexers").start()
    while state.game.seats[state.to_move] != colour: state.play(state.moves()[0])
    return literal_eval(state.moves()[0].text)
"""


@pytest.mark.parametrize("module", ["team/player.py:Player", "team.player:Player"])
def test_a_class_is_found_from_the_folder_that_is_named(tmp_path, module):
    team = tmp_path / "team"
    team.mkdir()
    (team / "player.py").write_text(PLAYER.format(name="team"))
    (team / "rules.py").write_text(RULES)
    chexers = make("chexers")
    player = make_player(f'chexers:module="{module}",cwd="{tmp_path}"', chexers)
    assert player.choose(chexers.start(), Limit(time=20)).move == chexers.start().moves()[0]
    player.close()


@pytest.mark.parametrize("is_package", [True, False])
def test_a_class_may_import_its_own_package_by_name(tmp_path, monkeypatch, is_package):
    team = tmp_path / "students" / "team"
    team.mkdir(parents=True)
    if is_package:
        (team / "__init__.py").write_text("")
    (team / "player.py").write_text(PLAYER.format(name="team"))
    (team / "rules.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    chexers = make("chexers")
    player = make_player('chexers:module="students/team/player.py:Player"', chexers)
    assert player.choose(chexers.start(), Limit(time=20)).move == chexers.start().moves()[0]
    player.close()


def test_a_class_runs_where_its_package_lies(tmp_path):
    team = tmp_path / "team"
    team.mkdir()
    (team / "__init__.py").write_text("")
    noted = tmp_path / "folder"
    (team / "player.py").write_text(
        f"import os; open({str(noted)!r}, 'w').write(os.getcwd())\n" + PLAYER.format(name="team")
    )
    (team / "rules.py").write_text(RULES)
    chexers = make("chexers")
    player = make_player(f'chexers:module="{team / "player.py"}"', chexers)
    player.choose(chexers.start(), Limit(time=20))
    player.close()
    assert os.path.samefile(noted.read_text(), tmp_path)
