"""Five in a row, and what it has beyond the common interface of games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from boardzero import _core
from boardzero.base.specs import Option, Value
from boardzero.games.game import Game, State
from boardzero.games.geometry import grid
from boardzero.games.notation.fen import RowsComposer
from boardzero.games.registry import Family, register
from boardzero.games.traits import Diagram, GameTraits, bounded, classic_players, errant

_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def _winning_row(state: State) -> list[int]:
    """The stones in a row that the last one completed."""
    outcome, last = state.outcome(), state.last_move
    if outcome is None or outcome.reason != "line" or last is None:
        return []
    places = state.game.geometry.places
    stones = [stone.cell for stone in state.pieces() if stone.owner == outcome.winner]
    own = {places[cell]: cell for cell in stones}
    row, column = places[last.path[0]]

    def side(down: int, right: int) -> list[int]:
        found: list[int] = []
        while (place := (row + down * (len(found) + 1), column + right * (len(found) + 1))) in own:
            found.append(own[place])
        return found

    rows = [[*reversed(side(-d, -r)), last.path[0], *side(d, r)] for d, r in _WAYS]
    return max(rows, key=len)


_TRAITS = GameTraits(
    seats=("black", "white"),
    deciding=_winning_row,
    sgf=True,
    composer=RowsComposer("xo"),
    pieces=("stone",),
    players=replace(
        classic_players(2),
        # Looking two ahead is no better than one: what the mover threatens is counted in full.
        ladder=(
            *errant("alphabeta", {"depth=1,hash=1": (9, 3, 1.4, 0.6, 0.2)}),
            *bounded("alphabeta", (300, 3000, 50000)),
        ),
        rungs=(
            *errant("alphabeta", {"depth=1,hash=1": (9, 5, 3, 2, 1.4, 1, 0.6, 0.4)}),
            *errant("alphabeta", {"depth=1,hash=1": (0.2, 0.1, 0.05)}),
            *bounded("alphabeta", (100, 200, 400, 800, 1500, 3000, 6000)),
        ),
        summit="alphabeta:nodes=50000",
        # Of its many moves alpha-beta values few, a tree all of them.
        analysts=("mcts", "alphabeta:analyse=true", "random"),
    ),
)


# White has three on a diagonal, and wins by making them four.
_WANG = Diagram("wang", "8/8/2oxx3/3o4/2xxo3/3ox3/8/8 o")  # Wang 2018, figure 6.10


def winning_lines(size: int = 8, line: int = 5) -> list[list[int]]:
    """The cells of every line of this length on a square board, computed rather than typed in.

    >>> len(winning_lines(8, 5))
    96
    """
    return _core.gomoku_lines(size, line)


def _make(spec: str, options: Mapping[str, Value]) -> Game:
    size, line, rule = int(options["size"]), int(options["line"]), str(options["rule"])
    traits = _TRAITS
    if rule == "renju":
        traits = replace(traits, text="renju")
    elif (size, line, rule) == (8, 5, "freestyle"):
        traits = replace(traits, diagrams=(_WANG,))
    return Game(
        spec,
        title="Renju" if rule == "renju" else "Gomoku",
        traits=traits,
        geometry=grid("points", size, size),
        start=_core.gomoku_start(size, line, rule),
    )


register(
    Family(
        "gomoku",
        "Gomoku",
        "five in a row on 8x8, or another line on another board; with renju's rules too",
        (
            Option("size", 8, "rows and columns of the board", low=5, high=20),
            Option("line", 5, "stones in a row that win", low=3, high=6),
            Option(
                "rule",
                "freestyle",
                "what longer rows are worth, and whether black has forbidden points",
                ("freestyle", "standard", "renju"),
            ),
        ),
        _make,
    )
)
