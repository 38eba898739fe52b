"""The tasks of docs/newcomer.md that are commands, as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from boardzero.cli import COMMANDS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "newcomer.md").read_text()
TASKS = re.findall(r"^### (\d+)\. ([^\n]+)\n(.*?)(?=^##|\Z)", PAGE, re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND_TASKS = [(title, text) for _, title, text in TASKS if SHELL.search(text)]

# What a reader waits for, and what a test does: one round, however busy the machine is.
SHORTER = {
    "--minutes 2": "--cores 1 --set run.iterations=1 --set selfplay.first_games=40 "
    "--set gate.games=2 --set gate.nodes=10",
    "--seconds 0.05": "--seconds 0.01",
}


def test_there_are_twenty_tasks_with_ten_commands_or_more() -> None:
    assert [int(number) for number, _, _ in TASKS] == list(range(1, 21))
    words = {word for _, text in COMMAND_TASKS for word in re.findall(r"boardzero (\w+)", text)}
    assert len(words & COMMANDS.keys()) >= 10


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a Unix shell")
def test_every_task_shows_what_the_page_says(tmp_path: Path) -> None:
    """In one folder, one after the other: later tasks use what earlier ones leave."""
    install(tmp_path)
    for title, text in COMMAND_TASKS:
        script = "\n".join(SHELL.findall(text))
        for asked, enough in SHORTER.items():
            script = script.replace(asked, enough)
        done = run(script, tmp_path)
        assert done.returncode == 0, f"{title}: {done.stdout}{done.stderr}"
        seen = re.search(r"^You see (.*?)\.(?:\s|$)", text, re.DOTALL | re.MULTILINE)
        assert seen is not None, title
        missing = [word for word in re.findall(r"`([^`]+)`", seen[1]) if word not in done.stdout]
        assert missing == [], f"{title}: {done.stdout}{done.stderr}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a Unix shell")
def test_the_commands_of_the_tutorial_work(tmp_path: Path) -> None:
    install(tmp_path)
    tutorial = (ROOT / "docs" / "tutorial.md").read_text()
    lines = [line for block in SHELL.findall(tutorial) for line in block.splitlines()]
    waits = ("pip ", "boardzero serve", "boardzero play")  # for the network, or for a person
    script = "\n".join(line for line in lines if not line.startswith(waits))
    assert len(script.splitlines()) >= 4
    for asked, enough in {"--minutes 5": "--minutes 0.3", "--games 20": "--games 2"}.items():
        script = script.replace(asked, enough)
    done = run(script, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def install(folder: Path) -> None:
    """The program, as a command in the folder."""
    command = folder / "bin" / "boardzero"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m boardzero "$@"\n')
    command.chmod(0o755)


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-ec", script],
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
            "BOARDZERO_HOME": str(folder / "data"),
            "BOARDZERO_RUNS": str(folder / "runs"),
            "COLUMNS": "120",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
