"""The addresses of study: lines of play, the editor, analysis and review."""

from __future__ import annotations

import asyncio
import logging
from itertools import count
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, WebSocket
from pydantic import Field, TypeAdapter, ValidationError

from boardzero.base.errors import BoardZeroError
from boardzero.games import State
from boardzero.players import Choice
from boardzero.server import analysis
from boardzero.server.catalog import check_player, open_game
from boardzero.server.editor import compose
from boardzero.server.engines import EnginePool, engine_pool
from boardzero.server.messages import (
    Analyse,
    FrameView,
    Incoming,
    Line,
    LineView,
    PositionView,
    Setup,
    SpecText,
)
from boardzero.server.replay import start_of, state_of
from boardzero.server.sockets import Connection, explain
from boardzero.server.views import frame_view, move_view, position_view, thought_view

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["study"])


class Review(Incoming):
    type: Literal["review"]
    line: Line
    player: SpecText
    seconds: float = Field(default=0.15, gt=0, le=5)  # for each position


class Stop(Incoming):
    type: Literal["stop"]


_requests: TypeAdapter[Analyse | Review | Stop] = TypeAdapter(
    Annotated[Analyse | Review | Stop, Field(discriminator="type")]
)
_numbers = count()


@router.post("/position")
def position(line: Line) -> PositionView:
    """The position that a line leads to, with its legal moves."""
    return position_view(state_of(line))


@router.post("/line")
def whole_line(line: Line) -> LineView:
    """Every position of a line."""
    state = start_of(line)
    game = state.game
    frames: list[FrameView] = [frame_view(state)]
    moves: list[str] = []
    for number, text in enumerate(line.moves, start=1):
        try:
            state.play(text)
        except BoardZeroError as error:
            raise BoardZeroError(f"move {number}: {error}") from None
        moves.append(str(state.history[-1]))
        frames.append(frame_view(state))
    return LineView(
        game=game.spec,
        title=game.title,
        seats=list(game.seats),
        start=line.fen,
        moves=moves,
        frames=frames,
    )


@router.post("/setup")
def setup(wish: Setup) -> PositionView:
    """A position from the editor."""
    game = open_game(wish.game)
    pieces = [(piece.cell, piece.owner, piece.kind) for piece in wish.pieces]
    return position_view(compose(game, wish.to_move, pieces))


@router.websocket("/analysis")
async def analyse(socket: WebSocket, pool: Annotated[EnginePool, Depends(engine_pool)]) -> None:
    """One analysis or review at a time; a new request ends the one before."""
    await socket.accept()
    connection = Connection(socket)
    owner = ("study", next(_numbers))
    work: asyncio.Task[None] | None = None
    async with connection:
        async for text in connection.texts():
            try:
                request = _requests.validate_json(text)
                if work is not None:
                    work.cancel()
                work = None
                if not isinstance(request, Stop):
                    work = connection.spawn(_work(pool, request, connection, owner))
            except ValidationError as error:
                connection.send_soon({"type": "error", "message": explain(error)})


async def _work(
    pool: EnginePool, request: Analyse | Review, connection: Connection, owner: tuple[str, int]
) -> None:
    try:
        state = state_of(request.line)
        player = check_player(request.player, state.game)
        if isinstance(request, Review):
            await _review(pool, request, state, player, connection, owner)
        else:
            await _analyse(pool, request, state, player, connection, owner)
    except BoardZeroError as error:
        connection.send_soon({"type": "error", "message": str(error)})
    except Exception:
        logging.getLogger(__name__).exception("%s failed", request.player)
        connection.send_soon({"type": "error", "message": f"{request.player} has failed"})


async def _analyse(
    pool: EnginePool,
    request: Analyse,
    state: State,
    player: str,
    connection: Connection,
    owner: tuple[str, int],
) -> None:
    if state.outcome() is not None:
        raise BoardZeroError("the game is over here")
    ply = len(request.line.moves)
    fen = state.fen()

    def tell(choice: Choice) -> None:
        where = {"type": "analysis", "ply": ply, "fen": fen, "mover": state.to_move}
        connection.send_soon(where | thought_view(choice).model_dump())

    await analysis.think_aloud(
        pool,
        state,
        player,
        seconds=request.seconds,
        owner=owner,
        on_wait=lambda place: connection.send_soon({"type": "queue", "place": place}),
        on_thought=tell,
    )
    connection.send_soon({"type": "done", "ply": ply, "fen": fen})


async def _review(
    pool: EnginePool,
    request: Review,
    state: State,
    player: str,
    connection: Connection,
    owner: tuple[str, int],
) -> None:
    reviewed = analysis.review(pool, state, player, seconds=request.seconds, owner=owner)
    async for step in reviewed:
        verdict = step.verdict
        connection.send_soon(
            {
                "type": "review",
                "ply": step.ply,
                "fen": step.fen,
                "mover": step.mover,
                "value": step.value,
                "best": move_view(step.best.move).model_dump() if step.best else None,
                "pv": list(step.best.pv) if step.best else [],
                "verdict": verdict
                and {
                    "name": verdict.name,
                    "loss": verdict.loss,
                    "best_gain": verdict.best_gain,
                    "played_gain": verdict.played_gain,
                },
            }
        )
    connection.send_soon({"type": "done"})
