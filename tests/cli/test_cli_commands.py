"""Each subcommand for people and for machines, and what it says to bad input."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from boardzero import bench
from boardzero.bench import BENCHMARKS, Measurement
from boardzero.cli import COMMANDS, RENAMED
from boardzero.cli.doctor import Check
from boardzero.games import families

BOARDZERO = [sys.executable, "-m", "boardzero"]


def test_without_arguments_it_gives_an_overview_of_all_commands(run):
    result = run()
    assert result.code == 0
    assert all(f"\n  {name} " in result.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_and_json(run, name):
    result = run(name, "--help")
    assert result.code == 0
    assert f"Example: boardzero {name}" in result.out
    assert "--json" in result.out


def test_version(run):
    assert run("--version").out.startswith("boardzero 0.")


def test_games_lists_every_game_with_its_options(run):
    out = run("games").out
    for family in families():
        assert family.name in out
        assert all(f"{option.name}=" in out for option in family.options)


def test_games_as_json_is_one_object_with_stable_fields(run):
    (record,) = run("games", "--json").records
    english = next(game for game in record["games"] if game["name"] == "english")
    assert set(english) == {"name", "title", "summary", "players", "seats", "options"}
    assert english["seats"] == ["black", "white"]
    assert set(english["options"][0]) == {"name", "default", "help", "choices", "low", "high"}


def test_perft_as_json_has_the_four_documented_fields(run):
    (record,) = run("perft", "international", "5", "--json").records
    assert list(record) == ["game", "depth", "nodes", "seconds"]
    assert (record["game"], record["depth"], record["nodes"]) == ("international", 5, 27117)


def test_perft_for_people_counts_every_depth_on_the_way(run):
    lines = run("perft", "english", "4").out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [
        ["1", "7"],
        ["2", "49"],
        ["3", "302"],
        ["4", "1,469"],
    ]


def test_perft_counts_from_a_position(run):
    (record,) = run("perft", "international", "1", "--fen", "W:W28:B22,12,13,23", "--json").records
    assert record["nodes"] == 1


def test_perft_of_depth_zero_is_one(run):
    assert run("perft", "english", "0", "--json").records[0]["nodes"] == 1


def test_bench_as_json_is_one_line_per_measurement(run, monkeypatch):
    figures = [Measurement("a", 6.0, "x/s", "peer", 3.0), Measurement("b", 1.0, "s")]
    monkeypatch.setattr("boardzero.cli.bench.measure", lambda _: iter(figures))
    assert run("bench", "perft", "--json").records == [
        {"name": "a", "value": 6.0, "unit": "x/s", "peer": "peer", "peer_value": 3.0, "ratio": 2.0},
        {"name": "b", "value": 1.0, "unit": "s", "peer": None, "peer_value": None, "ratio": None},
    ]


def test_bench_without_a_name_runs_all_of_them(run, monkeypatch):
    monkeypatch.setattr("boardzero.cli.bench.measure", lambda name: [Measurement(name, 1.0, "s")])
    lines = run("bench").out.splitlines()
    assert [line.split()[0] for line in lines] == list(BENCHMARKS)


def test_the_benchmark_of_move_generation_finds_us_faster_than_its_peer(monkeypatch):
    from boardzero.bench import perft

    monkeypatch.setattr(perft, "_PEER_SECONDS", 0.1)
    figures = list(bench.measure("perft"))
    assert [figure.peer for figure in figures] == ["pydraughts", "pydraughts"]
    assert all(figure.ratio > 100 for figure in figures)


def test_doctor_finds_this_machine_healthy(run):
    result = run("doctor")
    assert result.code == 0
    assert "compiled core" in result.out
    assert "fail" not in result.out


def test_doctor_as_json_is_one_object(run):
    (record,) = run("doctor", "--json").records
    assert record["ok"] is True
    assert all(set(check) == {"name", "status", "detail", "fix"} for check in record["checks"])
    assert {check["status"] for check in record["checks"]} <= {"ok", "warn"}


def test_doctor_exits_with_1_and_the_way_out_if_something_is_broken(run, monkeypatch):
    broken = Check("compiled core", "fail", "is missing", "run 'make build'")
    monkeypatch.setattr("boardzero.cli.doctor._LOOKS", (lambda: iter([broken]),))
    result = run("doctor")
    assert result.code == 1
    assert "run 'make build'" in result.out


def test_doctor_names_a_data_folder_that_cannot_be_written(run, monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("BOARDZERO_HOME", str(file))
    result = run("doctor", "--json")
    assert result.code == 1
    (folder,) = [check for check in result.records[0]["checks"] if check["name"] == "data folder"]
    assert folder["status"] == "fail"
    assert "BOARDZERO_HOME" in folder["fix"]


def test_doctor_works_where_the_core_does_not_load(tmp_path):
    # Python reads this file at every start, also in the processes that doctor starts.
    hide = 'import sys\nsys.modules["boardzero._core"] = None\n'
    (tmp_path / "sitecustomize.py").write_text(hide)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    env = os.environ | {"PYTHONPATH": path}
    doctor = subprocess.run([*BOARDZERO, "doctor", "--json"], capture_output=True, env=env)
    assert doctor.returncode == 1
    assert json.loads(doctor.stdout)["ok"] is False
    perft = subprocess.run([*BOARDZERO, "perft", "english", "1"], capture_output=True, env=env)
    assert perft.returncode == 1
    assert b"boardzero doctor" in perft.stderr
    assert b"Traceback" not in perft.stderr


BAD_INPUT = {
    ("prft",): "did you mean 'perft'?",
    ("perft",): "missing argument 'GAME'",
    ("perft", "englsh", "3"): "did you mean 'english'?",
    ("perft", "english:ending=meng", "3"): "did you mean 'endings'?",
    ("perft", "english:endings=men", "3"): "did you mean 'meng'?",
    ("perft", "english", "three"): "'DEPTH'",
    ("perft", "english", "61"): "'DEPTH'",
    ("perft", "english", "3", "--fn", "x"): "--fen",
    ("perft", "english", "3", "--fen", "W:W99:B1"): "square 99 is not on the board",
    ("bench", "prft"): "did you mean 'perft'?",
    ("games", "english"): "english",
    ("play", "englsh"): "did you mean 'english'?",
    ("play", "english", "--seat", "randm"): "did you mean 'random'?",
    ("play", "english", "--seat", "random:sed=1"): "did you mean 'seed'?",
    ("play", "english", *["--seat", "random"] * 3): "only 2 seats",
    ("play", "english", "--seat", "black=random", "--seat", "black=human"): "twice",
    ("play", "english", "--fen", "B:W9"): "both colours",
    ("play", "english", "--time", "-1"): "'--time'",
    ("doctor", "--jsn"): "--json",
}


@pytest.mark.parametrize(("arguments", "hint"), BAD_INPUT.items(), ids=lambda x: str(x)[:40])
def test_bad_input_gets_one_sentence_and_exit_code_2(run, arguments, hint):
    result = run(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert len(result.err.splitlines()) == 1
    assert hint in result.err


def test_control_c_ends_a_long_computation_at_once_and_quietly():
    process = subprocess.Popen(
        [*BOARDZERO, "perft", "international", "30", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell's background jobs ignore Ctrl-C, and so would their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_reader_who_leaves_causes_no_complaint():
    left = subprocess.run(
        f"{sys.executable} -m boardzero play english --seat random --seat random | head -1",
        shell=True,
        capture_output=True,
    )
    assert left.stderr == b""


@pytest.mark.parametrize("start", ["import boardzero", "boardzero.cli.main(['--help'])"])
def test_a_start_loads_no_heavy_package(start):
    program = f"""
import sys
import boardzero.cli
{start}
heavy = {{"torch", "fastapi", "numpy", "scipy", "matplotlib", "onnxruntime", "ray", "pydantic"}}
print(sorted(heavy & set(sys.modules)), file=sys.stderr)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ended.stderr == b"[]\n"


def test_a_game_needs_no_heavy_package():
    program = """
import sys
import boardzero
state = boardzero.make("international").start()
state.play("32-28")
print(state, state.svg())
print(sorted({"torch", "fastapi", "numpy", "scipy", "rich", "typer"} & set(sys.modules)))
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ended.stdout.splitlines()[-1] == b"[]"


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_a_renamed_command_works_on_and_tells_its_new_name(run, old, new):
    result = run(old, "--help")
    assert result.code == 0
    assert result.out == run(new, "--help").out
    assert result.err == f"boardzero: '{old}' is now called '{new}'\n"


def test_the_overview_has_no_renamed_commands(run):
    assert not any(f"\n  {old} " in run().out for old in RENAMED)


def test_perft_of_a_negative_depth_is_answered_in_a_sentence(run):
    result = run("perft", "english", "-1")
    assert result.code == 2
    assert "-1 is too small a number here" in result.err


def test_players_lists_players_with_their_options_and_the_levels_of_a_game(run):
    everybody, english = run("players").out, run("players", "english").out
    assert "alphachexers" in everybody
    assert "alphachexers" not in english
    assert "club" in english
    record = json.loads(run("players", "english", "--json").out)
    assert [level["name"] for level in record["levels"]][-1] == "champion"
    assert {"alphabeta", "mcts", "zero"} <= {player["name"] for player in record["players"]}


def test_a_list_of_stored_games_without_hits_says_so(run, tmp_path):
    from boardzero.store import Store

    with Store(tmp_path / "games.sqlite"):
        pass
    result = run("games", "list", "--store", str(tmp_path / "games.sqlite"))
    assert result.code == 2
    assert "no stored game" in result.err


def test_a_script_without_a_main_guard_is_told_so(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from boardzero.arena import Competition, CompetitionPlan\n"
        "from boardzero.store import Store\n"
        "plan = CompetitionPlan(\n"
        '    kind="match", game="english", players=("random", "greedy"), games=2\n'
        ")\n"
        f"with Store({str(tmp_path / 'games.sqlite')!r}) as store:\n"
        "    list(Competition(plan, store).play())\n"
    )
    result = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60
    )
    assert result.returncode == 1
    assert 'if __name__ == "__main__":' in result.stderr.splitlines()[-1]
    assert result.stderr.count("Traceback") == 1
