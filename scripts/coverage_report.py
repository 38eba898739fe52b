"""Prints what `make coverage` has counted, by folder, and the files of which least was reached.

    python scripts/coverage_report.py native build/coverage/native
    python scripts/coverage_report.py python

Lines of C++ are counted by gcov. A line of a template is reached if it is in any file that has it
compiled; lines that no file compiles are not counted. Python counts lines and branches.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
_LEAST = 12  # files that are named


class Count(NamedTuple):
    """Of lines, or of lines and branches."""

    reached: int
    total: int

    def __add__(self, other: object) -> Count:
        assert isinstance(other, Count)
        return Count(self.reached + other.reached, self.total + other.total)

    def __str__(self) -> str:
        return f"{100 * self.reached / max(1, self.total):5.1f} % of {self.total:6,}"


def native(build: Path) -> dict[str, Count]:
    """Lines of each file of the core, by its path."""
    reached: dict[str, dict[int, bool]] = defaultdict(dict)
    for counts in sorted(build.rglob("*.gcda")):
        for file in _gcov(counts):
            path = Path(str(file["file"])).resolve()
            if not path.is_relative_to(ROOT / "cpp") or path.is_relative_to(ROOT / "cpp/tests"):
                continue
            lines = reached[str(path.relative_to(ROOT))]
            for line in file["lines"]:
                number = int(line["line_number"])
                lines[number] = lines.get(number, False) or line["count"] > 0
    return {path: Count(sum(lines.values()), len(lines)) for path, lines in reached.items()}


def _gcov(counts: Path) -> Iterable[Mapping[str, list[Mapping[str, int]]]]:
    command = ["gcov", "--json-format", "--stdout", str(counts.resolve())]
    done = subprocess.run(command, cwd=counts.parent, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        found = json.loads(line)
        for file in found["files"]:
            yield {**file, "file": Path(found["current_working_directory"]) / file["file"]}


def python() -> dict[str, Count]:
    """Lines and branches of each module, by its path."""
    import coverage

    data = coverage.Coverage()
    data.load()
    report = ROOT / "build" / "coverage" / "python" / "report.json"
    data.json_report(outfile=str(report), pretty_print=False)
    found = {}
    for path, file in json.loads(report.read_text())["files"].items():
        summary = file["summary"]
        found[path] = Count(
            summary["covered_lines"] + summary["covered_branches"],
            summary["num_statements"] + summary["num_branches"],
        )
    return found


def show(what: str, files: Mapping[str, Count]) -> None:
    folders: dict[str, Count] = defaultdict(lambda: Count(0, 0))
    for path, count in files.items():
        folders[str(Path(path).parent)] += count
    for folder, count in sorted(folders.items()):
        print(f"{count}  {folder}")
    worst = sorted(files.items(), key=lambda item: item[1].reached - item[1].total)[:_LEAST]
    print("\nmost that was not reached:")
    for path, count in worst:
        print(f"{count}  {path}")
    print(f"\n{sum(files.values(), Count(0, 0))} {what} in all")


def main() -> None:
    match sys.argv[1:]:
        case ["native", build]:
            show("lines of the core", native(Path(build)))
        case ["python"]:
            show("lines and branches of Python", python())
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    main()
