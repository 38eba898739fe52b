"""The pages of the documentation work as written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import boardzero

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("page", "examples"),
    [("adding-a-game", 17), ("protocols/openspiel", 7), ("protocols/pettingzoo", 7)],
)
def test_the_examples_of_a_page_do_what_it_says(page: str, examples: int, tmp_path: Path) -> None:
    """Blocks that begin with the name of a file become that file; the others are doctests."""
    text = (DOCS / f"{page}.md").read_text()
    found = []
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if file := re.match(r"# (\w+\.py)\n", block):
            (tmp_path / file[1]).write_text(block)
        else:
            found.append(block)
    (tmp_path / "examples.txt").write_text("\n".join(found))

    run = subprocess.run(
        [sys.executable, "-m", "doctest", "-v", "-o", "ELLIPSIS", "examples.txt"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(boardzero.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stdout
    assert f"{examples} passed" in run.stdout
