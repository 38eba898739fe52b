"""The notebooks run from their first cell to their last."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def script(path: Path) -> str:
    """All cells but the one that installs; a test takes a minute where a reader takes ten."""
    cells = json.loads(path.read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    ours = [
        "".join(cell["source"])
        for cell in code
        if "install" not in cell["metadata"].get("tags", ())
    ]
    return "\n\n".join(ours).replace("MINUTES = 10", "MINUTES = 0.5")


def test_there_are_notebooks_that_begin_with_an_installation():
    assert len(NOTEBOOKS) >= 3
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text())["cells"]
        first = next(cell for cell in cells if cell["cell_type"] == "code")
        assert "%pip install" in "".join(first["source"])


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path, tmp_path):
    # What notebooks show pictures with is not among our packages.
    (tmp_path / "IPython").mkdir()
    (tmp_path / "IPython" / "__init__.py").write_text("")
    (tmp_path / "IPython" / "display.py").write_text("SVG = str\n")
    (tmp_path / "cells.py").write_text(script(path))
    done = subprocess.run(
        [sys.executable, "cells.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
