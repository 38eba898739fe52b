"""Games and positions from elsewhere and to elsewhere: PDN, FEN, SVG."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, PdnGame, read_games
from boardzero.games.notation.movetext import read_moves, tag_in, write_text
from boardzero.server.catalog import open_game
from boardzero.server.messages import Incoming, Line, LoadedLine, Outgoing, SpecText
from boardzero.server.replay import state_of

router = APIRouter(prefix="/api", tags=["study"])

_MOST_GAMES = 200  # read from one text


class GameText(Incoming):
    game: SpecText  # where the text itself does not say
    text: Annotated[str, Field(max_length=1_000_000)]


class TextView(Outgoing):
    text: str


@router.post("/pdn/read")
def read(wish: GameText) -> list[LoadedLine]:
    """The games of a PDN text; for games without PDN, a list of moves."""
    game = _game_of(wish)
    if game.traits.pdn is None:
        return [_read_moves(wish.text, game)]
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
    return TextView(text=write_text(state_of(line)))


@router.post("/svg")
def svg(line: Line) -> TextView:
    """A picture of the position that a line leads to."""
    return TextView(text=state_of(line).svg())


def _read_game(record: PdnGame) -> LoadedLine:
    fen = record.tags.get("FEN") or None
    return LoadedLine(game=record.game.spec, fen=fen, moves=[str(move) for move in record.moves])


def _read_moves(text: str, game: Game) -> LoadedLine:
    moves = [str(move) for move in read_moves(text, game).history]
    return LoadedLine(game=game.spec, fen=tag_in(text, "FEN") or None, moves=moves)


def _game_of(wish: GameText) -> Game:
    """The game that the text names as this program does, or the one on the page."""
    with suppress(BoardZeroError):  # other programs may mean something else by the tag
        if named := tag_in(wish.text, "Game"):
            return open_game(named)
    return open_game(wish.game)
