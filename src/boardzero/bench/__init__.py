"""Benchmarks: each sets what it measures against a peer or a ceiling in the same run.

Absolute times mean little on shared machines; ratios mean something everywhere. A benchmark is a
module with `measure()`, which yields measurements as they come; its name goes into `BENCHMARKS`.
One that takes long may take `quick`, for a trial whose figures mean little.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

from boardzero.base.errors import BoardZeroError, nearest

__all__ = ["BENCHMARKS", "Measurement", "measure"]

BENCHMARKS = (
    "clocks",
    "crowd",
    "methods",
    "nnue",
    "perft",
    "playouts",
    "referee",
    "scale",
    "search",
    "selfplay",
    "serve",
    "signature",
    "startup",
)


@dataclass(frozen=True, slots=True)
class Measurement:
    """One figure and, if there is one to be had, the same figure of a peer."""

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the peer's value; more is better only for rates."""
        return self.value / self.peer_value if self.peer_value else None


def measure(name: str, *, quick: bool = False) -> Iterator[Measurement]:
    """Run one benchmark."""
    if name not in BENCHMARKS:
        raise nearest("benchmark", name, BENCHMARKS)
    run = import_module(f"{__name__}.{name}").measure
    if quick and "quick" not in inspect.signature(run).parameters:
        raise BoardZeroError(f"the benchmark {name} has no quick trial")
    yield from run(quick=True) if quick else run()
