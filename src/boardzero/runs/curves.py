"""The story of a run as curves: losses, and strength as its gates saw it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from boardzero.arena.plots import Curve, plot_curves
from boardzero.base.errors import BoardZeroError
from boardzero.runs.events import (
    EVENTS,
    MAIN_HEADS,
    Event,
    Figure,
    GateDecided,
    LossMeasured,
    of_type,
)
from boardzero.runs.run_folder import RunFolder


def elo_by_gates(log: Sequence[Event]) -> Curve:
    """Elo of each accepted version above the first, adding up what the gates measured.

    A rough measure: each gate is a short match between neighbours, half a game is added to each
    side so that a shut-out stays finite, and errors add up. A run that was killed before it noted
    a verdict plays that gate again: only the last one of an iteration counts.
    """
    gates = {gate.iteration: gate for gate in of_type(log, GateDecided)}
    iterations, elos, total = [0.0], [0.0], 0.0
    for gate in gates.values():
        if gate.accepted and gate.games:
            half = gate.draws / 2 + 0.5
            total += 400 * math.log10((gate.wins + half) / (gate.losses + half))
            iterations.append(gate.iteration)
            elos.append(total)
    return Curve("by gates", iterations, elos)


def plot_run(run: RunFolder, folder: Path, suffix: str = "png") -> list[Path]:
    """Draw the curves of a run; the files written."""
    written = []
    for figure in _figures(run):
        written += draw(figure._replace(title=f"{run.name}: {figure.title}"), folder, suffix)
    if not written:
        raise BoardZeroError(f"{run.path} has not learned anything yet")
    return written


def draw(figure: Figure, folder: Path, *suffixes: str) -> list[Path]:
    """Write a figure as pictures and, if it has one, as a table; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    name, title, x_label, y_label, curves, table = figure
    written = [folder / f"{name}.{suffix}" for suffix in suffixes]
    for path in written:
        plot_curves(curves, path, title=title, x_label=x_label, y_label=y_label)
    if table:
        written.append(folder / f"{name}.csv")
        written[-1].write_text(table)
    return written


def _figures(run: RunFolder) -> Iterator[Figure]:
    log = run.read_log()
    if losses := of_type(log, LossMeasured):
        for head in MAIN_HEADS:
            if not (curves := _losses(losses, head)):
                continue
            yield Figure(f"{head}-loss", f"{head} loss", "batches", "loss", curves)
    elo = elo_by_gates(log)
    if len(elo.x) > 1:
        yield Figure("elo", "strength above the first version", "iteration", "Elo", [elo])
    yield from figures_of(log, run.recipe().events)


def figures_of(log: Sequence[Event], further: Sequence[type[Event]] = ()) -> Iterator[Figure]:
    """What the events of a log have to show; `further` kinds are a recipe's own."""
    for kind in (*EVENTS, *further):
        yield from kind.figures(of_type(log, kind))


def _losses(events: Sequence[LossMeasured], head: str) -> list[Curve]:
    """A head's loss over the batches learned, a curve for each net."""
    curves = []
    for net in dict.fromkeys(event.net for event in events):
        own = [event for event in events if event.net == net and head in event.losses]
        if not own:
            continue
        label = f"{net} net" if net else f"{head} loss"
        curves.append(Curve(label, [e.step for e in own], [e.losses[head] for e in own]))
    return curves
