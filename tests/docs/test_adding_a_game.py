"""The walk through adding a game works as written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import boardzero

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


def test_the_examples_of_the_page_do_what_it_says(tmp_path: Path) -> None:
    examples = []
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL):
        if file := re.match(r"# (\w+\.py)\n", block):
            (tmp_path / file[1]).write_text(block)
        else:
            examples.append(block)
    (tmp_path / "examples.txt").write_text("\n".join(examples))

    command = [sys.executable, "-m", "doctest", "-v", "-o", "ELLIPSIS", "examples.txt"]
    run = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(boardzero.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stdout
    assert "17 passed" in run.stdout
