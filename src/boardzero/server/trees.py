"""Studies: game trees over the wire, kept as one goes, read from files and written to them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from secrets import token_urlsafe
from time import time
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from boardzero.base.errors import BoardZeroError
from boardzero.games import Arrow, Evaluation, GameNode, GameTree, read_trees, write_tree
from boardzero.games.notation.files import file_extension
from boardzero.server.catalog import open_game
from boardzero.server.messages import Incoming, Outgoing, SpecText
from boardzero.server.parts import part
from boardzero.server.saved import SavedStudies
from boardzero.server.strict_json import StrictRoute

router = APIRouter(prefix="/api", tags=["study"], route_class=StrictRoute)

_MOST_GAMES = 200  # read from one text
_MOST_NODES = 20_000  # of one tree
_MOST_PROBLEMS = 20  # told of one text

Key = Annotated[str, Path(max_length=40, pattern=r"^[\w-]+$")]
TheStudies = Annotated[SavedStudies, part(SavedStudies)]
Comment = Annotated[str, Field(max_length=10_000)]


class _BothWays(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ArrowData(_BothWays):
    tail: int
    head: int
    color: Literal["green", "red", "yellow", "blue"]


class EvaluationData(_BothWays):
    seat: int = Field(ge=0, le=3)
    value: float = Field(ge=-1, le=1)


class NodeData(_BothWays):
    """A node and the number of its parent, which stands before it; the root is its own, 0."""

    parent: int = Field(ge=0)
    move: Annotated[str, Field(max_length=100)]  # empty at the root
    comment: Comment
    nags: Annotated[list[int], Field(max_length=20)]
    evaluation: EvaluationData | None
    arrows: Annotated[list[ArrowData], Field(max_length=60)]


class TreeData(_BothWays):
    """A game tree; of two nodes with one parent, the first is the main line."""

    game: SpecText
    fen: Annotated[str, Field(max_length=2000)] | None  # None for the usual start
    tags: Annotated[dict[str, Annotated[str, Field(max_length=500)]], Field(max_length=40)]
    result: Annotated[str, Field(max_length=20)]
    nodes: Annotated[list[NodeData], Field(min_length=1, max_length=_MOST_NODES)]


class TreeText(Incoming):
    game: SpecText  # where the text itself does not say
    text: Annotated[str, Field(max_length=1_000_000)]


class ReadTrees(Outgoing):
    """The games of a text, and what was wrong with it."""

    trees: list[TreeData]
    problems: list[str]


class WrittenTree(Outgoing):
    text: str
    extension: str


class StudySummary(Outgoing):
    key: str
    game: str
    tags: dict[str, str]
    result: str
    moves: int
    updated: float  # seconds since 1970


class SavedKey(Outgoing):
    key: str


@router.post("/trees/read")
def read(wish: TreeText) -> ReadTrees:
    """The games of a PDN, SGF or plain text; of a faulty one the good part."""
    game = open_game(wish.game)
    problems: list[str] = []
    found = read_trees(
        wish.text, game, named=open_game, on_error=lambda error: problems.append(str(error))
    )
    trees = list(islice(found, _MOST_GAMES))
    if not any(tree.variations for tree in trees) and problems:
        raise BoardZeroError(problems[0])
    if not trees:
        raise BoardZeroError("there is no game in this text")
    if len(trees) == _MOST_GAMES:
        problems.append(f"only the first {_MOST_GAMES} games were read")
    return ReadTrees(trees=[tree_data(t) for t in trees], problems=problems[:_MOST_PROBLEMS])


@router.post("/trees/write")
def write(data: TreeData) -> WrittenTree:
    """A tree in the format that others read."""
    tree = tree_of(data)
    return WrittenTree(text=write_tree(tree), extension=file_extension(tree.game))


@router.get("/studies")
def studies(
    saved: TheStudies, limit: Annotated[int, Query(ge=1, le=200)] = 50
) -> list[StudySummary]:
    """What was studied last."""
    return [_summary(key, json.loads(data)) for key, data in saved.newest(limit)]


@router.post("/studies", status_code=201)
def new_study(data: TreeData, saved: TheStudies) -> SavedKey:
    """Keep a tree from now on."""
    key = token_urlsafe(9)
    _keep(saved, key, data)
    return SavedKey(key=key)


@router.put("/studies/{key}")
def save_study(key: Key, data: TreeData, saved: TheStudies) -> SavedKey:
    """Keep what the tree has become."""
    _keep(saved, key, data)
    return SavedKey(key=key)


@router.get("/studies/{key}")
def study(key: Key, saved: TheStudies) -> TreeData:
    """A tree that was kept."""
    data = saved.load(key)
    if data is None:
        raise HTTPException(404, "there is no such study")
    return TreeData.model_validate(json.loads(data)["tree"])


@router.delete("/studies/{key}")
def delete_study(key: Key, saved: TheStudies) -> SavedKey:
    """Forget a tree."""
    saved.delete(key)
    return SavedKey(key=key)


def _keep(saved: SavedStudies, key: str, data: TreeData) -> None:
    tree_of(data)  # nothing is kept that could not be shown again
    now = time()
    text = json.dumps({"tree": data.model_dump(), "updated": now})
    saved.save(key, text, now).result()  # told only when it is on disk


def _summary(key: str, saved: dict[str, object]) -> StudySummary:
    tree = TreeData.model_validate(saved["tree"])
    return StudySummary(
        key=key,
        game=tree.game,
        tags=tree.tags,
        result=tree.result,
        moves=len(tree.nodes) - 1,
        updated=float(str(saved["updated"])),
    )


def tree_data(tree: GameTree) -> TreeData:
    """A tree for the wire; its nodes each after their parent, main lines first."""
    return TreeData(
        game=tree.game.spec,
        fen=None if tree.begins_as_usual else tree.position.fen(),
        tags={name: value[:500] for name, value in list(tree.tags.items())[:40]},
        result=tree.result[:20],
        nodes=list(islice(_nodes(tree), _MOST_NODES)),
    )


def _nodes(tree: GameTree) -> Iterator[NodeData]:
    numbers: dict[int, int] = {}
    for number, node in enumerate(tree.walk()):
        numbers[id(node)] = number
        comment = f"{node.starting_comment} {node.comment}".strip()
        value = node.evaluation
        yield NodeData(
            parent=0 if node.parent is None else numbers[id(node.parent)],
            move="" if node.move is None else node.move.text,
            comment=comment[:10_000],
            nags=node.nags[:20],
            evaluation=EvaluationData(seat=value.seat, value=value.value) if value else None,
            arrows=[ArrowData(tail=a.tail, head=a.head, color=a.color) for a in node.arrows[:60]],
        )


def tree_of(data: TreeData) -> GameTree:
    """The tree that came over the wire; says which node is wrong."""
    game = open_game(data.game)
    start = game.parse_fen(data.fen) if data.fen else None
    tree = GameTree(game, start=start, tags=data.tags, result=data.result)
    nodes: list[GameNode] = []
    for number, node in enumerate(data.nodes):
        if number and node.parent >= number:
            raise BoardZeroError(f"node {number} of the tree stands before its parent")
        try:
            made = nodes[node.parent].add_variation(node.move) if number else tree
        except BoardZeroError as error:
            raise BoardZeroError(f"node {number} of the tree: {error}") from None
        _annotate(made, node)
        nodes.append(made)
    return tree


def _annotate(made: GameNode, node: NodeData) -> None:
    game = made.position.game
    made.comment, made.nags = node.comment, list(node.nags)
    if node.evaluation is not None and node.evaluation.seat < game.players:
        made.evaluation = Evaluation(node.evaluation.seat, node.evaluation.value)
    places = game.geometry.places
    made.arrows = [
        Arrow(a.tail, a.head, a.color) for a in node.arrows if a.tail in places and a.head in places
    ]
