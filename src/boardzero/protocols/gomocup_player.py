"""Any Gomocup engine as a player: `gomocup:cmd="pbrain-rapfi"`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from boardzero.base.specs import Option, Value, parse_spec
from boardzero.games import Game, Move, State
from boardzero.players import Choice, Limit
from boardzero.protocols.engine_player import (
    COMMAND,
    DEPTH,
    FOLDER,
    GRACE,
    NODES,
    TIME,
    EnginePlayer,
    engine_family,
    milliseconds,
)
from boardzero.protocols.engine_process import EngineError, EngineProcess, LateError
from boardzero.protocols.gomocup import RULES

_POINT = re.compile(r"(\d{1,2}),(\d{1,2})")


class GomocupPlayer(EnginePlayer):
    """Sends one stone where the game goes on, and the whole board otherwise."""

    def __init__(self, spec: str, options: Mapping[str, Value]) -> None:
        super().__init__(spec, options)
        self._memory = int(options["memory"])
        self._known: list[int] = []  # the stones that the engine knows, in their order

    def _command(self, game: Game, seat: int) -> str:  # noqa: ARG002
        return str(self._options["cmd"])

    def _introduce(self, program: EngineProcess, state: State, until: float) -> None:
        self._known = []
        program.send(f"START {state.game.geometry.rows}")
        _expect_ok(program, until)
        program.send(f"INFO rule {_rule_of(state.game)}")
        program.send("INFO game_type 1")  # against another program
        program.send(f"INFO max_memory {self._memory * 2**20}")

    def _ask(self, program: EngineProcess, state: State, limit: Limit, until: float) -> Choice:
        size = state.game.geometry.columns
        self._send_clock(program, limit)
        stones = _stones(state)
        if not stones and not self._known:
            program.send("BEGIN")
        elif self._known and stones[:-1] == self._known:
            program.send(f"TURN {_point(stones[-1], size)}")
        else:
            self._send_board(program, state, stones, until)
        x, y = _answer(program, until)
        move = _move_at(state, x, y)
        if move is None:
            raise EngineError(f"{program.name} plays {x},{y}, which is not legal")
        self._known = [*stones, move.path[0]]
        return Choice(move)

    def _send_clock(self, program: EngineProcess, limit: Limit) -> None:
        if limit.clock is not None:
            program.send(f"INFO time_left {round(1000 * limit.clock.left)}")
        program.send(f"INFO timeout_turn {milliseconds(limit)}")
        # Not of the first protocol; who does not know them leaves them alone.
        if limit.depth is not None:
            program.send(f"INFO max_depth {limit.depth}")
        if limit.nodes is not None:
            program.send(f"INFO max_node {limit.nodes}")

    def _send_board(
        self, program: EngineProcess, state: State, stones: list[int], until: float
    ) -> None:
        if self._known:
            program.send("RESTART")
            _expect_ok(program, until)
        size = state.game.geometry.columns
        owners = {piece.cell: piece.owner for piece in state.pieces()}
        program.send("BOARD")
        for cell in stones:
            program.send(f"{_point(cell, size)},{1 if owners[cell] == state.to_move else 2}")
        program.send("DONE")


def _stones(state: State) -> list[int]:
    """In the order of play, as far as that is known."""
    played = [p if isinstance(p, int) else p.actions[0] for p in state.history]
    earlier = {piece.cell for piece in state.pieces()} - set(played)
    return [*sorted(earlier), *played]


def _answer(program: EngineProcess, until: float) -> tuple[int, int]:
    """The point that it plays; what it says besides is for others."""
    while True:
        text = program.receive(until)
        if point := _POINT.fullmatch(text):
            return int(point[1]), int(point[2])
        if text.upper().startswith(("ERROR", "UNKNOWN")):
            raise EngineError(f"{program.name} says: {text}")


def _expect_ok(program: EngineProcess, until: float) -> None:
    heard = "nothing"
    try:
        while not (text := program.receive(until).upper()).startswith("OK"):
            heard = repr(text[:40])
            if text.startswith(("ERROR", "UNKNOWN")):
                raise EngineError(f"{program.name} says: {text}")
    except LateError:
        reason = f"it says {heard} and not 'OK'; does it speak the protocol of Gomocup?"
        raise EngineError(f"{program.name} is not ready: {reason}") from None


def _move_at(state: State, x: int, y: int) -> Move | None:
    size = state.game.geometry.columns
    if not (x < size and y < size):
        return None
    return next((move for move in state.moves() if move.path[0] == y * size + x), None)


def _point(cell: int, size: int) -> str:
    return f"{cell % size},{cell // size}"


def _rule_of(game: Game) -> int:
    name = parse_spec(game.spec).options.get("rule", "freestyle")
    return next(number for number, rule in RULES.items() if rule == name)


def _refusal(game: Game) -> str:
    five = game.name == "gomoku" and parse_spec(game.spec).options.get("line", "5") == "5"
    return "" if five else f"Gomocup engines play five in a row, not {game.spec}"


FAMILY = engine_family(
    "gomocup",
    "another program that speaks the protocol of Gomocup and Piskvork",
    (
        COMMAND,
        FOLDER,
        Option("memory", 350, "megabytes that the engine may take", low=0),
        TIME,
        DEPTH,
        NODES,
        GRACE,
    ),
    GomocupPlayer,
    refusal=_refusal,
)
