"""`boardzero doctor`: what is missing or wrong on this machine, and the way out.

Runs where nothing else does: it loads the compiled core in another process, and no package at all.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

import typer

from boardzero.base.data_home import data_home
from boardzero.base.processes import cores
from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, emit, row, screen

app = command_line()

_GIB = 2**30
_SOURCE = Path(__file__).parents[3]  # the repository, if this is not an installed package
_EXTRAS = {
    "arena": "ratings and plots",
    "web": "the page",
    "train": "training nets",
    "ray": "training on several machines",
    "openspiel": "games of OpenSpiel",
    "pettingzoo": "games as PettingZoo environments",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: how it is, and what to do about it."""

    name: str
    status: Literal["ok", "warn", "fail"]
    detail: str
    fix: str = ""


@app.command(epilog="Example: boardzero doctor")
def doctor(as_json: AsJson = False) -> None:
    """Check that this machine has all that is needed.

    Exit code 1 if something is broken; a warning is about something that not everybody needs.
    """
    checks = [check for look in _LOOKS for check in look()]
    healthy = all(check.status != "fail" for check in checks)
    if as_json:
        emit(ok=healthy, checks=[asdict(check) for check in checks])
    else:
        _show(checks)
    raise typer.Exit(0 if healthy else 1)


def _show(checks: list[Check]) -> None:
    console = screen()
    styles = {"ok": "green", "warn": "yellow", "fail": "bold red"}
    width = max(len(check.name) for check in checks)
    for check in checks:
        status = (check.status, 4, styles[check.status])
        row(console, status, (check.name, width, ""), (check.detail, 0, "dim"))
        if check.fix:
            row(console, ("", 4, ""), ("", width, ""), (check.fix, 0, ""))


def _python() -> Iterator[Check]:
    version = platform.python_version()
    if sys.version_info < (3, 11):  # noqa: UP036  # this module runs on older ones too
        yield Check("Python", "fail", version, "install Python 3.11 or later")
    else:
        yield Check("Python", "ok", f"{version} in {sys.prefix}")


def _core() -> Iterator[Check]:
    ask = "from boardzero._core import instruction_set; print(instruction_set())"
    found = subprocess.run(
        [sys.executable, "-c", ask], capture_output=True, text=True, timeout=60, check=False
    )
    if found.returncode < 0:
        why, fix = f"ends with signal {-found.returncode}", "it was built for another processor: "
        yield Check("compiled core", "fail", why, f"{fix}run 'make clean build' here")
    elif found.returncode > 0:
        why = (found.stderr.strip().splitlines() or ["does not load"])[-1]
        yield Check("compiled core", "fail", why, "run 'make build', or install the package again")
    elif _has_avx2() and found.stdout.strip() < "x86-64-v3":
        fix = "a build from source would be faster on this machine: 'make build'"
        yield Check("compiled core", "warn", f"for {found.stdout.strip()}", fix)
    else:
        yield Check("compiled core", "ok", f"for {found.stdout.strip()}")


def _has_avx2() -> bool:
    cpuinfo = Path("/proc/cpuinfo")
    return cpuinfo.exists() and " avx2 " in cpuinfo.read_text()


def _compiler() -> Iterator[Check]:
    names = [os.environ.get("CXX", ""), "c++", "g++", "clang++"]
    path = next((found for name in names if name and (found := shutil.which(name))), None)
    if path is None:
        fix = "only builds from source need one, version GCC 11 or Clang 14 on"
        yield Check("C++ compiler", "warn", "none found", fix)
        return
    run = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    yield Check("C++ compiler", "ok", (run.stdout.splitlines() or [path])[0])


def _packages() -> Iterator[Check]:
    needs = list(_requirements())
    wrong = [why for extra, line in needs if not extra and (why := _lacking(line))]
    fix = "run 'make build', or 'pip install boardzero' again"
    if wrong:
        yield Check("packages", "fail", "; ".join(wrong), fix)
    elif needs:
        yield Check("packages", "ok", f"all {sum(not extra for extra, _ in needs)} there")
    else:
        yield Check("packages", "warn", "boardzero is not installed, so its needs are unknown", fix)
    for extra, purpose in _EXTRAS.items():
        lines = [line for name, line in needs if name == extra]
        wrong = [why for line in lines if (why := _lacking(line))]
        if wrong:
            fix = f"for {purpose}: pip install 'boardzero[{extra}]'"
            yield Check(f"extra {extra}", "warn", "; ".join(wrong), fix)
        elif lines:
            versions = ", ".join(f"{_name(line)} {metadata.version(_name(line))}" for line in lines)
            yield Check(f"extra {extra}", "ok", versions)


def _requirements() -> Iterator[tuple[str, str]]:
    """(extra or nothing, requirement) of all packages, from the sources or the installation."""
    pyproject = _SOURCE / "pyproject.toml"
    if pyproject.exists():
        import tomllib  # not in older Pythons

        project = tomllib.loads(pyproject.read_text())["project"]
        yield from (("", line) for line in project["dependencies"])
        for extra, lines in project["optional-dependencies"].items():
            yield from ((extra, line) for line in lines if _name(line) != "boardzero")
        return
    try:
        lines = metadata.requires("boardzero") or []
    except metadata.PackageNotFoundError:
        return
    for line in lines:
        requirement, _, marker = line.partition(";")
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)", marker)
        if _name(requirement) != "boardzero":  # an extra of ours in another one
            yield extra[1] if extra else "", requirement.strip()


def _name(requirement: str) -> str:
    return re.split(r"[\[<>=!~; ]", requirement)[0]


def _lacking(requirement: str) -> str:
    """What is wrong with a package, or nothing; knows only >= and ==, which is what we use."""
    name = _name(requirement)
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return f"{name} is missing"
    bound = re.search(r"(>=|==)\s*([\d.]+)", requirement)
    if bound is None:
        return ""
    has, wants = _numbers(version), _numbers(bound[2])
    right = has[: len(wants)] == wants if bound[1] == "==" else has >= wants
    return "" if right else f"{name} is {version}, not {bound[0]}"


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version.split("+")[0])]


def _data() -> Iterator[Check]:
    home = data_home().absolute()
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
        yield Check("data folder", "ok", str(home))
    except OSError as error:
        fix = "set BOARDZERO_HOME to a folder that you may write to"
        yield Check("data folder", "fail", f"{home}: {error.strerror}", fix)
    free = shutil.disk_usage(there).free / _GIB
    status: Literal["ok", "warn", "fail"]
    status = "ok" if free >= 5 else "warn" if free >= 0.2 else "fail"
    fix = "" if status == "ok" else "a training run can take some GB: make room"
    yield Check("disk space", status, f"{free:.1f} GB free at {there}", fix)


def _databases() -> Iterator[Check]:
    for name in ("games.sqlite", "web.sqlite"):
        path = data_home().absolute() / name
        if path.exists():
            problem = _problem(path)
            fix = "restore it from a copy, or move it away to begin anew" if problem else ""
            yield Check(name, "fail" if problem else "ok", problem or str(path), fix)


def _problem(path: Path) -> str:
    """What SQLite finds wrong in a file; nothing when all is well."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
            found = str(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        return f"{path}: {error}"
    return "" if found == "ok" else f"{path}: {found}"


def _machine() -> Iterator[Check]:
    yield Check("processor", "ok", f"{platform.machine()}, {cores()} cores for this process")
    if not hasattr(os, "sysconf"):  # Windows does not tell so easily
        return
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB
    if memory < 2:
        yield Check("memory", "warn", f"{memory:.1f} GB", "playing works; training wants 4 GB")
    else:
        yield Check("memory", "ok", f"{memory:.1f} GB")


_LOOKS: tuple[Callable[[], Iterator[Check]], ...] = (
    _python,
    _core,
    _compiler,
    _packages,
    _data,
    _databases,
    _machine,
)
