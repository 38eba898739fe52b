"""The page of the five documents: every line has a row, and what a row names is there."""

import re
from pathlib import Path

import pytest

from boardzero.reproduce.documents import DOCUMENTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/seeds.md").read_text()
LINES = {"M": 15, "D": 6, "O": 9, "G": 12, "C": 9}
ROWS = {
    cells[0]: cells[1:]
    for line in PAGE.splitlines()
    if re.match(r"\| [MDOGC]\d+ ", line)
    for cells in [[cell.strip() for cell in line.strip("| ").split(" | ")]]
}


def test_every_line_of_the_documents_has_a_row() -> None:
    assert list(ROWS) == [
        f"{letter}{n}" for letter, most in LINES.items() for n in range(1, most + 1)
    ]


@pytest.fixture(scope="module")
def tests() -> set[str]:
    files = (ROOT / "tests").rglob("test_*.py")
    return {name for file in files for name in re.findall(r"def (test_\w+)\(", file.read_text())}


@pytest.mark.parametrize("line", ROWS)
def test_a_row_names_tests_that_exist_or_a_recorded_run(line: str, tests: set[str]) -> None:
    shown = ROWS[line][2]
    named = re.findall(r"`(test_\w+)`", shown)
    links = re.findall(r"\]\(([^)#]+)", shown)
    commands = re.findall(r"`reproduce ([\w-]+)`", shown)
    assert named or links or commands
    assert set(named) <= tests
    assert all((ROOT / "docs" / link).exists() for link in links)
    assert set(commands) <= set(DOCUMENTS)


@pytest.mark.parametrize("line", ROWS)
def test_a_row_names_code_that_is_there(line: str) -> None:
    places = re.findall(r"`((?:src|cpp|web)/[^`*]*)`", ROWS[line][1])
    assert all((ROOT / place).exists() for place in places)
