"""The notebooks run from their first cell to their last, and show what came of it."""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
IDS = [path.stem for path in NOTEBOOKS]

# What a reader waits for, and what a test does.
SHORTER = {"MINUTES = 3": "MINUTES = 0.3", "ITERATIONS = 5": "ITERATIONS = 2"}


def code(path: Path) -> list[dict]:
    return [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]


def installs(cell: dict) -> bool:
    return "install" in cell["metadata"].get("tags", ())


def test_there_are_notebooks_that_begin_with_an_installation():
    assert len(NOTEBOOKS) >= 3
    for path in NOTEBOOKS:
        first, *others = code(path)
        assert installs(first)
        assert "%pip install" in "".join(first["source"])
        assert not any(map(installs, others))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_notebook_is_kept_with_all_that_its_cells_show_or_nothing(path):
    cells = [cell for cell in code(path) if not installs(cell)]
    counts = [cell["execution_count"] for cell in cells]
    assert counts in ([*range(1, len(cells) + 1)], [None] * len(cells))
    assert not any(one["output_type"] == "error" for cell in cells for one in cell["outputs"])


def test_the_first_notebook_shows_boards():
    cells = code(ROOT / "notebooks" / "play-and-analyse.ipynb")
    outputs = [one for cell in cells for one in cell["outputs"]]
    assert sum("image/svg+xml" in one.get("data", ()) for one in outputs) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=IDS)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    text = path.read_text()
    shorter = {asked: less for asked, less in SHORTER.items() if asked in text}
    done = import_module("notebooks").executed(path, tmp_path, shorter)
    sys.modules.pop("notebooks")
    assert all(cell.execution_count for cell in done.cells[2:] if cell.cell_type == "code")
