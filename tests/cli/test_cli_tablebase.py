"""`boardzero tablebase` as a user runs it."""

import json
from pathlib import Path

import pytest

from boardzero.cli import main


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BOARDZERO_HOME", str(tmp_path))
    return tmp_path


def test_tables_are_shown_and_verified(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tablebase", "make", "english", "--pieces", "3", "--json"]) == 0
    two, three = map(json.loads, capsys.readouterr().out.splitlines())
    assert (two["pieces"], two["positions"]) == (2, 3488)
    assert (three["pieces"], three["positions"]) == (3, 196032)
    assert three["bytes"] < three["positions"] / 4
    assert main(["tablebase", "verify", "english", "--samples", "500", "--json"]) == 0
    wrong = [json.loads(line)["wrong"] for line in capsys.readouterr().out.splitlines()]
    assert wrong == [0, 0]
    assert main(["tablebase", "show", "english"]) == 0
    assert "196,032" in capsys.readouterr().out


def test_long_work_says_its_time_and_disk_and_asks_first(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    assert main(["tablebase", "make", "english", "--pieces", "6", "--threads", "2"]) == 2
    said = capsys.readouterr()
    assert "minutes" in said.out
    assert "MB on disk" in said.out
    assert "--yes" in said.err
    assert not (home / "tablebases").exists()


def test_a_game_without_tables_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tablebase", "show", "gomoku"]) == 2
    assert "there are no endgame tables of gomoku" in capsys.readouterr().err
    assert main(["tablebase", "make", "gomoku"]) == 2
    assert "only endings of draughts can be solved" in capsys.readouterr().err
