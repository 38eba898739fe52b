"""Games and positions as the page draws them. It knows no rules: it is told every legal move."""

from __future__ import annotations

from boardzero.games import Family, Game, Geometry, Move, Outcome, State, make
from boardzero.players import Candidate, Choice
from boardzero.server.catalog import analysts, levels
from boardzero.server.messages import (
    BoardView,
    CandidateView,
    CellView,
    CounterView,
    EndingView,
    ForcedView,
    GameInfo,
    GeometryView,
    LevelView,
    MoveView,
    OptionView,
    PieceView,
    PositionView,
    ThoughtView,
)

_SHOWN = 100  # candidates, which is all that a heat map needs


def game_info(family: Family, game: Game | None = None) -> GameInfo:
    """All that the page needs to offer and draw a game."""
    game = game or make(family.name)
    return GameInfo(
        name=family.name,
        spec=game.spec,
        title=game.title,
        summary=family.summary,
        seats=list(game.seats),
        options=[
            OptionView(
                name=option.name,
                default=str(option.default),
                help=option.help,
                choices=list(option.choices),
                low=option.low,
                high=option.high,
            )
            for option in family.options
        ],
        geometry=geometry_view(game.geometry),
        start=position_view(game.start()),
        levels=[
            LevelView(name=level.name, spec=level.spec, rating=level.rating)
            for level in levels(game)
        ],
        analysts=analysts(game),
        editable=game.traits.composer is not None,
    )


def geometry_view(geometry: Geometry) -> GeometryView:
    return GeometryView(
        kind=geometry.kind,
        rows=geometry.rows,
        columns=geometry.columns,
        cells=[
            CellView(cell=cell, row=row, column=column, label=geometry.labels[cell])
            for cell, (row, column) in geometry.places.items()
        ],
    )


def position_view(state: State, *, ending: EndingView | None = None) -> PositionView:
    """A position with its legal moves; none, if the game ended by something off the board."""
    ending = ending or ending_view(state.outcome())
    moves = [] if ending else state.moves()
    return PositionView(
        fen=state.fen(),
        to_move=state.to_move,
        pieces=_pieces(state),
        moves=[move_view(move) for move in moves],
        last=_last(state),
        forced=_forced(state, moves),
        ending=ending,
        counters=_counters(state),
    )


def board_view(state: State) -> BoardView:
    return BoardView(
        fen=state.fen(),
        to_move=state.to_move,
        pieces=_pieces(state),
        last=_last(state),
        ending=ending_view(state.outcome()),
        counters=_counters(state),
    )


def move_view(move: Move) -> MoveView:
    return MoveView(text=move.text, path=move.path, captured=move.captured)


def thought_view(choice: Choice) -> ThoughtView:
    candidates = choice.candidates or [Candidate(choice.move, value=choice.value)]
    return ThoughtView(
        candidates=[
            CandidateView(
                move=move_view(candidate.move),
                visits=candidate.visits,
                value=candidate.value,
                prior=candidate.prior,
            )
            for candidate in candidates[:_SHOWN]
        ],
        value=choice.value,
        pv=list(choice.pv),
        depth=choice.depth,
        nodes=choice.nodes,
        time=choice.time,
    )


def ending_view(outcome: Outcome | None) -> EndingView | None:
    if outcome is None:
        return None
    return EndingView(winner=outcome.winner, reason=outcome.reason)


def _pieces(state: State) -> list[PieceView]:
    return [PieceView(cell=p.cell, owner=p.owner, kind=p.kind) for p in state.pieces()]


def _last(state: State) -> MoveView | None:
    last = state.history[-1] if state.history else None
    return move_view(last) if isinstance(last, Move) else None


def _forced(state: State, moves: list[Move]) -> ForcedView | None:
    traits = state.game.traits
    if not traits.must_capture or not moves or not moves[0].captured:
        return None
    return ForcedView(
        rule="largest" if traits.largest_capture else "any",
        captures=max(len(move.captured) for move in moves),
        cells=sorted({move.path[0] for move in moves}),
    )


def _counters(state: State) -> list[CounterView]:
    return [
        CounterView(name=counter.name, counts=counter.read(state))
        for counter in state.game.traits.counters
    ]
