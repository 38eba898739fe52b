"""What a run of self-play left behind, and what is looked at in all of them.

The log, the newest games; `diagnosis.py` and `sparse_diagnosis.py` know the rest about their nets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Generic, TypeVar

import numpy as np

from boardzero import _core
from boardzero.games import Game, make
from boardzero.probes import Slice
from boardzero.runs.events import (
    Event,
    GamesOdd,
    GateDecided,
    LossMeasured,
    MessageRefused,
    ProbesMeasured,
    of_type,
)
from boardzero.runs.recipe import SelfPlayRecipe
from boardzero.runs.run_folder import RunFolder

R = TypeVar("R", bound=SelfPlayRecipe)

MOST_GAMES = 200  # the newest, that are looked at
FEWEST_GAMES = 20  # before which nothing is said
FEWEST_LOSSES = 8
_FEWEST_MEASURED = 6  # versions whose probes were measured, before anything is said of them
_LATEST_MEASURED = 3
_SEES = 0.6  # of the probes of one place, and of another
_BLIND = 0.4  # times as many: such a run is blind there


@dataclass(frozen=True, slots=True)
class Finding:
    """A cause, what shows it, and what to change."""

    name: str
    evidence: str
    change: str


class Evidence(Generic[R]):
    """The log and the newest games of a run."""

    def __init__(self, run: RunFolder, recipe: R) -> None:
        self.run = run
        self.recipe = recipe
        self.log: list[Event] = run.read_log()
        newest = list(islice(run.newest_games(), MOST_GAMES))
        self.records = [record for record, _ in newest]
        self.iterations = [iteration for _, iteration in newest]
        self.games = [_core.parse_record(record) for record in self.records]

    @cached_property
    def game(self) -> Game:
        return make(self.recipe.game)

    @cached_property
    def losses(self) -> list[LossMeasured]:
        return of_type(self.log, LossMeasured)

    def late_loss(self, head: str) -> float:
        """Of the newest quarter."""
        return fmean(event.losses[head] for event in self.losses[-len(self.losses) // 4 :])

    def early_loss(self, head: str) -> float:
        """Of the oldest quarter."""
        return fmean(event.losses[head] for event in self.losses[: max(1, len(self.losses) // 4)])

    @cached_property
    def choices(self) -> float:
        """Legal actions of a position, on average."""
        counts = []
        for record in self.games[:10]:
            state = self.game.parse_fen(record.fen) if record.fen else self.game.start()
            for action in record.actions:
                counts.append(len(state.actions()))
                state.play_action(action)
        return fmean(counts)

    @property
    def newest_model(self) -> Path:
        """The folder of the net that stood last at the gate, or of the last version."""
        return self.run.at_gate if self.run.at_gate.is_dir() else self.run.model()[0]

    @property
    def different(self) -> float:
        """The share of games that are no repetition of another one."""
        return len({(game.fen, tuple(game.actions)) for game in self.games}) / len(self.games)


def correlation(results: Sequence[float], values: Sequence[float]) -> float | None:
    """Of a net's values with the results of games; None if there is nothing to compare."""
    if len(results) < 2 or np.std(results) == 0 or np.std(values) == 0:
        return None
    return float(np.corrcoef(results, values)[0, 1])


def look_at_values(run: Evidence[R], found: float | None, change: str) -> Iterator[Finding]:
    """Whether values go with results; `change` is what may bring them together."""
    if found is None or not run.losses:
        return
    told = f"the net's value and the results have a correlation of {found:.2f}"
    if found < -0.15:
        turned = (
            "outcomes in the rules, or in whatever turns them to the mover: one is the wrong way"
        )
        yield Finding("value has the wrong sign", told, turned)
    elif found < 0.02 and len(run.games) == MOST_GAMES:
        yield Finding("value out of touch with results", told, change)


def look_at_the_gate(run: Evidence[R]) -> Iterator[Finding]:
    """Whether candidates pass."""
    gates = [gate for gate in of_type(run.log, GateDecided) if gate.games]
    lost = 0
    for gate in gates:
        lost = 0 if gate.accepted else lost + 1
    if lost >= 4:
        tried = gates[-lost:]
        score = fmean((gate.wins + gate.draws / 2) / gate.games for gate in tried)
        yield Finding(
            "gate never passes",
            f"the last {lost} candidates did not, and scored {score:.0%}",
            f"gate.threshold: below {run.recipe.gate.threshold:g}, or gate.games: 0 for no gate",
        )


def look_at_refusals(run: Evidence[R]) -> Iterator[Finding]:
    """Whether workers sent what cannot be, or what no other worker sends."""
    if refused := of_type(run.log, MessageRefused):
        told = f"{refused[-1].count} messages of workers were refused: {refused[-1].reason}"
        yield Finding("games refused", told, "the same version of the program on all machines")
    for odd in of_type(run.log, GamesOdd)[-1:]:
        told = f"games of {odd.worker} on {odd.node} are unlike those of others: {odd.reason}"
        yield Finding("odd games", told, "leave that machine out, and look what it runs")


def look_at_draws(run: Evidence[R], change: str) -> Iterator[Finding]:
    """Whether anybody wins; `change` is what makes games more varied."""
    draws = fmean(game.winner is None for game in run.games)
    if draws > 0.95:
        yield Finding(
            "all draws",
            f"{draws:.0%} of the games are drawn",
            f"{change}, and see whether the rules end games too early",
        )


def look_at_repetition(run: Evidence[R], change: str) -> Iterator[Finding]:
    """Whether the games are different ones; `change` is what makes them so."""
    if run.different < 0.8:
        told = f"of {len(run.games)} games only {run.different:.0%} are different ones"
        yield Finding("no exploration", told, change)


def look_at_probes(run: Evidence[R], change: str) -> Iterator[Finding]:
    """Whether the latest versions see in one place far less than in another of the same theme."""
    measured = of_type(run.log, ProbesMeasured)
    if len(measured) < _FEWEST_MEASURED:
        return
    latest = measured[-_LATEST_MEASURED:]
    shares = {
        Slice.parse(name): fmean(event.shares.get(name, share) for event in latest)
        for name, share in latest[-1].shares.items()
    }
    for theme in dict.fromkeys(found.theme for found in shares):
        places = {found: share for found, share in shares.items() if found[0] == theme and found[1]}
        best = max(places, key=lambda found: places[found], default=None)
        if best is None or places[best] < _SEES:
            continue
        for where, share in places.items():
            if share < _BLIND * places[best]:
                told = f"{where}: {share:.0%} answered rightly, {best.label}: {places[best]:.0%}"
                yield Finding("probes failing", told, change)
