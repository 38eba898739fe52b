"""What goes over the wire, in both directions, by requests and by sockets.

What comes in forbids unknown fields and bounds every text; what goes out is described, so that the
schema says all of it and the page's types follow from it. A message on a socket says by its `kind`
what it is.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

SpecText = Annotated[str, Field(min_length=1, max_length=200)]
MoveText = Annotated[str, Field(min_length=1, max_length=100)]
FenText = Annotated[str, Field(max_length=2000)]
MoveTexts = Annotated[list[MoveText], Field(max_length=2000)]
RefusalCode = Literal["time_over", "draw_declined", "illegal"]
VerdictName = Literal["inaccuracy", "mistake", "blunder"]


class Incoming(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Outgoing(BaseModel):
    # It may be read off the attributes of what it shows (`model_validate`). What has a default is
    # sent too, so the page may rely on it.
    model_config = ConfigDict(
        frozen=True,
        from_attributes=True,
        json_schema_serialization_defaults_required=True,
        ser_json_inf_nan="null",
    )


# Boards and positions


class CellView(Outgoing):
    cell: int
    row: int
    column: int
    label: str
    goal_of: list[str]  # seats whose pieces head for it


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
    cells: list[int] = []  # that won it, where some did


class CounterView(Outgoing):
    """What the game counts beside the pieces on the board."""

    name: str  # key of the page's texts
    counts: list[int]  # one for each seat


class BoardView(Outgoing):
    """A position to look at: without its legal moves, which would fill a long line's answer."""

    fen: str
    to_move: int
    pieces: list[PieceView]
    last: MoveView | None
    ending: EndingView | None
    counters: list[CounterView]


class TablesView(Outgoing):
    """An ending that the endgame tables know: its result for the mover, and what keeps it."""

    result: Literal["win", "draw", "loss"]
    keeps: list[str]
    only: bool  # others do not


class PositionView(BoardView):
    """A position to play from."""

    moves: list[MoveView]
    forced: ForcedView | None
    tables: TablesView | None = None  # only in study: who plays must find out


# The catalogue


class OptionView(Outgoing):
    name: str
    default: Annotated[str, BeforeValidator(str)]
    help: str
    choices: list[str]
    low: float | None
    high: float | None
    ends_only: bool  # it says only how games end


class LevelView(Outgoing):
    name: str
    spec: str
    rating: float | None


class DiagramView(Outgoing):
    name: str  # key of the page's texts
    fen: str


class GameInfo(Outgoing):
    name: str
    spec: str
    plays: str  # the spec without what only says how games end: who learned the one plays the other
    title: str
    summary: str
    seats: list[str]
    options: list[OptionView]
    geometry: GeometryView
    start: PositionView
    levels: list[LevelView]
    analysts: list[str]
    editable: bool  # whether a position can be put together piece by piece,
    pieces: list[str]  # and from which kinds
    text: str  # key of the page's texts
    diagrams: list[DiagramView]  # positions of books


# Games that are played


class ClockSetting(Incoming):
    minutes: float = Field(gt=0, le=180)  # for the whole game,
    increment: float = Field(default=0, ge=0, le=60)  # seconds more after each move;
    per_move: bool = False  # or the minutes are for each single move


class GameRequest(Incoming):
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
    minutes: float  # that each seat began with, or has for each move
    increment: float
    per_move: bool
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
    unsaved: str | None = None  # why what is seen here would not survive the server


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
    kind: Literal["move"]
    text: MoveText


class AnswerDraw(Incoming):
    kind: Literal["answer_draw"]
    accept: bool


class SimpleCommand(Incoming):
    kind: Literal["undo", "resign", "offer_draw", "hint", "pause", "resume"]


PlayCommand = Annotated[PlayMove | AnswerDraw | SimpleCommand, Field(discriminator="kind")]


class ErrorNews(Outgoing):
    """Why a message changed nothing, in one sentence."""

    kind: Literal["error"] = "error"
    message: str
    code: RefusalCode | None = None  # of normal play: the page has its own words for it


class GameNews(Outgoing):
    """The game after every change."""

    kind: Literal["game"] = "game"
    game: GameView


class Hint(Outgoing):
    """What the best analyst would play."""

    kind: Literal["hint"] = "hint"
    ply: int
    move: MoveView
    value: float | None


class QueuePlace(Outgoing):
    """How many wait for a free processor before this thought; 0 when it goes on."""

    kind: Literal["queue"] = "queue"
    place: int


PlayNews = Annotated[GameNews | QueuePlace | Hint | ErrorNews, Field(discriminator="kind")]


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


class LineView(Outgoing):
    game: str
    title: str
    seats: list[str]
    start: str | None
    moves: list[str]
    positions: list[BoardView]  # before each move, and after the last


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
    kind: Literal["analyse"]
    line: Line
    player: SpecText
    seconds: float = Field(default=10, gt=0, le=60)


class Review(Incoming):
    kind: Literal["review"]
    line: Line
    player: SpecText
    seconds: float = Field(default=0.15, gt=0, le=5)  # for each position


class StopStudy(Incoming):
    kind: Literal["stop"]


StudyRequest = Annotated[Analyse | Review | StopStudy, Field(discriminator="kind")]


class AnalysisView(ThoughtView):
    kind: Literal["analysis"] = "analysis"
    ply: int
    fen: str
    mover: int


class VerdictView(Outgoing):
    """What became of the mover's winning chances, and what the best line would have brought."""

    name: VerdictName | None
    loss: float  # of winning chances, in [0, 1]
    best_gain: int  # pieces won less pieces lost along the best line
    played_gain: int  # the same along the line after the move played
    refutation: list[str]  # the line that answers the move played
    reason: dict[str, str]  # a sentence in each language; empty where nothing can be said


class ReviewView(Outgoing):
    """A position of a game: what the analyst would play, and what it says of the move played."""

    kind: Literal["review"] = "review"
    ply: int
    fen: str
    mover: int
    value: float | None  # of the best move, for the mover
    best: MoveView | None  # None where the game is over
    played: str | None
    pv: list[str]
    verdict: VerdictView | None  # None where nothing was played or the analyst has no opinion


class StudyDone(Outgoing):
    kind: Literal["done"] = "done"
    request: Literal["analyse", "review"]


StudyNews = Annotated[
    AnalysisView | ReviewView | QueuePlace | StudyDone | ErrorNews, Field(discriminator="kind")
]
