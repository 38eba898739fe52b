"""How well nets that pick a piece, then its move, know the rules.

A net plays games; each of its choices is legal at once, or its tries are counted until one is. What
is wrong with a try has one of eight names (Ocheretian 2022, figures 5.7 and 5.8), or a ninth for
squares that are out of the piece's reach, which those figures do not show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from boardzero.arena.schedule import derived_seed
from boardzero.games import Game, State
from boardzero.lodz.board_view import EMPTY, ShownBoard
from boardzero.lodz.picker import Pick, Picker, pick
from boardzero.players import make_player
from boardzero.players.registry import with_seed

PIECE_ERRORS = ("cannot move", "misses a jump", "empty square", "opponent's piece")
MOVE_ERRORS = (
    "occupied square",
    "misses a jump",
    "jumps over no opponent",
    "stays where it is",
    "out of reach",  # the ninth
)

Error = tuple[str, str]  # "piece" or "move", and what is wrong


@dataclass(slots=True)
class Tally:
    """What was counted."""

    decisions: int = 0
    first: int = 0  # decisions whose first choice was legal
    piece_choices: int = 0  # decisions in which a piece was to be chosen
    first_pieces: int = 0  # of these, the first piece could move
    tries: int = 0  # that were illegal
    errors: Counter[Error] = field(default_factory=Counter)  # of all tries
    first_errors: Counter[Error] = field(default_factory=Counter)  # of first choices
    results: Counter[int] = field(default_factory=Counter)  # 1 won, 0 drawn, -1 lost
    best_ratio: float = 0.0  # of a single game
    begun_well: list[int] = field(default_factory=list)  # of each game, decisions before the first
    # whose first choice was illegal
    _well: bool = True  # no choice of the present game was

    @property
    def ratio(self) -> float:
        """Correct to incorrect choices; infinite where none was incorrect."""
        return self.decisions / self.tries if self.tries else float("inf")

    @property
    def legal(self) -> float:
        """The share of decisions whose first choice was legal."""
        return self.first / self.decisions if self.decisions else 0.0

    def begin_game(self) -> None:
        self.begun_well.append(0)
        self._well = True

    def add(self, view: ShownBoard, picked: Pick, found: Sequence[Error]) -> None:
        """Count a decision and what is wrong with its tries."""
        self._well = self._well and picked.is_first_choice
        if self.begun_well:
            self.begun_well[-1] += self._well
        self.decisions += 1
        self.first += picked.is_first_choice
        self.tries += picked.tries
        self.errors.update(found)
        self.first_errors.update(found[:1])
        if view.capturing is None:
            self.piece_choices += 1
            self.first_pieces += not picked.wrong_pieces


def examine(
    picker: Picker, game: Game, opponents: Sequence[str], *, games: int, seed: int = 0
) -> Iterator[Tally]:
    """Play games against each opponent in turn, seats alternating; the tally after each game.

    The opponent "self" is the net itself.
    """
    tally = Tally()
    for number in range(games):
        spec = opponents[number % len(opponents)]
        seat = number // len(opponents) % 2
        before = (tally.decisions, tally.tries)
        tally.begin_game()
        _play(picker, game, spec, seat, derived_seed(seed, number), tally)
        decisions, tries = tally.decisions - before[0], tally.tries - before[1]
        tally.best_ratio = max(tally.best_ratio, decisions / tries if tries else float("inf"))
        yield tally


def _play(picker: Picker, game: Game, spec: str, seat: int, seed: int, tally: Tally) -> None:
    state = game.start()
    rival = None if spec == "self" else make_player(with_seed(spec, seed), game)
    try:
        while (outcome := state.outcome()) is None and len(state.history) < 1000:
            if rival is None or state.to_move == seat:
                _choose(picker, state, game.shape.columns, tally)
            else:
                state.play(rival.choose(state.copy()).move)
    finally:
        if rival is not None:
            rival.close()
    winner = None if outcome is None else outcome.winner
    tally.results[0 if winner is None or rival is None else 1 if winner == seat else -1] += 1


def _choose(picker: Picker, state: State, columns: int, tally: Tally) -> None:
    view = ShownBoard.of(state.native, picker.orientation)
    picked = pick(picker, view)
    forward = 1 if picker.orientation == "fixed" and state.native.relative(0) != 0 else -1
    tally.add(view, picked, errors_of(view, picked, columns=columns, forward=forward))
    state.play_action(view.steps[picked.piece, picked.target])


def errors_of(view: ShownBoard, picked: Pick, *, columns: int, forward: int = -1) -> list[Error]:
    """What is wrong with each try, in their order; men go `forward` by rows."""
    board = _Board(view, columns, forward)
    pieces = [("piece", board.piece_error(square)) for square in picked.wrong_pieces]
    moves = [("move", board.move_error(picked.piece, square)) for square in picked.wrong_targets]
    return pieces + moves


class _Board:
    """A board of draughts by rows and columns, as far as errors need it."""

    def __init__(self, view: ShownBoard, columns: int, forward: int) -> None:
        self._forward = forward
        self._levels = view.board.tolist()
        self._columns = columns
        self._jumps = any(self._distance(start, end) > 1 for start, end in view.steps)

    def piece_error(self, square: int) -> str:
        level = self._levels[square]
        if level == EMPTY:
            return "empty square"
        if level < EMPTY:
            return "opponent's piece"
        # What would be free to move if nobody had to jump has missed the jump.
        return "misses a jump" if self._jumps and self._quiet(square) else "cannot move"

    def move_error(self, piece: int, target: int) -> str:
        if target == piece:
            return "stays where it is"
        if self._levels[target] != EMPTY:
            return "occupied square"
        if target in self._quiet(piece):
            return "misses a jump"
        return "jumps over no opponent" if self._is_jump(piece, target) else "out of reach"

    def _quiet(self, square: int) -> set[int]:
        """Where a piece could step if there were no captures."""
        row, column = self._place(square)
        ways = (self._forward,) if self._levels[square] == EMPTY + 1 else (-1, 1)
        near = {self._square(row + up, column + side) for up in ways for side in (-1, 1)}
        return {there for there in near if there is not None and self._levels[there] == EMPTY}

    def _is_jump(self, piece: int, target: int) -> bool:
        (row, column), (to_row, to_column) = self._place(piece), self._place(target)
        return abs(to_row - row) == 2 and abs(to_column - column) == 2

    def _distance(self, start: int, end: int) -> int:
        return abs(self._place(start)[0] - self._place(end)[0])

    def _place(self, square: int) -> tuple[int, int]:
        row, place = divmod(square, self._columns)
        return row, 2 * place + (row % 2 == 0)

    def _square(self, row: int, column: int) -> int | None:
        rows = len(self._levels) // self._columns
        if not (0 <= row < rows and 0 <= column < 2 * self._columns):
            return None
        return row * self._columns + column // 2
