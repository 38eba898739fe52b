"""The story of a run as curves: losses, and strength as its gates saw it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from boardzero.arena.plots import Curve, plot_curves
from boardzero.errors import BoardZeroError
from boardzero.learn.rundir import RunDir

__all__ = ["elo_by_gates", "losses", "number", "plot_run"]

Entry = Mapping[str, object]


def losses(log: Sequence[Entry]) -> dict[str, list[Curve]]:
    """Policy and value loss over the batches learned, a curve for each net."""
    entries = [entry for entry in log if entry["event"] == "loss"]
    curves: dict[str, list[Curve]] = {"policy": [], "value": []}
    for net in dict.fromkeys(entry.get("net", "") for entry in entries):
        own = [entry for entry in entries if entry.get("net", "") == net]
        steps = [number(entry, "step") for entry in own]
        for kind, found in curves.items():
            label = f"{net} net" if net else f"{kind} loss"
            found.append(Curve(label, steps, [number(entry, kind) for entry in own]))
    return curves


def elo_by_gates(log: Sequence[Entry]) -> Curve:
    """Elo of each accepted version above the first, adding up what the gates measured.

    A rough measure: each gate is a short match between neighbours, half a game is added to each
    side so that a shut-out stays finite, and errors add up.
    """
    iterations, elos, total = [0.0], [0.0], 0.0
    for entry in log:
        if entry["event"] != "gate" or not entry["accepted"]:
            continue
        wins, draws, lost = (number(entry, key) for key in ("wins", "draws", "losses"))
        if wins + draws + lost == 0:
            continue
        total += 400 * math.log10((wins + draws / 2 + 0.5) / (lost + draws / 2 + 0.5))
        iterations.append(number(entry, "iteration"))
        elos.append(total)
    return Curve("by gates", iterations, elos)


def plot_run(run: RunDir, folder: Path, suffix: str = "png") -> list[Path]:
    """Draw the curves of a run; the files written."""
    log = run.read_log()
    curves = losses(log)
    if not curves["policy"]:
        raise BoardZeroError(f"{run.path} has not learned anything yet")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for kind, by_net in curves.items():
        path = folder / f"{kind}-loss.{suffix}"
        plot_curves(
            by_net, path, title=f"{run.name}: {kind} loss", x_label="batches", y_label="loss"
        )
        written.append(path)
    elo = elo_by_gates(log)
    if len(elo.x) > 1:
        path = folder / f"elo.{suffix}"
        title = f"{run.name}: strength above the first version"
        plot_curves([elo], path, title=title, x_label="iteration", y_label="Elo")
        written.append(path)
    return written


def number(entry: Entry, key: str) -> float:
    """A figure of an entry; 0 if there is none."""
    value = entry.get(key)
    return float(value) if isinstance(value, int | float) else 0.0
