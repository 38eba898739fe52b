"""Blind spots: themes, or labels in them, of which a player answers less than it must.

Every theme has a bar, for the small search that a measurement takes. If a theme lies below it, its
blind spots are the labels that lie far below the others, or the theme itself if none does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from boardzero.probes.measure import ProbeReport, Slice

BAR = 0.9  # where no other is said
BARS: Mapping[str, float] = {  # of what a small search need not always find
    "block": 0.75,
    "breakthrough": 0.75,
    "shot": 0.5,
}
_FAR = 0.5  # times the share of the whole theme
FEWEST = 10  # probes of a slice, fewer of which say nothing


@dataclass(frozen=True, slots=True)
class BlindSpot:
    """A slice that lies below its bar."""

    where: Slice
    share: float  # answered rightly
    bar: float

    def __str__(self) -> str:
        return f"{self.where}: {self.share:.0%} right, {self.bar:.0%} are wanted"


def bar_of(theme: str) -> float:
    """The least share of right answers that a champion must have."""
    return BARS.get(theme, BAR)


def blind_spots(report: ProbeReport) -> list[BlindSpot]:
    """Where a player is blind; empty if it is not."""
    return [spot for theme in report.themes for spot in _of_theme(report, theme)]


def _of_theme(report: ProbeReport, theme: str) -> Iterator[BlindSpot]:
    bar, shares = bar_of(theme), report.shares
    slices = [Slice(theme, label) for label in report.labels(theme)]
    judged = [slice_ for slice_ in slices if report.counts[slice_][1] >= FEWEST]
    below = [slice_ for slice_ in judged if shares[slice_] < bar]
    whole = Slice(theme)
    if shares[whole] < bar:  # what is blind in one direction is so in every region, too
        below = [found for found in below if shares[found] < _FAR * shares[whole]] or [whole]
    yield from (BlindSpot(found, shares[found], bar) for found in below)
