"""Looks for inputs that a border neither reads nor refuses, guided by the code that they reach.

    python -m tests.fuzz.explore pdn --inputs 1000000
    python -m tests.fuzz.explore all --seconds 3600 --keep

It begins with the kept corpus, and `--keep` writes the smallest one back that reaches all that was
reached. Borders in Python need atheris; those of the core need `make fuzzers`, which needs clang.
Both are libFuzzer, each in a process of its own, because what they look for may kill it.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.fuzz import corpus

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "build" / "fuzz"
FOUND = ROOT / "build" / "found"
NATIVE = tuple(sorted(file.stem for file in (ROOT / "cpp" / "fuzz").glob("*.cpp")))
PYTHON = (
    *("pdn", "sgf", "files", "spec", "replay"),
    *("hub", "hub-answers", "gomocup", "gomocup-answers", "dxp"),
)
_LONGEST = 1200  # bytes of an input
_SLOWEST = 300  # seconds for one of them, by the clock: a busy machine may leave it aside
_KEPT = 300  # inputs of a corpus; of new ones the smallest


def command(border: str) -> list[str]:
    if border in NATIVE:
        return [str(PROGRAMS / f"fuzz_{border}")]
    return [sys.executable, "-m", "tests.fuzz.explore", "--here", border]


def explore(border: str, *, seconds: int = 0, inputs: int = -1, keep: bool = False) -> int:
    """How many inputs were tried; ends the program with the one that is a fault."""
    FOUND.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        seeds, new, merged = (Path(scratch) / name for name in ("seeds", "new", "merged"))
        corpus.unpack(border, seeds)
        new.mkdir()
        merged.mkdir()
        said = _run(
            border,
            [
                *(f"-max_total_time={seconds}", f"-runs={inputs}", "-print_final_stats=1"),
                *(f"-max_len={_LONGEST}", f"-timeout={_SLOWEST}", "-rss_limit_mb=4096"),
                *(f"-artifact_prefix={FOUND}/{border}-", str(new), str(seeds)),
            ],
        )
        if keep:
            _run(border, ["-merge=1", str(merged), str(seeds), str(new)])
            smallest = sorted((file.read_bytes() for file in merged.iterdir()), key=len)
            known = corpus.inputs(border)  # which stay: sensible ones are seldom the smallest
            corpus.keep(border, [*known, *smallest][:_KEPT])
    tried = re.search(r"stat::number_of_executed_units: (\d+)", said)
    assert tried is not None, said[-2000:]
    return int(tried[1])


def _run(border: str, options: list[str]) -> str:
    done = subprocess.run(
        [*command(border), *options],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{done.stderr[-4000:]}\n{border}: a fault; its input is in {FOUND}")
    return done.stderr


def _explore_here(border: str, options: list[str]) -> None:
    """Hands this process over to libFuzzer, which ends it."""
    import atheris

    with atheris.instrument_imports(include=["boardzero"]):
        from tests.fuzz.borders import BORDERS
    atheris.Setup([f"fuzz {border}", *options], BORDERS[border])
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("border", choices=["all", *PYTHON, *NATIVE])
    parser.add_argument("--seconds", type=int, default=0, help="for all of them together")
    parser.add_argument("--inputs", type=int, default=-1, help="for each of them")
    parser.add_argument("--keep", action="store_true", help="add to the corpus what reaches more")
    wanted = parser.parse_args()
    if wanted.seconds <= 0 and wanted.inputs <= 0:
        parser.error("say --seconds or --inputs")
    borders = [wanted.border]
    if wanted.border == "all":
        borders = [*PYTHON, *(name for name in NATIVE if os.access(command(name)[0], os.X_OK))]
    for border in borders:
        seconds = -(-wanted.seconds // len(borders)) if wanted.seconds > 0 else 0
        tried = explore(border, seconds=seconds, inputs=wanted.inputs, keep=wanted.keep)
        print(f"{border}: {tried:,} inputs, nothing found", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        _explore_here(sys.argv[2], sys.argv[3:])
    else:
        main()
