"""Time until BoardZero is there: as a package, with a game, and as a command.

The peer of each is Python itself doing nothing.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter

from boardzero.bench import Measurement

_TASKS = {
    "import boardzero": ("-c", "import boardzero"),
    "boardzero.make": ("-c", "import boardzero; boardzero.make('international')"),
    "boardzero --help": ("-m", "boardzero", "--help"),
}


def measure() -> Iterator[Measurement]:
    nothing = _seconds("-c", "pass")
    for name, arguments in _TASKS.items():
        yield Measurement(name, _seconds(*arguments), "s", "python -c pass", nothing)


def _seconds(*arguments: str, tries: int = 5) -> float:
    """The shortest of some runs of Python, from its start to its end."""
    times = []
    for _ in range(tries):
        start = perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(perf_counter() - start)
    return min(times)
