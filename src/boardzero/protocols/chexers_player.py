"""A class written for the Chexers course as a player: `chexers:module="their/player.py:Player"`.

It lives in a process of its own, and can only play games from their start, as in the course.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Option, Value
from boardzero.games import Game, Move, State
from boardzero.players import Choice, Limit
from boardzero.protocols.chexers import as_action
from boardzero.protocols.chexers_host import package_of
from boardzero.protocols.engine_player import FOLDER, GRACE, EnginePlayer, engine_family
from boardzero.protocols.engine_process import EngineError, EngineProcess


class ChexersPlayer(EnginePlayer):
    """Tells the class of what was played since it was last asked, and asks it."""

    def __init__(self, spec: str, options: Mapping[str, Value]) -> None:
        super().__init__(spec, options)
        self._place = str(options["module"])
        self._seat = 0
        self._told: list[str] = []

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: B008
        if self._program is not None and not self._fits(state):
            self.close()  # another seat, or another game
        return super().choose(state, limit)

    def _fits(self, state: State) -> bool:
        return state.to_move == self._seat and _played(state)[: len(self._told)] == self._told

    def _command(self, game: Game, seat: int) -> list[str]:
        self._seat, self._told = seat, []
        host = Path(__file__).with_name("chexers_host.py")
        where, colon, name = self._place.partition(":")
        if where.endswith(".py"):
            where = str(self._file(where))
        return [sys.executable, str(host), f"{where}{colon}{name}", game.seats[seat]]

    def _home(self) -> str:
        """Where the class's package lies, as in the course."""
        where = self._place.partition(":")[0]
        return str(package_of(self._file(where))[0]) if where.endswith(".py") else os.getcwd()

    def _file(self, where: str) -> Path:
        return Path(str(self._options["cwd"]) or os.getcwd()) / where

    def _introduce(self, program: EngineProcess, state: State, until: float) -> None:  # noqa: ARG002
        program.receive(until)  # it is there

    def _ask(self, program: EngineProcess, state: State, limit: Limit, until: float) -> Choice:  # noqa: ARG002
        played = _played(state)
        for turn, text in enumerate(played):
            if turn >= len(self._told):
                colour = state.game.seats[turn % state.game.players]
                program.send(json.dumps(["update", colour, as_action(text)]))
        self._told = played
        program.send(json.dumps(["action"]))
        answer = program.receive(until)
        try:
            return Choice(state.parse(_text(json.loads(answer))))
        except ValueError as error:  # no JSON, or no legal move
            raise EngineError(f"{self._place} acts {answer[:80]}: {error}") from None


def _played(state: State) -> list[str]:
    """All moves since the start, which must be that of a game."""
    beginning, moves = state.copy(), []
    for played in reversed(state.history):
        if not isinstance(played, Move):
            raise BoardZeroError("the players of the course need games that are played by moves")
        beginning.undo()
        moves.append(played.text)
    if beginning != state.game.start():
        raise BoardZeroError("the players of the course can only play games from the start")
    return moves[::-1]


def _text(action: object) -> str:
    """JSON's lists as the tuples that our notation reads."""
    return str(action).replace("[", "(").replace("]", ")")


def _refusal(game: Game) -> str:
    named = game.name == "chexers"
    return "" if named else f"the players of the course play chexers, not {game.name}"


FAMILY = engine_family(
    "chexers",
    "a Player class for the referee of the Chexers course, in its own process",
    (
        Option("module", "", "where the class is: path/player.py:Class or package.module:Class"),
        FOLDER,
        Option("time", 60.0, "seconds for a move before it is killed, if nothing bounds it", low=0),
        GRACE,
    ),
    ChexersPlayer,
    refusal=_refusal,
    seats=3,
)
