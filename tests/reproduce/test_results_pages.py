"""Pages of results say what their CSV files say.

A number that is quoted from a file is a link to its cell, `[84.2 %](FILE.csv#ROW/COLUMN)`, where
the row is named by its first cell, or by its first two with a semicolon between them.
"""

import csv
import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest

from boardzero.reproduce.document import write_report
from boardzero.reproduce.documents import DOCUMENTS

RESULTS = Path(__file__).parents[2] / "docs/results"
QUOTE = re.compile(r"\[([^\]]+)\]\(([\w/.-]+\.csv)#([^)]+)/([^/)]+)\)")
QUOTES = [
    pytest.param(page, *found.groups(), id=f"{page.name} {found[3]} {found[4]}")
    for page in sorted(RESULTS.glob("*.md"))
    for found in QUOTE.finditer(page.read_text())
]
REPORTS = [name for name in DOCUMENTS if (RESULTS / name / "README.md").exists()]


def cell(file: Path, row: str, column: str) -> str:
    with file.open(newline="") as opened:
        for found in csv.DictReader(opened):
            values = list(found.values())
            if row in (values[0], ";".join(values[:2])):
                return found[column]
    raise AssertionError(f"{file} has no row {row}")


def test_results_are_quoted() -> None:
    assert len(QUOTES) >= 20


@pytest.mark.parametrize(("page", "shown", "file", "row", "column"), QUOTES)
def test_a_quoted_number_is_the_one_in_its_file(
    page: Path, shown: str, file: str, row: str, column: str
) -> None:
    there = cell(page.parent / file, unquote(row), unquote(column))
    text = shown.replace(",", "").replace("\N{MINUS SIGN}", "-").strip("* ")
    number = re.fullmatch(r"\+?(-?\d+(?:\.(\d+))?)( %)?", text)
    if number is None:
        assert shown == there
        return
    value = float(there.replace(",", "")) * (100 if number[3] and float(there) <= 20 else 1)
    assert f"{value:.{len(number[2] or '')}f}" == number[1]


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_what_its_csv_files_make_of_it(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(RESULTS / name, folder, ignore=shutil.ignore_patterns("*.svg", "*.png"))
    before = (folder / "README.md").read_text()
    assert write_report(DOCUMENTS[name], folder, quick=False).read_text() == before
    for figure in (RESULTS / name).glob("*.svg"):
        assert (folder / figure.name).read_bytes() == figure.read_bytes()
