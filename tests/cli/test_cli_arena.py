"""Matches, tournaments, ratings and stored games at the command line, with quick players."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boardzero.games import read_games
from boardzero.store import Store

A, B, C = "random", "random:seed=1", "random:seed=2"
SHORT = ("--game", "english", "--max-plies", "30")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("BOARDZERO_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def match(run):
    (record,) = run("match", A, B, *SHORT, "--games", "6", "--json").records
    return record


def test_match_as_json_has_the_documented_fields(match):
    assert list(match)[:11] == [
        "match",
        "game",
        "players",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "elo",
        "elo_low",
        "elo_high",
    ]
    assert match["wins"] + match["draws"] + match["losses"] == match["games"] == 6
    assert match["score"] == (match["wins"] + match["draws"] / 2) / 6
    assert match["elo_low"] is None or match["elo_low"] <= match["elo"]
    assert len(match["seconds_per_move"]) == 2
    assert match["forfeits"] == [{}, {}]


def test_match_for_people_says_who_is_stronger(run):
    result = run("match", A, B, *SHORT, "--games", "4")
    assert "random against random:seed=1, english" in result.out
    assert "95 % interval" in result.out
    assert result.err == ""


def test_the_same_command_again_plays_nothing_and_says_so(run, match):
    result = run("match", A, B, *SHORT, "--games", "6", "--json")
    assert result.records == [match]
    assert "played before, in match 1" in result.err
    (fresh,) = run("match", A, B, *SHORT, "--games", "6", "--fresh", "--json").records
    assert fresh["match"] == 2


def test_a_sequential_test_gives_its_verdict(run):
    options = ("--sprt", "-2000,-1900", "--json")  # less than that is nobody's strength
    (record,) = run("match", A, B, *SHORT, *options).records
    assert record["sprt"]["verdict"] == "H1"
    assert record["sprt"]["llr"] >= record["sprt"]["upper"]
    assert record["games"] < 1000


def test_tournament_as_json_has_everybody_and_every_pair(run):
    (record,) = run("tournament", A, B, C, *SHORT, "--games", "2", "--json").records
    assert [standing["player"] for standing in record["standings"]] == [A, B, C]
    assert all(standing["games"] == 4 for standing in record["standings"])
    assert [pair["players"] for pair in record["pairs"]] == [[A, B], [A, C], [B, C]]
    assert record["games"] == 6
    assert record["scale"] == "Elo"


def test_tournament_shows_and_writes_its_tables(run, tmp_path):
    out = tmp_path / "results"
    files = ("--csv", "cross.csv", "--markdown", "page.md", "--plot", "elo.svg")
    paths = [str(tmp_path / name) if "." in name else name for name in files]
    result = run("tournament", A, B, C, *SHORT, "--games", "2", *paths, "--out", str(out))
    assert result.code == 0
    assert "Won : drawn : lost" in result.out
    assert "Mean seconds per move" in result.out
    assert (tmp_path / "cross.csv").read_text().startswith(",random,random:seed=1")
    assert (tmp_path / "page.md").read_text().count("| :--- |") == 3
    assert (tmp_path / "elo.svg").read_text().startswith("<?xml")
    assert {path.name for path in out.iterdir()} == {
        *(f"{name}.{kind}" for name in ("results", "times") for kind in ("csv", "md")),
        *(f"{name}.{kind}" for name in ("ratings", "wins") for kind in ("csv", "md", "svg", "png")),
    }


def test_a_tournament_of_three_seats_is_rated_on_another_scale(run):
    options = ("--game", "chexers", "--max-plies", "20", "--games", "6", "--json")
    (record,) = run("tournament", A, B, C, *options).records
    assert record["scale"] == "Plackett-Luce"
    assert record["standings"][0]["rating"] is not None


def test_gauntlet_shows_the_first_against_each(run):
    result = run("gauntlet", A, B, C, *SHORT, "--games", "2")
    assert "random against each" in result.out
    assert result.out.count("random:seed=") == 4  # once for the score, once for the time


RECIPE = """
title = "Small"
game = "english"
games = 2
opening_plies = 0
[players]
"Rand 1" = "random:seed=1"
"Rand 2" = "random:seed=2"
[reference]
"Rand 1" = 3.0
[[figures]]
name = "figure-1"
axis = "depth"
n = [1, 2]
games = 2
[figures.curves]
"Rand" = "random:seed={n}"
[figures.reference]
"Rand" = { 2 = 5.0 }
"""


def test_a_recipe_is_a_whole_experiment_in_one_command(run, tmp_path):
    recipe, out = tmp_path / "small.toml", tmp_path / "results"
    recipe.write_text(RECIPE)
    command = ("tournament", "--recipe", str(recipe), "--out", str(out))
    (record,) = run(*command, "--json").records
    assert record["games"] == 2
    page = (out / "README.md").read_text()
    assert page.startswith("# Small\n")
    assert "| Rand 1 | - |" in page
    assert "times shorter" in page
    assert "![figure-1](figure-1.svg)" in page
    assert (out / "figure-1.csv").read_text().startswith("depth,Rand,Rand (reference)\n1,")
    with Store() as store:
        games = store.count()
    assert run(*command).code == 0
    with Store() as store:
        assert store.count() == games == 6


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("opening_plies", "opening_ply"), "did you mean 'opening_plies'?"),
        (('axis = "depth"', 'axis = "width"'), "figures.0.axis: Input should be 'depth'"),
        (("games = 2", "games = 0"), "games: Input should be greater than or equal to 1"),
        (("[players]", "[players"), "is not valid TOML"),
    ],
)
def test_a_wrong_recipe_is_refused_in_a_sentence(run, tmp_path, change, complaint):
    recipe = tmp_path / "wrong.toml"
    recipe.write_text(RECIPE.replace(*change))
    result = run("tournament", "--recipe", str(recipe), "--out", str(tmp_path / "out"))
    assert result.code == 2
    assert complaint in result.err
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("match")
def test_ratings_are_over_all_stored_games(run):
    (record,) = run("ratings", "--game", "english", "--json").records
    assert {rating["player"] for rating in record["ratings"]} == {A, B}
    assert record["method"] == "elo"
    assert sum(rating["rating"] for rating in record["ratings"]) == pytest.approx(0, abs=1e-6)
    (anchored,) = run("ratings", "--game", "english", "--anchor", B, "--json").records
    assert next(r["rating"] for r in anchored["ratings"] if r["player"] == B) == 0
    (meng,) = run("ratings", "--game", "english", "--method", "meng", "--json").records
    assert meng["ratings"][0]["rating_low"] is None
    with Store() as store:
        assert len(store.ratings(game="english", method="elo")) == 2


@pytest.mark.usefixtures("match")
def test_a_method_of_rating_goes_by_its_earlier_name_too(run):
    by_name = [
        run("ratings", "--game", "english", "--method", name, "--json").records
        for name in ("meng", "thesis")
    ]
    assert by_name[0] == by_name[1]
    wrong = run("ratings", "--game", "english", "--method", "openskil")
    assert (wrong.code, "did you mean 'openskill'?" in wrong.err) == (2, True)


@pytest.mark.usefixtures("match")
def test_stored_games_are_listed_newest_first(run):
    records = run("games", "list", "--json").records
    assert [record["id"] for record in records] == [6, 5, 4, 3, 2, 1]
    assert run("games", "list", "--limit", "2").out.count("\n") == 2
    assert run("games", "list", "--player", "nobody").out == ""


@pytest.mark.usefixtures("match")
def test_a_stored_game_is_shown_with_its_moves_and_a_board(run):
    (record,) = run("games", "show", "3", "--json").records
    result = run("games", "show", "3", "--ply", "0")
    assert " ".join(record["moves"]) in result.out.replace("\n", " ")
    assert "black  random" in result.out
    assert result.out.count("b") >= 12


@pytest.mark.usefixtures("match")
def test_stored_games_are_exported_as_pdn_that_can_be_read(run, tmp_path):
    path = tmp_path / "games.pdn"
    assert run("games", "export", str(path), "--match", "1").code == 0
    games = list(read_games(path))
    assert len(games) == 6
    with Store() as store:
        for stored, game in zip(store.games(), games, strict=True):
            assert tuple(map(str, game.moves)) == (*stored.opening, *stored.moves)
            assert (game.tags["Black"], game.tags["White"]) == stored.seats


@pytest.mark.usefixtures("match")
def test_stored_games_are_exported_as_json_lines(run):
    records = run("games", "export", "--json").records
    assert sorted(record["number"] for record in records) == list(range(6))


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (("match", A, "randm", *SHORT), "did you mean 'random'?"),
        (("match", A, B, "--game", "englsh"), "did you mean 'english'?"),
        (("match", A, B), "missing option '--game'"),
        (("match", A, B, *SHORT, "--limit", "tme=3"), "did you mean 'time'?"),
        (("match", A, B, *SHORT, "--sprt", "5"), "--sprt takes two numbers"),
        (("match", A, B, *SHORT, "--sprt", "5,0"), "elo0 below elo1"),
        (("match", A, B, *SHORT, "--openings", "none"), "cannot read the openings"),
        (("tournament", A, B, A, *SHORT), "twice"),
        (("tournament", A, B), "needs --game"),
        (("tournament", "--recipe", "x.toml"), "needs --out"),
        (("tournament", "--recipe", "x.toml", "--out", "o"), "there is no recipe file x.toml"),
        (("tournament", "--recipe", "lodz", "--out", "o"), "did you mean 'lodz-table'?"),
        (("ratings", "--game", "english"), "there are no games of english"),
        (("games", "list"), "there are no stored games"),
        (("games", "export", "--store", "/dev/null/x"), "there are no stored games"),
    ],
)
def test_bad_input_is_answered_with_a_sentence(run, command, complaint):
    result = run(*command)
    assert result.code == 2
    assert complaint in result.err
    assert result.err.count("\n") == 1


def test_a_file_that_is_no_database_is_refused_and_left_alone(run, tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear database, " * 20)
    result = run("match", A, B, *SHORT, "--store", str(path))
    assert (result.code, "is not a database" in result.err) == (2, True)
    assert path.read_text() == "Dear database, " * 20


def test_ctrl_c_keeps_the_games_and_says_how_to_go_on(tmp_path):
    command = [sys.executable, "-m", "boardzero", "match", A, A, "--game", "international"]
    process = subprocess.Popen(
        [*command, "--games", "100000", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BOARDZERO_HOME": str(tmp_path)},
        start_new_session=True,
        # A shell's background jobs ignore Ctrl-C, and so would their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    store = tmp_path / "games.sqlite"
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up and not (store.exists() and _games(store)):
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert "the same command goes on from there" in err
    assert "Traceback" not in err
    kept = int(err.split(" of 100000")[0].split()[-1])
    assert kept == _games(store) > 0


def _games(path: Path) -> int:
    with Store(path) as store:
        return store.count()


def test_a_newer_database_is_refused(run, tmp_path):
    import sqlite3

    path = tmp_path / "games.sqlite"
    with Store(path):
        pass
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 999")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.read_bytes()
    result = run("match", A, B, *SHORT, "--store", str(path))
    assert (result.code, "newer BoardZero" in result.err) == (2, True)
    assert path.read_bytes() == before
    assert result.out == ""
