"""Probes: positions with known good answers, and the share of them that a player answers rightly.

>>> from boardzero.games import make
>>> from boardzero.probes import measure_player
>>> measure_player("random:seed=1", make("gomoku")).asked  # doctest: +SKIP
300
"""

from boardzero.probes.bars import BlindSpot, blind_spots
from boardzero.probes.measure import SMALL, ProbeReport, Slice, measure, measure_player
from boardzero.probes.probe import Probe, games_with_probes, probes_of, read_probes

__all__ = [
    "SMALL",
    "BlindSpot",
    "Probe",
    "ProbeReport",
    "Slice",
    "blind_spots",
    "games_with_probes",
    "measure",
    "measure_player",
    "probes_of",
    "read_probes",
]
