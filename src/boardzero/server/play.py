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
from boardzero.server.game_session import UsualRefusalError
from boardzero.server.live import LiveGame, Room
from boardzero.server.messages import (
    AnswerDraw,
    GameSummary,
    GameView,
    NewGame,
    PlayMove,
    Simple,
    commands,
)
from boardzero.server.sockets import Connection, explain
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
    if live.session.has_people:
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
    live = room.find(key)
    await socket.accept()
    connection = Connection(socket)
    if live is None:
        await connection.close_with_error(4404, "there is no such game")
        return

    def watcher(view: GameView) -> None:
        connection.send_soon({"type": "game", "game": view.model_dump()})

    async with connection:
        live.watch(watcher)
        try:
            async for text in connection.texts():
                try:
                    await _obey(live, text, connection)
                except ValidationError as error:
                    connection.send_soon({"type": "error", "message": explain(error)})
                except UsualRefusalError as error:
                    refusal = {"type": "error", "message": str(error), "code": error.code}
                    connection.send_soon(refusal)
                except BoardZeroError as error:
                    connection.send_soon({"type": "error", "message": str(error)})
        finally:
            live.leave(watcher)


async def _obey(live: LiveGame, text: str, connection: Connection) -> None:
    match commands.validate_json(text):
        case PlayMove(text=move):
            _play(live, move)
        case AnswerDraw(accept=accept):
            live.do(lambda live: live.answer_draw(accept))
        case Simple(type="undo"):
            live.do(lambda live: live.undo())
        case Simple(type="resign"):
            live.do(lambda live: live.resign())
        case Simple(type="offer_draw"):
            live.offer_draw()
        case Simple(type="pause"):
            live.do(lambda live: live.pause(True))
        case Simple(type="resume"):
            live.do(lambda live: live.pause(False))
        case Simple(type="hint"):
            connection.spawn(_hint(live, connection))


def _play(live: LiveGame, text: str) -> None:
    if live.session.thinker is not None:
        raise BoardZeroError("it is not your turn")
    if live.session.paused:
        raise BoardZeroError("the game is paused")
    live.do(lambda live: live.play(text))


async def _hint(live: LiveGame, connection: Connection) -> None:
    ply = len(live.session.state.history)
    try:
        choice = await live.hint()
    except BoardZeroError as error:
        connection.send_soon({"type": "error", "message": str(error)})
        return
    except Exception:
        logging.getLogger(__name__).exception("a hint failed at %s", live.session.key)
        connection.send_soon({"type": "error", "message": "the analyst has failed"})
        return
    with suppress(asyncio.CancelledError):
        move = move_view(choice.move).model_dump()
        connection.send_soon({"type": "hint", "ply": ply, "move": move, "value": choice.value})


def _find(room: Room, key: str) -> LiveGame:
    live = room.find(key)
    if live is None:
        raise HTTPException(404, "there is no such game")
    return live
