"""What goes over the wire, in both directions.

What comes in forbids unknown fields and bounds every text; what goes out is described, so that the
OpenAPI schema says all of it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

__all__ = [
    "Analyse",
    "CandidateView",
    "CellView",
    "ClockSetting",
    "ClockView",
    "Command",
    "EndingView",
    "ForcedView",
    "GameInfo",
    "GameSummary",
    "GameView",
    "GeometryView",
    "LevelView",
    "Line",
    "LineView",
    "MoveView",
    "NewGame",
    "OptionView",
    "PieceView",
    "PositionView",
    "SeatView",
    "Setup",
    "ThoughtView",
    "commands",
]

SpecText = Annotated[str, Field(min_length=1, max_length=200)]
MoveText = Annotated[str, Field(min_length=1, max_length=100)]
FenText = Annotated[str, Field(max_length=2000)]
MoveTexts = Annotated[list[MoveText], Field(max_length=2000)]


class Incoming(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Outgoing(BaseModel):
    model_config = ConfigDict(frozen=True)


# Boards and positions


class CellView(Outgoing):
    cell: int
    row: int
    column: int
    label: str


class GeometryView(Outgoing):
    kind: Literal["squares", "points", "hexes"]
    rows: int
    columns: int
    cells: list[CellView]


class PieceView(Outgoing):
    cell: int
    owner: int
    kind: str


class MoveView(Outgoing):
    text: str
    path: list[int]
    captured: list[int]


class ForcedView(Outgoing):
    """Why only some pieces may move: a capture is mandatory, in some games the largest one."""

    rule: Literal["any", "largest"]
    captures: int
    cells: list[int]


class EndingView(Outgoing):
    winner: int | None
    reason: str


class PositionView(Outgoing):
    fen: str
    to_move: int
    pieces: list[PieceView]
    moves: list[MoveView]
    last: MoveView | None = None
    forced: ForcedView | None = None
    ending: EndingView | None = None
    exits: list[int] | None = None  # chexers: pieces that have left, by seat


# The catalogue


class OptionView(Outgoing):
    name: str
    default: str
    help: str
    choices: list[str]
    low: float | None
    high: float | None


class LevelView(Outgoing):
    name: str
    spec: str
    rating: float | None


class GameInfo(Outgoing):
    name: str
    spec: str
    title: str
    summary: str
    seats: list[str]
    options: list[OptionView]
    geometry: GeometryView
    start: PositionView
    levels: list[LevelView]
    analysts: list[str]
    editable: bool  # whether a position can be put together piece by piece


# Games that are played


class ClockSetting(Incoming):
    minutes: float = Field(gt=0, le=180)
    increment: float = Field(default=0, ge=0, le=60)


class NewGame(Incoming):
    game: SpecText
    seats: Annotated[list[SpecText], Field(min_length=2, max_length=4)]  # "human" or a player
    clock: ClockSetting | None = None
    fen: FenText | None = None
    moves: MoveTexts = []


class SeatView(Outgoing):
    name: str  # of the colour
    player: str  # "human" or a player's spec
    value: float | None = None  # what it thought of its last move, in [-1, 1]


class ClockView(Outgoing):
    minutes: float  # that each seat began with
    increment: float
    left: list[float]  # seconds by seat
    running: int | None


class GameView(Outgoing):
    id: str
    game: str
    title: str
    seats: list[SeatView]
    start: str | None
    moves: list[str]
    position: PositionView
    clock: ClockView | None
    thinking: bool
    waiting: int  # place in the queue for thought; 0 is none
    paused: bool
    draw_offer: int | None
    can_undo: bool
    trouble: str | None = None  # why a player that should move does not


class GameSummary(Outgoing):
    id: str
    game: str
    title: str
    seats: list[str]
    plies: int
    ending: EndingView | None
    updated: str
    position: PositionView


class PlayMove(Incoming):
    type: Literal["move"]
    text: MoveText


class Simple(Incoming):
    type: Literal["undo", "resign", "offer_draw", "hint", "pause", "resume"]


class AnswerDraw(Incoming):
    type: Literal["answer_draw"]
    accept: bool


Command = Annotated[PlayMove | Simple | AnswerDraw, Field(discriminator="type")]
commands: TypeAdapter[PlayMove | Simple | AnswerDraw] = TypeAdapter(Command)


# Study


class PlacedPiece(Incoming):
    cell: int
    owner: int = Field(ge=0, le=3)
    kind: Annotated[str, Field(max_length=20)]


class Setup(Incoming):
    """A position made in the editor."""

    game: SpecText
    to_move: int = Field(ge=0, le=3)
    pieces: Annotated[list[PlacedPiece], Field(max_length=400)]


class Line(Incoming):
    """A position by how it came about, because rules look at the past too."""

    game: SpecText
    fen: FenText | None = None
    moves: MoveTexts = []


class FrameView(Outgoing):
    fen: str
    to_move: int
    pieces: list[PieceView]
    last: MoveView | None
    ending: EndingView | None
    exits: list[int] | None


class LineView(Outgoing):
    game: str
    title: str
    seats: list[str]
    start: str | None
    moves: list[str]
    frames: list[FrameView]
    tags: dict[str, str] = {}


class CandidateView(Outgoing):
    move: MoveView
    visits: int
    value: float | None  # for the mover, in [-1, 1]
    prior: float | None


class ThoughtView(Outgoing):
    """What a player thinks of a position, its best move first."""

    candidates: list[CandidateView]
    value: float | None
    pv: list[str]
    depth: int
    nodes: int
    time: float


class Analyse(Incoming):
    type: Literal["analyse"]
    line: Line
    player: SpecText
    seconds: float = Field(default=10, gt=0, le=60)
