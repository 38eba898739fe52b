"""Puts the server together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse
from fastapi.staticfiles import StaticFiles
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import Scope

from boardzero import __version__
from boardzero.base.errors import BoardZeroError
from boardzero.players import name_player
from boardzero.server import arena, files, learn, play, puzzles, stored, study, trees
from boardzero.server.arena import Arena
from boardzero.server.catalog import game_families, open_game
from boardzero.server.engines import EnginePool
from boardzero.server.learn import Runs
from boardzero.server.live import LiveGames
from boardzero.server.messages import GameInfo
from boardzero.server.saved import SavedGames, SavedStudies
from boardzero.server.schema import with_sockets
from boardzero.server.security import Guard
from boardzero.server.settings import Settings
from boardzero.server.stored import Archive
from boardzero.server.views import game_info
from boardzero.store import Store

STATIC = Path(__file__).parent / "static"


def create_app(settings: Settings) -> FastAPI:
    """The application, with its games in the data folder."""
    for name, spec in settings.engines.items():
        name_player(name, spec)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool = EnginePool(
            workers=settings.workers,
            max_think=settings.max_think,
            max_waiting=settings.max_waiting,
        )
        saved = SavedGames(settings.data / "web.sqlite")
        studies = SavedStudies(settings.data / "web.sqlite")
        archive = Archive(settings.data / "games.sqlite")
        games = LiveGames(saved, pool, archive)
        parts = (
            Runs(settings.runs or settings.data / "runs"),
            Arena(archive, workers=settings.workers),
            games,
            pool,
            saved,
            studies,
            archive,
        )
        app.state.parts = {type(part): part for part in parts}
        yield
        games.close()
        await games.saved()
        for part in parts:
            part.close()

    # Pages about the addresses would load scripts from elsewhere, which the guard forbids.
    app = _App(
        title="BoardZero", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.state.settings = settings
    app.add_exception_handler(BoardZeroError, _users_error)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, settings=settings)
    for part in (play, study, trees, puzzles, files, stored, arena, learn):
        app.include_router(part.router)
    _add_catalog(app)
    _add_page(app)
    return app


def check_data(settings: Settings) -> None:
    """Raise what is wrong with the data folder, before anybody is told of the server."""
    SavedGames(settings.data / "web.sqlite").close()
    with Store(settings.data / "games.sqlite") as store:
        if problems := store.problems():
            raise BoardZeroError(f"{store.path} is damaged: {problems[0]}")


class _App(FastAPI):
    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            self.openapi_schema = with_sockets(super().openapi())
        return self.openapi_schema


def _add_catalog(app: FastAPI) -> None:
    @cache
    def catalog() -> list[GameInfo]:
        return [game_info(family) for family in game_families()]

    @app.get("/api/catalog", tags=["catalog"])
    def games() -> list[GameInfo]:
        """Every game with its board, its start and the players to choose from."""
        return catalog()

    @app.get("/api/catalog/{spec}", tags=["catalog"])
    def one_game(spec: str) -> GameInfo:
        """A game with options, such as gomoku:size=15."""
        game = open_game(spec)
        family = next(family for family in game_families() if family.name == game.name)
        return game_info(family, game)


def _add_page(app: FastAPI) -> None:
    if not (STATIC / "index.html").is_file():

        @app.get("/", include_in_schema=False)
        def unbuilt() -> Response:
            return PlainTextResponse("The page is not built; run: make web", 503)

        return

    @app.get("/", include_in_schema=False)
    def index() -> Response:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    app.mount("/", _Files(directory=STATIC))


class _Files(StaticFiles):
    """Names of built files hold a hash of what is in them, so a browser may keep them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if path.startswith("assets/") and response.status_code == 200:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def _users_error(_request: Request, error: Exception) -> Response:
    return JSONResponse({"detail": str(error)}, 400)


def _bad_request(_request: Request, error: Exception) -> Response:
    """What is wrong where, without what was sent: not all that is read can be written."""
    assert isinstance(error, RequestValidationError)
    found = [{key: one[key] for key in ("type", "loc", "msg")} for one in error.errors()]
    return JSONResponse({"detail": found}, 422)
