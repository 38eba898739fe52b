"""What the documentation shows is what happens."""

import ast
import doctest
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib import import_module
from inspect import getdoc, isclass, isfunction, isroutine
from pathlib import Path

import pytest
import typer

from boardzero.base import plugins
from boardzero.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CODE_OF_CONDUCT.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
IDS = [str(page.relative_to(ROOT)) for page in PAGES]


FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# Output, or for another program; `pycon` is for examples that need files which no test makes.
SHOWN = {"text", "sh", "js", "console", "pycon", "yaml", "{toctree}"}


def blocks(page: Path, language: str = "python") -> list[str]:
    return [text for name, text in FENCE.findall(page.read_text()) if name == language]


def examples(page: Path) -> str:
    """The interactive Python examples of a page, one after another."""
    return "\n".join(block for block in blocks(page) if ">>>" in block)


def run(command: list[str], folder: Path) -> str:
    """What a program says in a folder of its own; fails if it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_python_examples_do_what_they_say(page, tmp_path):
    """In a folder of their own, with the files that the page tells the reader to write."""
    for block in blocks(page):
        if file := re.match(r"# (\w+\.py)\n", block):
            (tmp_path / file[1]).write_text(block)
            run([sys.executable, "-c", f"import {file[1].removesuffix('.py')}"], tmp_path)
    (tmp_path / "examples.txt").write_text(examples(page))
    doctest_it = [sys.executable, "-m", "doctest", "-v", "-o", "ELLIPSIS", "examples.txt"]
    assert run(doctest_it, tmp_path).count("Trying:\n") == examples(page).count(">>> ")


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


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_block_runs_or_is_marked_as_output(page, tmp_path):
    """Python that is no interactive example runs, TOML is read; the rest is output, or others'."""
    scripts = [block for block in blocks(page) if ">>>" not in block]
    whole = "\n".join(block for block in scripts if not re.match(r"# \w+\.py\n", block))
    run([sys.executable, "-c", whole], tmp_path)
    for block in blocks(page, "toml"):
        tomllib.loads(block)
    assert {name for name, _ in FENCE.findall(page.read_text())} <= SHOWN | {"python", "toml"}


def commands(page: Path) -> list[str]:
    """Command lines of ours in a page, without prompts and comments."""
    found = []
    for name, block in FENCE.findall(page.read_text()):
        if name in ("sh", "console"):
            text = block.replace("\\\n", " ")
            lines = re.findall(r"^(?:\w*\$ )?(?:\.venv/bin/)?boardzero (.*)$", text, re.MULTILINE)
            found += [line for line in lines if "…" not in line and "..." not in line]
    return found


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=str)
def test_commands_in_the_documentation_have_these_words_and_options(page):
    for line in commands(page):
        name, *rest = shlex.split(line.partition(" && ")[0], comments=True)
        assert name in COMMANDS, line
        command = typer.main.get_command(import_module(f"boardzero.cli.{name}").app)
        words = [word for word in rest if word not in ("&", "|", ">")]
        while hasattr(command, "commands") and words and words[0] in command.commands:
            command = command.commands[words.pop(0)]
        options = {flag for one in command.params for flag in (*one.opts, *one.secondary_opts)}
        given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert given <= options | {"--help"}, line


def public_names() -> list[tuple[str, object]]:
    found = []
    for init in (ROOT / "src" / "boardzero").rglob("__init__.py"):
        module = import_module(".".join(init.parent.relative_to(ROOT / "src").parts))
        names = getattr(module, "__all__", ())
        found += [(f"{module.__name__}.{name}", getattr(module, name)) for name in names]
    return found


def members(one: type) -> list[tuple[str, object]]:
    """Methods and properties that a public class has itself."""
    own = [(name, getattr(one, name)) for name in vars(one) if not name.startswith("_")]
    return [(n, it) for n, it in own if isroutine(it) or isinstance(it, property)]


def test_every_public_name_is_documented():
    named = [(n, one) for n, one in public_names() if isclass(one) or isfunction(one)]
    inner = [(f"{n}.{m}", it) for n, one in named if isclass(one) for m, it in members(one)]
    bare = [name for name, one in named + inner if not (getdoc(one) or "").strip()]
    generated = [n for n, one in named if (one.__doc__ or "").startswith(f"{one.__name__}(")]
    assert len(named) > 50
    assert len(inner) > 100
    assert bare + generated == []


def test_every_public_package_is_in_the_reference(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    told = import_module("references").PACKAGES
    programs = {"bench", "cli"}
    packages = {".".join(name.split(".")[1:-1]) for name, _ in public_names()}
    assert packages == {*told, *programs}


def test_the_reference_of_recipes_has_every_kind(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    page = import_module("references")._recipes()
    kinds = {place.rpartition(":")[2] for place in plugins._TABLE["recipes"].values()}
    assert {name for name in kinds | {"Recipe"} if f"# `{name}`\n" not in page} == set()


def test_the_reference_of_recipes_says_what_every_value_means(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    rows = re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", import_module("references")._recipes(), re.M)
    assert len(rows) > 100
    assert [name for name, meaning in rows if not re.search(r"[a-z]{3}", meaning)] == []


def test_tests_that_pages_speak_of_are_there():
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "web" / "tests").glob("*.ts")]
    told = "\n".join(file.read_text() for file in files)
    named = {name for page in PAGES for name in re.findall(r"`(test_\w+)`", page.read_text())}
    assert len(named) > 50
    assert {name for name in named if f"def {name}(" not in told} == set()


def test_every_module_says_first_what_it_is_for():
    files = (ROOT / "src").rglob("*.py")
    assert [str(file) for file in files if not ast.get_docstring(ast.parse(file.read_text()))] == []
