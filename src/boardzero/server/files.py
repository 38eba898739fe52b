"""Games and positions from elsewhere and to elsewhere: PDN, FEN, SVG."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from boardzero.base.errors import BoardZeroError
from boardzero.games import GameTree, read_trees, write_tree
from boardzero.server.catalog import open_game
from boardzero.server.messages import Incoming, Line, LoadedLine, Outgoing, SpecText
from boardzero.server.replay import state_of
from boardzero.server.strict_json import StrictRoute

router = APIRouter(prefix="/api", tags=["study"], route_class=StrictRoute)

_MOST_GAMES = 200  # read from one text


class GameText(Incoming):
    game: SpecText  # where the text itself does not say
    text: Annotated[str, Field(max_length=1_000_000)]


class TextView(Outgoing):
    text: str


@router.post("/pdn/read")
def read(wish: GameText) -> list[LoadedLine]:
    """The games of a text."""
    game = open_game(wish.game)
    found = list(islice(read_trees(wish.text, game, named=open_game), _MOST_GAMES))
    if not found:
        raise BoardZeroError("there is no game in this text")
    return [_line(tree) for tree in found]


@router.post("/pdn/write")
def write(line: Line) -> TextView:
    """A line in the format that others read."""
    return TextView(text=write_tree(GameTree.of(state_of(line))))


@router.post("/svg")
def svg(line: Line) -> TextView:
    """A picture of the position that a line leads to."""
    return TextView(text=state_of(line).svg())


def _line(tree: GameTree) -> LoadedLine:
    fen = None if tree.begins_as_usual else tree.position.fen()
    return LoadedLine(
        game=tree.game.spec, fen=fen, moves=[str(node.move) for node in tree.mainline()]
    )
