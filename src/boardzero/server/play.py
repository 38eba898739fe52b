"""The addresses at which games are played: one request opens a game, a socket carries it on."""

from __future__ import annotations

import logging
from operator import methodcaller
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, WebSocket
from pydantic import TypeAdapter

from boardzero.base.errors import BoardZeroError
from boardzero.server.game_session import UsualRefusalError
from boardzero.server.live import LiveGame, LiveGames
from boardzero.server.messages import (
    AnswerDraw,
    ErrorNews,
    GameNews,
    GameRequest,
    GameSummary,
    GameView,
    Hint,
    PlayCommand,
    PlayMove,
    QueuePlace,
    SimpleCommand,
)
from boardzero.server.parts import part
from boardzero.server.sockets import Connection
from boardzero.server.strict_json import StrictRoute
from boardzero.server.views import move_view

router = APIRouter(prefix="/api/games", tags=["play"], route_class=StrictRoute)

Key = Annotated[str, Path(max_length=40, pattern=r"^[\w-]+$")]
PlayConnection = Connection[PlayMove | AnswerDraw | SimpleCommand, GameNews | QueuePlace | Hint]

_commands: TypeAdapter[PlayMove | AnswerDraw | SimpleCommand] = TypeAdapter(PlayCommand)


TheGames = Annotated[LiveGames, part(LiveGames)]


@router.post("", status_code=201)
async def open_game(wish: GameRequest, games: TheGames) -> GameView:
    """Start a game; its players move as soon as somebody watches or plays."""
    live = games.open(wish)
    if live.session.has_people:
        live.do(lambda _: None)
    await live.saved()
    return live.view()


@router.get("")
async def recent_games(
    games: TheGames, limit: Annotated[int, Query(ge=1, le=50)] = 6
) -> list[GameSummary]:
    """The games that were played last."""
    return games.newest(limit)


@router.get("/{key}")
async def game(key: Key, games: TheGames) -> GameView:
    """A game as it stands."""
    live = _find(games, key)
    await live.saved()
    return live.view()


@router.websocket("/{key}/live")
async def live(socket: WebSocket, key: str, games: TheGames) -> None:
    """Commands in, the game out after every change."""
    found = games.find(key)
    await socket.accept()
    connection = PlayConnection(socket, _commands)
    if found is None:
        await connection.close_with_error(4404, "there is no such game")
        return

    def watcher(news: GameView | QueuePlace) -> None:
        connection.send_soon(news if isinstance(news, QueuePlace) else GameNews(game=news))

    async with connection:
        found.watch(watcher)
        try:
            async for command in connection.messages():
                try:
                    _obey(found, command, connection)
                except UsualRefusalError as error:
                    connection.send_soon(ErrorNews(message=str(error), code=error.code))
                except BoardZeroError as error:
                    connection.refuse(str(error))
        finally:
            found.leave(watcher)


def _obey(live: LiveGame, command: PlayCommand, connection: PlayConnection) -> None:
    match command:
        case PlayMove(text=move):
            _play(live, move)
        case AnswerDraw(accept=accept):
            live.do(lambda session: session.answer_draw(accept))
        case SimpleCommand(kind="undo" | "resign" as act):
            live.do(methodcaller(act))
        case SimpleCommand(kind="offer_draw"):
            live.offer_draw()
        case SimpleCommand(kind="pause" | "resume" as act):
            live.do(lambda session: session.pause(act == "pause"))
        case SimpleCommand(kind="hint"):
            connection.spawn(_hint(live, connection))


def _play(live: LiveGame, text: str) -> None:
    if live.session.thinker is not None:
        raise BoardZeroError("it is not your turn")
    if live.session.paused:
        raise BoardZeroError("the game is paused")
    live.do(lambda session: session.play(text))


async def _hint(live: LiveGame, connection: PlayConnection) -> None:
    ply = len(live.session.state.history)
    try:
        choice = await live.hint()
    except BoardZeroError as error:
        connection.refuse(str(error))
    except Exception:
        logging.getLogger(__name__).exception("a hint failed at %s", live.session.key)
        connection.refuse("the analyst has failed")
    else:
        connection.send_soon(Hint(ply=ply, move=move_view(choice.move), value=choice.value))


def _find(games: LiveGames, key: str) -> LiveGame:
    live = games.find(key)
    if live is None:
        raise HTTPException(404, "there is no such game")
    return live
