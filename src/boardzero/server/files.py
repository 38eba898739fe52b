"""Games and positions from elsewhere and to elsewhere: PDN, FEN, SVG."""

from __future__ import annotations

import re
import textwrap
from itertools import islice
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from boardzero.errors import BoardZeroError
from boardzero.games import State
from boardzero.games.pdn import PdnGame, read_games, write_game
from boardzero.server.catalog import open_game
from boardzero.server.messages import Incoming, Line, Outgoing, SpecText
from boardzero.server.replay import start_of, state_of

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["study"])

_MOST_GAMES = 200  # read from one text
_NUMBER = re.compile(r"^\d+\.+")
_RESULT = re.compile(r"^(\*|[\d/]+-[\d/]+)$")


class GameText(Incoming):
    game: SpecText  # where the text itself does not say
    text: Annotated[str, Field(max_length=1_000_000)]


class TextView(Outgoing):
    text: str


class ReadGame(Outgoing):
    game: str
    fen: str | None
    moves: list[str]


@router.post("/pdn/read")
def read(wish: GameText) -> list[ReadGame]:
    """The games of a PDN text; for games without PDN, a list of moves."""
    game = open_game(wish.game)
    if game.geometry.kind != "squares":
        return [_read_moves(wish)]
    lines = wish.text.splitlines(keepends=True)  # never a string, which could name a file
    has_type = "[GameType" in wish.text
    found = [
        _read_game(record)
        for record in islice(read_games(lines, None if has_type else game), _MOST_GAMES)
    ]
    if not found:
        raise BoardZeroError("there is no game in this text")
    return found


@router.post("/pdn/write")
def write(line: Line) -> TextView:
    """A line as PDN; of games that PDN does not know, in the same style."""
    state = state_of(line)
    if state.game.geometry.kind == "squares":
        return TextView(text=write_game(PdnGame.of(state)))
    return TextView(text=_write_moves(state, line))


@router.post("/svg")
def svg(line: Line) -> TextView:
    """A picture of the position that a line leads to."""
    return TextView(text=state_of(line).svg())


def _read_game(record: PdnGame) -> ReadGame:
    fen = record.tags.get("FEN") or None
    return ReadGame(game=record.game.spec, fen=fen, moves=[str(move) for move in record.moves])


def _read_moves(wish: GameText) -> ReadGame:
    """Moves separated by spaces, or by lines where a move may hold spaces; numbers are skipped."""
    body = re.sub(r"^\[.*\]\s*$", "", wish.text, flags=re.MULTILINE)
    fen = re.search(r'^\[FEN "([^"]*)"\]', wish.text, flags=re.MULTILINE)
    state = start_of(Line(game=wish.game, fen=fen[1] if fen else None))
    parts = re.findall(r"\(\".*?\)\)*(?=\s|$)|\S+", body)
    for part in parts:
        text = _NUMBER.sub("", part)
        if text and not _RESULT.match(text):
            state.play(text)
    moves = [str(move) for move in state.history]
    return ReadGame(game=state.game.spec, fen=fen[1] if fen else None, moves=moves)


def _write_moves(state: State, line: Line) -> str:
    tags = [f'[Game "{state.game.spec}"]', *([f'[FEN "{line.fen}"]'] if line.fen else [])]
    players = state.game.players
    moves = [
        f"{ply // players + 1}. {move}" if ply % players == 0 else str(move)
        for ply, move in enumerate(state.history)
    ]
    return "\n".join([*tags, "", textwrap.fill(" ".join([*moves, "*"]), 80), ""])
