"""The page without a server answers as Python does: both are asked the same in their tests."""

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "scripts"))
import page_fixtures as fixtures

from boardzero.server.arena import TournamentView
from boardzero.server.learn import RunView

KNOWN = json.loads(fixtures.TARGET.read_text(encoding="utf-8"))


def plain(value: object) -> object:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("known", KNOWN["positions"], ids=lambda known: known["line"]["game"])
def test_positions_look_as_the_page_shows_them(known: dict) -> None:
    assert plain(fixtures.position_answer(known["line"])) == known


@pytest.mark.parametrize("known", KNOWN["files"], ids=lambda known: known["game"])
def test_files_are_read_as_the_page_reads_them(known: dict) -> None:
    assert plain(fixtures.file_answer(known["game"], known["text"])) == known


@pytest.mark.parametrize("known", KNOWN["trees"], ids=lambda known: known["data"]["game"])
def test_trees_are_written_as_the_page_writes_them(known: dict) -> None:
    assert plain(fixtures.tree_answer(known["data"])) == known


@pytest.mark.parametrize("known", KNOWN["reviews"], ids=lambda known: known["line"]["game"])
def test_reviews_say_what_the_page_says(known: dict) -> None:
    assert plain(fixtures.review_answer(known)) == known


def test_puzzles_are_chosen_as_the_page_chooses_them() -> None:
    days = range(len(KNOWN["puzzles"]) // len(fixtures.games_with_puzzles()))
    chosen = [fixtures.puzzle_answer(s, d) for s in fixtures.games_with_puzzles() for d in days]
    assert chosen == KNOWN["puzzles"]


def test_words_and_puzzles_of_the_page_are_those_of_the_program() -> None:
    assert plain(fixtures.review_words()) == KNOWN["words"]
    assert plain(fixtures.site_data()["puzzles.json"]) == KNOWN["all_puzzles"]


RECORDED = Path(__file__).parents[2] / "docs" / "results" / "recorded"
KINDS = {"runs": RunView, "tournaments": TournamentView}
FILES = sorted(RECORDED.glob("*/*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_recorded_runs_and_tournaments_are_told_as_the_server_tells_them(file: Path) -> None:
    told = json.loads(file.read_text(encoding="utf-8"))["view"]
    assert json.loads(KINDS[file.parent.name].model_validate(told).model_dump_json()) == told
