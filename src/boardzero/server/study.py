"""The addresses of study: lines of play, the editor, analysis and review."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable
from itertools import count

from fastapi import APIRouter, WebSocket
from pydantic import TypeAdapter

from boardzero.base.errors import BoardZeroError
from boardzero.games.notation.fen import compose
from boardzero.server.analysis import analysis_view, review, think_aloud
from boardzero.server.catalog import check_player, open_game
from boardzero.server.engines import EnginePool, ThePool
from boardzero.server.messages import (
    Analyse,
    AnalysisView,
    Line,
    LineView,
    PositionView,
    QueuePlace,
    Review,
    ReviewView,
    Setup,
    StopStudy,
    StudyDone,
    StudyRequest,
)
from boardzero.server.replay import start_of, state_of
from boardzero.server.sockets import Connection
from boardzero.server.strict_json import StrictRoute
from boardzero.server.views import board_view, studied_view

router = APIRouter(prefix="/api", tags=["study"], route_class=StrictRoute)

StudyConnection = Connection[
    Analyse | Review | StopStudy, AnalysisView | ReviewView | QueuePlace | StudyDone
]

_requests: TypeAdapter[Analyse | Review | StopStudy] = TypeAdapter(StudyRequest)
_numbers = count()


@router.post("/position")
def position(line: Line) -> PositionView:
    """The position that a line leads to, with its legal moves."""
    return studied_view(state_of(line))


@router.post("/line")
def whole_line(line: Line) -> LineView:
    """Every position of a line."""
    state = start_of(line)
    game = state.game
    positions = [board_view(state)]
    moves: list[str] = []
    for number, text in enumerate(line.moves, start=1):
        try:
            state.play(text)
        except BoardZeroError as error:
            raise BoardZeroError(f"move {number}: {error}") from None
        moves.append(str(state.history[-1]))
        positions.append(board_view(state))
    return LineView(
        game=game.spec,
        title=game.title,
        seats=list(game.seats),
        start=line.fen,
        moves=moves,
        positions=positions,
    )


@router.post("/setup")
def setup(wish: Setup) -> PositionView:
    """A position from the editor."""
    game = open_game(wish.game)
    pieces = [(piece.cell, piece.owner, piece.kind) for piece in wish.pieces]
    return studied_view(compose(game, wish.to_move, pieces))


@router.websocket("/analysis")
async def analyse(socket: WebSocket, pool: ThePool) -> None:
    """One analysis or review at a time; a new request ends the one before."""
    await socket.accept()
    work: asyncio.Task[None] | None = None
    owner = ("study", next(_numbers))
    async with StudyConnection(socket, _requests) as connection:
        async for request in connection.messages():
            if work is not None:
                work.cancel()
            work = None
            if not isinstance(request, StopStudy):
                work = connection.spawn(_work(pool, request, connection, owner))


async def _work(
    pool: EnginePool, request: Analyse | Review, connection: StudyConnection, owner: Hashable
) -> None:
    try:
        state = state_of(request.line)
        player = check_player(request.player, state.game)
        if isinstance(request, Review):
            steps = review(pool, state, player, seconds=request.seconds, owner=owner)
            async for step in steps:
                connection.send_soon(step)
        else:
            if state.outcome() is not None:
                raise BoardZeroError("the game is over here")
            await think_aloud(
                pool,
                state,
                player,
                seconds=request.seconds,
                owner=owner,
                on_wait=lambda place: connection.send_soon(QueuePlace(place=place)),
                on_thought=lambda choice: connection.send_soon(analysis_view(choice, state)),
            )
        connection.send_soon(StudyDone(request=request.kind))
    except BoardZeroError as error:
        connection.refuse(str(error))
    except Exception:
        logging.getLogger(__name__).exception("%s failed", request.player)
        connection.refuse(f"{request.player} has failed")
