"""Probes are made: put together or found in play, with answers that rules and searches prove.

`make_probes` goes by what a game is like: five in a row, draughts, or pieces that leave the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from boardzero.base.errors import BoardZeroError
from boardzero.games import make
from boardzero.probes.making import exits, five, shots
from boardzero.probes.probe import Probe


def make_probes(spec: str, *, each: int, seed: int = 1) -> Iterator[Probe]:
    """About `each` probes of every slice of every theme; the same ones for the same seed."""
    traits = make(spec).traits
    if traits.sgf:
        yield from five.probes(spec, each=each, seed=seed)
    elif traits.must_capture:
        yield from shots.probes(spec, each=each, seed=seed)
    elif traits.goals:
        yield from exits.probes(spec, each=each, seed=seed)
    else:
        raise BoardZeroError(f"nobody knows what to ask of players of {spec}")


def mixed(probes: list[Probe]) -> list[Probe]:
    """In an order in which the first so many hold something of every theme and label."""
    slices: dict[tuple[str, ...], list[Probe]] = {}
    for probe in probes:
        slices.setdefault((probe.theme, *probe.labels), []).append(probe)
    rounds = zip_longest(*slices.values())
    return [probe for round_ in rounds for probe in round_ if probe is not None]
