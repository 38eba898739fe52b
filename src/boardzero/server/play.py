"""The addresses at which games are played: one request opens a game, a socket carries it on."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Path, Query, WebSocket
from fastapi.requests import HTTPConnection
from pydantic import ValidationError

from boardzero.base.errors import BoardZeroError
from boardzero.server.live import LiveTable, Room
from boardzero.server.messages import (
    AnswerDraw,
    GameSummary,
    GameView,
    NewGame,
    PlayMove,
    Simple,
    commands,
)
from boardzero.server.sockets import Line, explain
from boardzero.server.table import UsualRefusalError
from boardzero.server.views import move_view

__all__ = ["router"]

router = APIRouter(prefix="/api/games", tags=["play"])

Key = Annotated[str, Path(max_length=40, pattern=r"^[\w-]+$")]


def room(connection: HTTPConnection) -> Room:
    found = connection.app.state.room
    assert isinstance(found, Room)
    return found


TheRoom = Annotated[Room, Depends(room)]


@router.post("", status_code=201)
async def open_game(wish: NewGame, room: TheRoom) -> GameView:
    """Start a game; its players move as soon as somebody watches or plays."""
    live = room.open(wish)
    if live.table.has_people:
        live.do(lambda _: None)
    return live.view()


@router.get("")
async def recent_games(
    room: TheRoom, limit: Annotated[int, Query(ge=1, le=50)] = 6
) -> list[GameSummary]:
    """The games that were played last."""
    return room.newest(limit)


@router.get("/{key}")
async def game(key: Key, room: TheRoom) -> GameView:
    """A game as it stands."""
    return _find(room, key).view()


@router.websocket("/{key}/live")
async def live(socket: WebSocket, key: str, room: TheRoom) -> None:
    """Commands in, the game out after every change."""
    table = room.find(key)
    await socket.accept()
    line = Line(socket)
    if table is None:
        await line.close_with_error(4404, "there is no such game")
        return

    def watcher(view: GameView) -> None:
        line.send_soon({"type": "game", "game": view.model_dump()})

    async with line:
        table.watch(watcher)
        try:
            async for text in line.texts():
                try:
                    await _obey(table, text, line)
                except ValidationError as error:
                    line.send_soon({"type": "error", "message": explain(error)})
                except UsualRefusalError as error:
                    refusal = {"type": "error", "message": str(error), "code": error.code}
                    line.send_soon(refusal)
                except BoardZeroError as error:
                    line.send_soon({"type": "error", "message": str(error)})
        finally:
            table.leave(watcher)


async def _obey(live: LiveTable, text: str, line: Line) -> None:
    match commands.validate_json(text):
        case PlayMove(text=move):
            _play(live, move)
        case AnswerDraw(accept=accept):
            live.do(lambda table: table.answer_draw(accept))
        case Simple(type="undo"):
            live.do(lambda table: table.undo())
        case Simple(type="resign"):
            live.do(lambda table: table.resign())
        case Simple(type="offer_draw"):
            live.offer_draw()
        case Simple(type="pause"):
            live.do(lambda table: table.pause(True))
        case Simple(type="resume"):
            live.do(lambda table: table.pause(False))
        case Simple(type="hint"):
            line.spawn(_hint(live, line))


def _play(live: LiveTable, text: str) -> None:
    if live.table.thinker is not None:
        raise BoardZeroError("it is not your turn")
    if live.table.paused:
        raise BoardZeroError("the game is paused")
    live.do(lambda table: table.play(text))


async def _hint(live: LiveTable, line: Line) -> None:
    ply = len(live.table.state.history)
    try:
        choice = await live.hint()
    except BoardZeroError as error:
        line.send_soon({"type": "error", "message": str(error)})
        return
    except Exception:
        logging.getLogger(__name__).exception("a hint failed at %s", live.table.key)
        line.send_soon({"type": "error", "message": "the analyst has failed"})
        return
    with suppress(asyncio.CancelledError):
        move = move_view(choice.move).model_dump()
        line.send_soon({"type": "hint", "ply": ply, "move": move, "value": choice.value})


def _find(room: Room, key: str) -> LiveTable:
    live = room.find(key)
    if live is None:
        raise HTTPException(404, "there is no such game")
    return live
