"""The addresses of puzzles, and of trying a better move than the one that was played."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query

from boardzero.base.errors import BoardZeroError
from boardzero.games import State
from boardzero.players import Choice, Limit
from boardzero.server.catalog import open_game
from boardzero.server.engines import EnginePool, Order, ThePool, Urgency
from boardzero.server.messages import Incoming, Line, MoveText, Outgoing
from boardzero.server.replay import state_of
from boardzero.server.strict_json import StrictRoute
from boardzero.study.lines import played_out
from boardzero.study.puzzles import Puzzle, daily, games_with_puzzles, puzzles
from boardzero.study.review import strongest

router = APIRouter(prefix="/api", tags=["study"], route_class=StrictRoute)

_AS_GOOD = 0.02  # of the winning chances: a move this near to the best one is accepted
_SECONDS = 0.4  # for each of the two moves that are compared

Spec = Annotated[str, Query(min_length=1, max_length=200)]


class PuzzleView(Outgoing):
    id: str
    game: str
    fen: str
    solution: list[str]
    rating: int
    theme: str


class PuzzleGames(Outgoing):
    game: str
    count: int


class Try(Incoming):
    """A move instead of the best one."""

    line: Line
    move: MoveText
    best: MoveText


class Tried(Outgoing):
    accepted: bool
    loss: float  # of winning chances against the best move
    refutation: list[str]  # what answers it


@router.get("/puzzles")
def games() -> list[PuzzleGames]:
    """The games that have puzzles, and how many."""
    return [
        PuzzleGames(game=spec, count=len(puzzles(open_game(spec)))) for spec in games_with_puzzles()
    ]


@router.get("/puzzles/daily")
def puzzle_of_the_day(game: Spec) -> PuzzleView:
    """The same for everybody until midnight, universal time."""
    try:
        return _view(daily(open_game(game), datetime.now(UTC).date()))
    except BoardZeroError as error:
        raise HTTPException(404, str(error)) from None


@router.get("/puzzles/next")
def next_puzzle(
    game: Spec,
    rating: Annotated[float, Query(ge=0, le=5000)] = 1200,
    done: Annotated[str, Query(max_length=20_000)] = "",
) -> PuzzleView:
    """One near the solver's rating that is not done yet; when all are, the first done again."""
    known = puzzles(open_game(game))
    if not known:
        raise HTTPException(404, f"there are no puzzles of {game}")
    solved = [key for key in done.split(",") if key]
    early = solved[: len(known) // 2 + 1]  # those done longest ago come again first
    fresh = [puzzle for puzzle in known if puzzle.id not in solved] or [
        puzzle for puzzle in known if puzzle.id in early
    ]
    return _view(min(fresh, key=lambda puzzle: abs(puzzle.rating - rating)))


@router.post("/try")
async def try_move(wish: Try, pool: ThePool) -> Tried:
    """Whether a move is as good as the best one, and what answers it if it is not."""
    state = state_of(wish.line)
    move, best = state.parse(wish.move), state.parse(wish.best)
    if move == best:
        return Tried(accepted=True, loss=0.0, refutation=[])
    values, line = [], list[str]()
    for option in (best, move):
        after = state.after(option)
        outcome = after.outcome()
        if outcome is not None:
            values.append(float(outcome.values[state.to_move]))
            line = []
            continue
        choice = await _ask(pool, wish, after)
        value = choice.value_for(state.to_move, after.to_move, state.game.players)
        values.append(0.0 if value is None else value)
        line = [str(reply) for reply in played_out(after, choice.pv)]
    loss = max(0.0, (values[0] - values[1]) / 2)
    return Tried(accepted=loss <= _AS_GOOD, loss=loss, refutation=line)


async def _ask(pool: EnginePool, wish: Try, state: State) -> Choice:
    player = strongest(state.game)
    order = Order(state, player, Limit(time=_SECONDS), ("try", wish.line.game), Urgency.ANALYSIS)
    return await pool.choose_whole(order)


def _view(puzzle: Puzzle) -> PuzzleView:
    return PuzzleView(
        id=puzzle.id,
        game=puzzle.game,
        fen=puzzle.fen,
        solution=list(puzzle.solution),
        rating=puzzle.rating,
        theme=puzzle.theme,
    )
