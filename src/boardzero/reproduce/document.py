"""A document's experiment as a whole: which parts there are, how long they take, and its report."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_file, writing
from boardzero.base.processes import cores as usable_cores
from boardzero.games import make
from boardzero.models import runs_home
from boardzero.reproduce.page import Page
from boardzero.reproduce.parts import Part, Training, Workshop
from boardzero.store import Store

_REFERENCE_SECONDS = 0.036  # of the count below on the core that the parts' minutes speak of
_PERFT_DEPTH = 9


@dataclass(frozen=True, slots=True)
class Effort:
    """How much of an experiment is done: as published, for so many hours, or made small.

    With no hours nothing is trained, and what has been trained is measured.
    """

    quick: bool = False
    hours: float | None = None

    def __post_init__(self) -> None:
        if self.quick and self.hours is not None:
            raise BoardZeroError("--quick and --hours exclude each other")
        if self.hours is not None and self.hours < 0:
            raise BoardZeroError(f"--hours cannot be less than 0, which {self.hours:g} is")


@dataclass(frozen=True, slots=True)
class Document:
    """One of the five, its experiment in parts, and the page that shows the results."""

    name: str
    title: str
    about: str
    megabytes: int  # that runs and results may take
    parts: Callable[[bool], Sequence[Part]]  # quick or not
    write: Callable[[Page, bool], None]  # from the CSV files of the parts


@dataclass(frozen=True, slots=True)
class Step:
    """A part, and how long it will take."""

    part: Part
    minutes: float  # on this machine; at most, if the time is bounded
    limit: float | None  # of training, if time is


@dataclass(frozen=True, slots=True)
class PartProgress:
    """How far the whole is."""

    step: int
    steps: int
    part: Part
    news: str
    minutes_left: float  # of the whole, about


def plan(document: Document, effort: Effort, *, cores: int) -> list[Step]:
    """The parts with their times on so many cores of this machine."""
    parts = document.parts(effort.quick)
    slowness = _slowness()
    minutes = [_minutes(part, cores, slowness) for part in parts]
    needed = list(zip(parts, minutes, strict=True))
    fixed = sum(least for part, least in needed if not part.is_elastic)
    elastic = sum(most for part, most in needed if part.is_elastic)
    share = 1.0
    if effort.hours is not None and elastic > 0:
        share = min(1.0, max(0.0, (60 * effort.hours - fixed) / elastic))
    steps = []
    for part, whole in needed:
        planned = whole * share if part.is_elastic else whole
        limited = part.is_elastic and effort.hours is not None
        steps.append(Step(part, planned, planned if limited else None))
    return steps


def _minutes(part: Part, cores: int, slowness: float) -> float:
    """How long a part takes here; what is trained for a fixed time does so on every machine."""
    if isinstance(part, Training) and part.limit is not None:
        return part.limit / (1 if part.one_core else cores)
    return part.minutes * slowness / cores


def reproduce(
    document: Document,
    effort: Effort,
    *,
    folder: Path,
    cores: int | None = None,
    tell: Callable[[PartProgress], None] = lambda _: None,
) -> Path:
    """Do what is missing, and write the report after each part; its file."""
    count = cores or usable_cores()
    if not 1 <= count <= usable_cores():
        raise BoardZeroError(f"this machine has {usable_cores()} cores; {count} cannot be used")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    _need_room(folder, document.megabytes // (10 if effort.quick else 1))
    steps = plan(document, effort, cores=count)
    with Store(folder / "games.db") as store:
        for number, step in enumerate(steps):
            later = sum(other.minutes for other in steps[number + 1 :])
            begun = time.monotonic()

            def hear(
                news: str, number: int = number, step: Step = step, begun: float = begun
            ) -> None:
                spent = (time.monotonic() - begun) / 60
                left = max(0.0, step.minutes - spent) + later  # noqa: B023  # told at once
                tell(PartProgress(number + 1, len(steps), step.part, news, left))

            hear("")
            step.part.do(Workshop(folder, runs_home(), store, count, hear), step.limit)
            report = write_report(document, folder, quick=effort.quick)
    return report


def write_report(document: Document, folder: Path, *, quick: bool) -> Path:
    """The page and its figures, anew, from the CSV files in the folder."""
    page = Page(folder, document.title)
    page.say(document.about)
    form = " --quick" if quick else ""
    page.say(
        f"Made by `boardzero reproduce {document.name}{form} --out {folder.name}`, which goes "
        f"on where it "
        "was and draws every figure from the CSV files beside this page."
    )
    document.write(page, quick)
    report = folder / "README.md"
    write_file(report, page.markdown())
    return report


def _need_room(folder: Path, megabytes: int) -> None:
    free = shutil.disk_usage(folder).free >> 20
    if free < megabytes:
        raise BoardZeroError(
            f"{folder} has {free:,} MB of room, and the experiment may take {megabytes:,} MB; "
            "give another --out, or --quick"
        )


def _slowness() -> float:
    """How much longer one core of this machine needs than the one that was timed."""
    state = make("english").start()
    begun = time.thread_time()
    state.perft(_PERFT_DEPTH)
    return max(0.2, (time.thread_time() - begun) / _REFERENCE_SECONDS)
