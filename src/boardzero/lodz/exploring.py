"""Games of nets with themselves, many at a time, and what can be learned from them.

With some chance a step is random; otherwise the nets pick it, and what they like better and may not
do is remembered as bad. A legal step is followed, for learning, by the next position in which the
same player has the move: there the best that it can do is worth what this step is worth.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from boardzero._core import NativeState
from boardzero.lodz.board_view import Levels, ShownBoard
from boardzero.lodz.picker import Picker, pick

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Step:
    board: Levels
    legal: Bools  # [pieces, targets]
    piece: int
    target: int
    chose_piece: bool  # not so where a capture goes on


@dataclass(slots=True)
class _Live:
    """A game under way."""

    state: NativeState
    view: ShownBoard
    steps: tuple[list[_Step], list[_Step]] = field(default_factory=lambda: ([], []))
    bad_pieces: list[tuple[Levels, int]] = field(default_factory=list)
    bad_moves: list[tuple[Levels, int, int]] = field(default_factory=list)
    count: int = 0


@dataclass(frozen=True, slots=True)
class Experience:
    """What one game teaches, as rows for stores."""

    bad_pieces: dict[str, NDArray[np.generic]]  # board, piece
    bad_moves: dict[str, NDArray[np.generic]]  # board, piece, target
    good: dict[str, NDArray[np.generic]]  # see `good_columns`
    decisions: int


class Explorers:
    """So many games at once; a finished one is followed by a new one."""

    def __init__(
        self, start: NativeState, picker: Picker, *, squares: int, games: int, max_steps: int
    ) -> None:
        self._start = start
        self._picker = picker
        self._squares = squares
        self._max_steps = max_steps
        self._live = [self._new() for _ in range(games)]

    def advance(self, rng: np.random.Generator, explore: float) -> list[Experience]:
        """One step of every game; the games that this has finished."""
        games = self._live
        boards = np.stack([game.view.board for game in games])
        legal = np.stack([_matrix(game.view, self._squares) for game in games])
        random = rng.random(len(games)) < explore
        chosen = np.empty((len(games), 2), np.int64)
        for row in np.flatnonzero(random).tolist():
            steps = list(games[row].view.steps)
            chosen[row] = steps[rng.integers(len(steps))]
        rows = np.flatnonzero(~random)
        if len(rows):
            chosen[rows] = self._picked(rows, boards[rows], legal[rows])
        finished = []
        for row, game in enumerate(games):
            piece, target = chosen[row].tolist()
            view, seat = game.view, game.state.to_move
            step = _Step(view.board, legal[row], piece, target, view.capturing is None)
            game.steps[seat].append(step)
            game.state.play(view.steps[piece, target])
            game.count += 1
            outcome = game.state.outcome()
            if outcome is not None or game.count >= self._max_steps:
                values = (0.0, 0.0) if outcome is None else outcome.values
                finished.append(_experience(game, values, self._squares))
                games[row] = self._new()
            else:
                game.view = ShownBoard.of(game.state, self._picker.orientation)
        return finished

    def _new(self) -> _Live:
        state = self._start.clone()
        return _Live(state, ShownBoard.of(state, self._picker.orientation))

    def _picked(self, rows: NDArray[np.int64], boards: Levels, legal: Bools) -> NDArray[np.int64]:
        """What the nets like best among the legal steps; what they liked better is noted."""
        games = [self._live[row] for row in rows]
        movable = np.any(legal, axis=2)
        pieces, wrong = _best(self._picker.pieces(boards), movable)
        for place, game in enumerate(games):
            if game.view.capturing is not None:
                pieces[place] = game.view.capturing
            else:
                game.bad_pieces += [(boards[place], square) for square in wrong[place]]
        reachable = legal[np.arange(len(rows)), pieces]
        targets, wrong = _best(self._picker.targets(boards, pieces), reachable)
        for place, game in enumerate(games):
            piece = int(pieces[place])
            game.bad_moves += [(boards[place], piece, square) for square in wrong[place]]
        return np.stack([pieces, targets], axis=1)


def good_columns(squares: int) -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
    """The columns of legal steps.

    `result` is the game's for the player, `left` how many steps it had still to make; `over` says
    that this was its last. `legal_*` are masks of the choice itself, `next_legal` the packed matrix
    of what is legal in the player's next position.
    """
    return {
        "board": (np.uint8, (squares,)),
        "piece": (np.uint8, ()),
        "target": (np.uint8, ()),
        "chose_piece": (np.uint8, ()),
        "legal_pieces": (np.uint8, (squares,)),
        "legal_targets": (np.uint8, (squares,)),
        "result": (np.float32, ()),
        "left": (np.uint16, ()),
        "over": (np.uint8, ()),
        "next_board": (np.uint8, (squares,)),
        "next_legal": (np.uint8, (-(-squares * squares // 8),)),
    }


def _experience(game: _Live, values: tuple[float, ...] | list[float], squares: int) -> Experience:
    rows: dict[str, list[object]] = {name: [] for name in good_columns(squares)}
    for seat, steps in enumerate(game.steps):
        for place, step in enumerate(steps):
            last = place + 1 == len(steps)
            after = step if last else steps[place + 1]
            rows["board"].append(step.board)
            rows["piece"].append(step.piece)
            rows["target"].append(step.target)
            rows["chose_piece"].append(step.chose_piece)
            rows["legal_pieces"].append(step.legal.any(axis=1))
            rows["legal_targets"].append(step.legal[step.piece])
            rows["result"].append(values[seat])
            rows["left"].append(len(steps) - 1 - place)
            rows["over"].append(last)
            rows["next_board"].append(after.board)
            rows["next_legal"].append(np.packbits(after.legal))
    columns = good_columns(squares)
    return Experience(
        bad_pieces={
            "board": _boards([b for b, _ in game.bad_pieces], squares),
            "piece": np.array([p for _, p in game.bad_pieces], np.uint8),
        },
        bad_moves={
            "board": _boards([b for b, _, _ in game.bad_moves], squares),
            "piece": np.array([p for _, p, _ in game.bad_moves], np.uint8),
            "target": np.array([t for _, _, t in game.bad_moves], np.uint8),
        },
        good={name: np.array(rows[name], dtype) for name, (dtype, _) in columns.items()},
        decisions=game.count,
    )


def _boards(boards: list[Levels], squares: int) -> Levels:
    return np.array(boards, np.uint8).reshape(len(boards), squares)


def _matrix(view: ShownBoard, squares: int) -> Bools:
    legal = np.zeros((squares, squares), np.bool_)
    legal[tuple(zip(*view.steps, strict=True))] = True
    return legal


def _best(liked: NDArray[np.float32], legal: Bools) -> tuple[NDArray[np.int64], list[list[int]]]:
    """For each row the legal square liked best, and the squares liked better."""
    order = np.argsort(-liked, axis=1, kind="stable")
    place = np.take_along_axis(legal, order, axis=1).argmax(axis=1)
    best = order[np.arange(len(order)), place]
    return best, [row[:n].tolist() for row, n in zip(order, place, strict=True)]


@dataclass(frozen=True, slots=True)
class TestGame:
    """How a net does in a game with itself, without exploring."""

    __test__ = False  # not a test for pytest

    decisions: int
    first: int  # decisions whose first choice was legal
    wrong: int  # tries that were illegal

    @property
    def ratio(self) -> float:
        """Correct to incorrect choices (Ocheretian 2022, section 5.3); infinite if all were."""
        return self.decisions / self.wrong if self.wrong else float("inf")


def play_test_game(start: NativeState, picker: Picker, max_steps: int = 1000) -> TestGame:
    """A game that the nets play with themselves as well as they can."""
    state = start.clone()
    decisions = first = wrong = 0
    while decisions < max_steps and state.outcome() is None:
        view = ShownBoard.of(state, picker.orientation)
        picked = pick(picker, view)
        decisions += 1
        first += picked.is_first_choice
        wrong += picked.tries
        state.play(view.steps[picked.piece, picked.target])
    return TestGame(decisions, first, wrong)
