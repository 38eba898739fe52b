"""`boardzero review`, and hints in the terminal."""

import json
from pathlib import Path

import pytest

from boardzero.cli import main
from boardzero.games import load_trees

GAME = """[GameType "21"]
[White "Tom"] [Black "Jean"]
1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 27x11 5. 7x16 20x11 *
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "evening.pdn"
    path.write_text(GAME)
    return path


def test_a_review_is_text_json_and_a_file(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reviewed.pdn"
    options = ["--player", "alphabeta", "--seconds", "0.03"]
    assert main(["review", str(file), *options, "--output", str(out)]) == 0
    text = capsys.readouterr()
    assert "game 1: English draughts, Jean - Tom" in text.out + text.err
    assert main(["review", str(file), *options, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [move["ply"] for move in record["moves"]] == list(range(11))
    (tree,) = load_trees(out)
    assert tree.evaluation is not None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere.pdn"], "cannot read"),
        (["FILE", "--language", "fr"], "only in en and nl"),
        (["FILE", "--player", "stockfish"], "unknown player"),
    ],
)
def test_what_cannot_be_reviewed_is_one_sentence(
    arguments: list[str], sentence: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", *(str(file) if a == "FILE" else a for a in arguments)]) == 2
    assert sentence in capsys.readouterr().err


def test_of_a_faulty_file_the_good_part_is_reviewed(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(GAME.replace("20x11", "20x99"))
    assert main(["review", str(file), "--player", "alphabeta", "--seconds", "0.02"]) == 0
    said = capsys.readouterr()
    assert "line 3, column 68" in (said.out + said.err).replace("\n", " ")
