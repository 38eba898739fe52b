"""`boardzero compare`: figures, tables, and going on after an interruption."""

import csv
import json
from pathlib import Path

import pytest

from boardzero import BoardZeroError
from boardzero.arena.ratings import meng_update
from boardzero.arena.score import Score
from boardzero.cli import main
from boardzero.experiments.comparison import Comparison, Thinking, opponents
from boardzero.runs.events import VersionArchived, of_type
from boardzero.runs.run_folder import RunFolder
from boardzero.training.train import train
from tests.training.tiny import tiny

ALWAYS = {"gate__threshold": 0.01, "run__iterations": 2}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs, of one net and of two."""
    folder = tmp_path_factory.mktemp("runs")
    train(tiny(**ALWAYS), run=folder / "one", cores=1)
    train(tiny(method="mpv", search__simulations=1, **ALWAYS), run=folder / "two", cores=1)
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def compare(home: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    """What the command says."""
    against = f"random,minimax:depth=1,{home / 'one'}"
    command = ["compare", str(home / "one"), str(home / "two"), "--against", against]
    options = ["--out", str(out), "--games", "2", "--versions", "2", "--workers", "1", "--json"]
    assert main([*command, *options]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_runs_are_compared_by_loss_and_by_strength(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = compare(home, tmp_path / "out", capsys)
    # Two versions of each run against two players, and of the second run against the first.
    assert [entry["event"] for entry in said].count("match") == 2 * 2 * 2 + 2
    names = {path.name for path in (tmp_path / "out").iterdir()}
    for stem in ("loss-one", "loss-two", "elo-random", "elo-minimax-depth-1", "elo-one"):
        assert {f"{stem}.png", f"{stem}.svg"} <= names
    losses = rows(tmp_path / "out" / "losses.csv")
    assert {(row["run"], row["net"]) for row in losses} == {
        ("one", "net"),
        ("two", "small"),
        ("two", "large"),
    }
    assert {row["iteration"] for row in losses} == {"1", "2"}
    page = (tmp_path / "out" / "README.md").read_text()
    assert "| two | mpv | 2 |" in page
    assert "](elo-one.png)" in page
    # Again: everything is there.
    assert [entry["event"] for entry in compare(home, tmp_path / "out", capsys)] == ["written"]


def test_elo_goes_on_from_version_to_version(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compare(home, tmp_path / "out", capsys)
    for against in ("random", "minimax:depth=1", "one"):
        elo = (0.0, 0.0)
        found = [
            row
            for row in rows(tmp_path / "out" / "elo.csv")
            if (row["run"], row["against"]) == ("two", against)
        ]
        assert [row["version"] for row in found] == ["0", "2"]
        for row in found:
            elo = meng_update(*elo, Score(*(int(row[key]) for key in ("wins", "draws", "losses"))))
            assert float(row["elo"]) == pytest.approx(elo[0], abs=0.06)


def test_an_opponent_that_is_a_run_plays_the_version_of_the_same_time(home: Path) -> None:
    (opponent,) = opponents(str(home / "one"))
    log = RunFolder.find(str(home / "one")).read_log()
    minutes = {event.version: event.minutes for event in of_type(log, VersionArchived)}
    for after, wanted in ((0.0, 0), (minutes[1], 1), (10_000.0, 2)):
        version = opponent.version(after, Thinking(simulations=7))
        assert version is not None
        assert version.spec.endswith(f"version={wanted},sims=7")


def test_all_games_together_rate_every_version_and_opponent(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compare(home, tmp_path / "out", capsys)
    table = rows(tmp_path / "out" / "ratings.csv")
    elo = {(row["player"], row["version"]): float(row["elo"]) for row in table}
    assert elo["random", ""] == 0.0
    assert {"0", "2"} <= {version for player, version in elo if player == "two"}
    for row in table:
        assert float(row["low"]) <= float(row["elo"]) <= float(row["high"])
    assert (tmp_path / "out" / "elo-over-minutes.svg").stat().st_size > 1000


def test_options_of_a_player_stay_with_it() -> None:
    found = opponents("random, alphabeta:depth=2,quiescence=false,random:seed=3")
    assert [o.name for o in found] == [
        "random",
        "alphabeta:depth=2,quiescence=false",
        "random:seed=3",
    ]


def test_runs_may_differ_in_how_games_end_but_not_in_how_they_are_played(tmp_path: Path) -> None:
    runs = {}
    for name, game in (
        ("official", "international"),
        ("thesis", "international:endings=meng"),
        ("english", "english"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "recipe.toml").write_text(tiny(game=game).toml())
        runs[name] = RunFolder.find(str(tmp_path / name))
    comparison = Comparison([runs["official"], runs["thesis"]], [], tmp_path)
    assert comparison.game == "international"
    with pytest.raises(BoardZeroError, match="different games: international, english"):
        Comparison([runs["official"], runs["english"]], [], tmp_path)


def test_what_cannot_be_compared_is_refused(home: Path, tmp_path: Path) -> None:
    with pytest.raises(BoardZeroError, match="holds no run"):
        RunFolder.find(str(tmp_path / "none"))
    one = RunFolder.find(str(home / "one"))
    with pytest.raises(BoardZeroError, match="two of the runs have the same name"):
        Comparison([one, one], [], tmp_path)
    assert main(["compare", str(tmp_path / "none")]) == 2
