"""The story of a run as curves: losses, strength as its gates saw it, choices that are legal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardzero.arena.plots import Curve, plot_curves
from boardzero.base.errors import BoardZeroError
from boardzero.runs.run_folder import RunFolder

__all__ = ["Choices", "choices", "elo_by_gates", "epochs", "losses", "number", "plot_run"]

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
    side so that a shut-out stays finite, and errors add up. A run that was killed before it noted
    a verdict plays that gate again: only the last one of an iteration counts.
    """
    gates = {number(entry, "iteration"): entry for entry in log if entry["event"] == "gate"}
    iterations, elos, total = [0.0], [0.0], 0.0
    for iteration, entry in gates.items():
        if not entry["accepted"]:
            continue
        wins, draws, lost = (number(entry, key) for key in ("wins", "draws", "losses"))
        if wins + draws + lost == 0:
            continue
        total += 400 * math.log10((wins + draws / 2 + 0.5) / (lost + draws / 2 + 0.5))
        iterations.append(iteration)
        elos.append(total)
    return Curve("by gates", iterations, elos)


@dataclass(frozen=True, slots=True)
class Choices:
    """What some test games of Q-learning, one after the other, say together."""

    cycle: int  # of the last
    decisions: int
    first: int  # whose first choice was legal
    wrong: int  # tries that were illegal


def choices(log: Sequence[Entry], points: int = 500) -> list[Choices]:
    """The test games of a run in groups, so that there are not more than so many."""
    tests = [entry for entry in log if entry["event"] == "test"]
    size = max(1, -(-len(tests) // points))
    found = []
    for start in range(0, len(tests), size):
        group = tests[start : start + size]
        sums = [int(sum(number(e, key) for e in group)) for key in ("decisions", "first", "wrong")]
        found.append(Choices(int(number(group[-1], "iteration")), *sums))
    return found


def epochs(log: Sequence[Entry]) -> dict[str, list[Curve]]:
    """Losses of nets that learn from a data set, and how often they do what was done there."""
    entries = [entry for entry in log if entry["event"] == "fit"]
    curves: dict[str, list[Curve]] = {"loss": [], "matches": []}
    names = {"net": "loss", "piece": "loss", "move": "loss"}
    names |= {"piece_match": "matches", "move_match": "matches"}
    for key, kind in names.items():
        own = [entry for entry in entries if key in entry]
        if own:
            x, y = ([number(entry, k) for entry in own] for k in ("epoch", key))
            curves[kind].append(Curve(key.replace("_match", ""), x, y))
    return curves


def plot_run(run: RunFolder, folder: Path, suffix: str = "png") -> list[Path]:
    """Draw the curves of a run; the files written."""
    log = run.read_log()
    curves = losses(log)
    if picking := _plot_picking(run, log, folder, suffix):
        return picking
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


def _plot_picking(run: RunFolder, log: Sequence[Entry], folder: Path, suffix: str) -> list[Path]:
    """The curves of nets that pick a piece, then its move; none of other runs."""
    written = []
    if tests := choices(log):
        folder.mkdir(parents=True, exist_ok=True)
        lines = ["cycle,decisions,legal at first choice,illegal tries"]
        lines += [f"{t.cycle},{t.decisions},{t.first},{t.wrong}" for t in tests]
        table, path = folder / "choices.csv", folder / f"choices.{suffix}"
        table.write_text("\n".join(lines) + "\n")
        x = [t.cycle for t in tests]
        share = Curve("legal at first choice", x, [t.first / t.decisions for t in tests])
        tries = [t.decisions / (t.decisions + t.wrong) for t in tests]
        plot_curves(
            [share, Curve("legal, of all tries", x, tries)],
            path,
            title=f"{run.name}: choices in test games",
            x_label="cycle",
            y_label="share",
        )
        written += [table, path]
    for kind, curves in epochs(log).items():
        if curves:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{kind}.{suffix}"
            title = f"{run.name}: {kind}"
            plot_curves(curves, path, title=title, x_label="epoch", y_label=kind)
            written.append(path)
    return written


def number(entry: Entry, key: str) -> float:
    """A figure of an entry; 0 if there is none."""
    value = entry.get(key)
    return float(value) if isinstance(value, int | float) else 0.0
