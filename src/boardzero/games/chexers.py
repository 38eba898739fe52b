"""Chexers: three players on hexagons, each of whom wants to bring four pieces off the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from boardzero import _core
from boardzero.base.specs import Value
from boardzero.games.game import Game
from boardzero.games.geometry import hexagon
from boardzero.games.notation.fen import RowsComposer
from boardzero.games.registry import Family, register
from boardzero.games.traits import Counter, GameTraits, classic_players

_USUAL = classic_players(3)
_RADIUS = 3
_BOARD = hexagon(_RADIUS)


def _side(q: int, r: int) -> frozenset[int]:
    """The hexagons at the edge that lies in this direction."""
    places = {cell: (x - _RADIUS, y - _RADIUS) for cell, (y, x) in _BOARD.places.items()}
    return frozenset(cell for cell, (x, y) in places.items() if q * x + r * y == _RADIUS)


_TRAITS = GameTraits(
    seats=("red", "green", "blue"),
    composer=RowsComposer("rgb", more=" 0,0,0 0"),
    pieces=("piece",),
    goals=tuple(_side(*way) for way in ((1, 0), (0, 1), (-1, -1))),
    counters=(Counter("exits", field=2),),
    players=replace(
        _USUAL,
        ladder=(*_USUAL.ladder[:-1], "alphachexers:time=1"),
        unchanging=("random", "greedy", "alphachexers:time=0.05"),
        analysts=("alphachexers", *_USUAL.analysts),
        opponent="alphachexers:time=1",
    ),
)


def _make(spec: str, _options: Mapping[str, Value]) -> Game:
    return Game(spec, title="Chexers", traits=_TRAITS, geometry=_BOARD, start=_core.chexers_start())


register(Family("chexers", "Chexers", "three players, 37 hexagons, four exits to win", (), _make))
