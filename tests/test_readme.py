"""What the documentation shows is what happens."""

import doctest
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from boardzero.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
IDS = [str(page.relative_to(ROOT)) for page in PAGES]


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)


def examples(page: Path) -> str:
    """The interactive Python examples of a page, one after another."""
    return "\n".join(block for block in blocks(page) if ">>>" in block)


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_python_examples_do_what_they_say(page, tmp_path):
    """In a folder of their own, with the files that the page tells the reader to write."""
    for block in blocks(page):
        if file := re.match(r"# (\w+\.py)\n", block):
            (tmp_path / file[1]).write_text(block)
    (tmp_path / "examples.txt").write_text(examples(page))
    run = subprocess.run(
        [sys.executable, "-m", "doctest", "-v", "-o", "ELLIPSIS", "examples.txt"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count("Trying:\n") == examples(page).count(">>> ")


MODULES = [path for path in (ROOT / "src").rglob("*.py") if ">>> " in path.read_text()]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_examples_in_docstrings_do_what_they_say(path):
    name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
    assert doctest.testmod(import_module(name)).failed == 0


def test_the_readme_has_examples():
    assert examples(PAGES[0]).count(">>>") >= 5


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_lead_to_files_that_exist(page):
    links = re.findall(r"\]\(([^)#:]+)\)|src=\"([^\":]+)\"", page.read_text())
    missing = [
        link for pair in links for link in pair if link and not (page.parent / link).exists()
    ]
    assert missing == []


def test_the_pictures_are_what_the_library_draws_today(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    from pictures import IMAGES, pictures

    sys.modules.pop("pictures")
    for name, picture in pictures().items():
        assert (IMAGES / name).read_text() == picture, "run scripts/pictures.py"


def test_every_command_is_documented():
    page = (ROOT / "docs" / "cli.md").read_text()
    assert all(re.search(rf"^\| `{name}\b", page, re.MULTILINE) for name in COMMANDS)
