"""Games and positions as the page draws them. It knows no rules: it is told every legal move."""

from __future__ import annotations

from dataclasses import replace

from boardzero.games import Family, Game, Move, State, make, tablebase, without_endings
from boardzero.players import Candidate, Choice
from boardzero.server.catalog import analysts, offered_levels
from boardzero.server.messages import (
    BoardView,
    CellView,
    CounterView,
    DiagramView,
    EndingView,
    ForcedView,
    GameInfo,
    GeometryView,
    LevelView,
    MoveView,
    OptionView,
    PieceView,
    PositionView,
    TablesView,
    ThoughtView,
)

_SHOWN = 100  # candidates, which is all that a heat map needs


def game_info(family: Family, game: Game | None = None) -> GameInfo:
    """All that the page needs to offer and draw a game."""
    game = game or make(family.name)
    return GameInfo(
        name=family.name,
        spec=game.spec,
        plays=without_endings(game.spec),
        title=game.title,
        summary=family.summary,
        seats=list(game.seats),
        options=[OptionView.model_validate(option) for option in family.options],
        geometry=geometry_view(game),
        start=position_view(game.start()),
        levels=[LevelView.model_validate(level) for level in offered_levels(game)],
        analysts=analysts(game),
        editable=game.traits.composer is not None,
        pieces=list(game.traits.pieces),
        text=game.traits.text or game.name,
        diagrams=[DiagramView.model_validate(diagram) for diagram in game.traits.diagrams],
    )


def geometry_view(game: Game) -> GeometryView:
    geometry = game.geometry
    heading = dict(zip(game.seats, game.traits.goals, strict=False))
    return GeometryView(
        kind=geometry.kind,
        rows=geometry.rows,
        columns=geometry.columns,
        cells=[
            CellView(
                cell=cell,
                row=row,
                column=column,
                label=geometry.labels[cell],
                goal_of=[seat for seat, cells in heading.items() if cell in cells],
            )
            for cell, (row, column) in geometry.places.items()
        ],
    )


def position_view(state: State, *, ending: EndingView | None = None) -> PositionView:
    """A position with its legal moves; none, if the game ended by something off the board."""
    ending = ending or ending_view(state)
    moves = [] if ending else state.moves()
    return PositionView(
        **dict(board_view(state, ending)),
        moves=[move_view(move) for move in moves],
        forced=_forced(state, moves),
    )


def studied_view(state: State) -> PositionView:
    """A position with all that is known of it."""
    return position_view(state).model_copy(update={"tables": _tables(state)})


def _tables(state: State) -> TablesView | None:
    result = None if state.outcome() else tablebase.probe(state)
    if result is None:
        return None
    options = tablebase.moves(state)
    keeps = [option.move.text for option in options if option.result == result]
    return TablesView(result=result, keeps=keeps, only=len(keeps) < len(options))


def board_view(state: State, ending: EndingView | None = None) -> BoardView:
    """A position without its moves; it may have ended by something off the board."""
    return BoardView(
        fen=state.fen(),
        to_move=state.to_move,
        pieces=[PieceView.model_validate(piece) for piece in state.pieces()],
        last=None if state.last_move is None else move_view(state.last_move),
        ending=ending or ending_view(state),
        counters=[
            CounterView(name=counter.name, counts=counter.read(state))
            for counter in state.game.traits.counters
        ],
    )


def move_view(move: Move) -> MoveView:
    return MoveView.model_validate(move)


def thought_view(choice: Choice) -> ThoughtView:
    candidates = choice.candidates or [Candidate(choice.move, value=choice.value)]
    return ThoughtView.model_validate(replace(choice, candidates=candidates[:_SHOWN]))


def ending_view(state: State) -> EndingView | None:
    outcome = state.outcome()
    if outcome is None:
        return None
    deciding = state.game.traits.deciding
    cells = deciding(state) if deciding else []
    return EndingView(winner=outcome.winner, reason=outcome.reason, cells=cells)


def _forced(state: State, moves: list[Move]) -> ForcedView | None:
    traits = state.game.traits
    if not traits.must_capture or not moves or not moves[0].captured:
        return None
    return ForcedView(
        rule="largest" if traits.largest_capture else "any",
        captures=max(len(move.captured) for move in moves),
        cells=sorted({move.path[0] for move in moves}),
    )
