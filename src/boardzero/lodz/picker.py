"""Nets that pick a piece, then its move, and how a legal step comes of it.

A single net answers both questions at once; a double net has one net for the piece and another,
which is told the piece, for its move. What they like best may be illegal: then the next best is
tried, and so on. The tries that failed are kept, because they tell how well a net knows the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from boardzero._core import NativeState
from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, make
from boardzero.lodz.board_view import (
    Floats,
    Input,
    Levels,
    Orientation,
    ShownBoard,
    as_input,
    squares_of,
    with_piece,
)
from boardzero.models.card import ModelCard
from boardzero.models.kinds import ModelKind, read_model_for
from boardzero.models.onnx import OnnxSession


class Picker(Protocol):
    """Says how much it likes each square; the larger the better."""

    @property
    def orientation(self) -> Orientation: ...

    def pieces(self, boards: Levels) -> Floats:
        """For each board [rows, squares] the squares of pieces to move."""

    def targets(self, boards: Levels, pieces: NDArray[np.integer]) -> Floats:
        """The squares to move them to."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A legal step, and what was tried before it."""

    piece: int
    target: int
    wrong_pieces: tuple[int, ...]
    wrong_targets: tuple[int, ...]  # for the piece that can move

    @property
    def is_first_choice(self) -> bool:
        return not self.wrong_pieces and not self.wrong_targets

    @property
    def tries(self) -> int:
        """Those that failed."""
        return len(self.wrong_pieces) + len(self.wrong_targets)


def pick(picker: Picker, view: ShownBoard) -> Pick:
    """The step that the nets like best among the legal ones, piece first."""
    boards = view.board[None]
    wrong_pieces: tuple[int, ...] = ()
    piece = view.capturing  # a capture goes on with the piece that began it
    if piece is None:
        piece, wrong_pieces = _first(picker.pieces(boards)[0], view.pieces)
    liked = picker.targets(boards, np.array([piece]))[0]
    target, wrong_targets = _first(liked, view.targets(piece))
    return Pick(piece, target, wrong_pieces, wrong_targets)


def pick_turn(picker: Picker, state: NativeState) -> list[int]:
    """The actions of the mover's whole turn: one step, or as many as it jumps."""
    after = state.clone()
    actions: list[int] = []
    while after.to_move == state.to_move and after.outcome() is None:
        view = ShownBoard.of(after, picker.orientation)
        picked = pick(picker, view)
        actions.append(view.steps[picked.piece, picked.target])
        after.play(actions[-1])
    return actions


def _first(liked: Floats, legal: set[int]) -> tuple[int, tuple[int, ...]]:
    """The square liked best that is legal, and those liked better."""
    order = np.argsort(-liked, kind="stable").tolist()
    place = next(i for i, square in enumerate(order) if square in legal)
    return order[place], tuple(order[:place])


class OnnxPicker:
    """The nets of a model folder."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.card = read_model_for("net", folder, game)
        self.squares = squares_of(game)
        kind, _, view = self.card.nets[0].encoding.partition("/")
        self.kind, self.orientation = cast(Input, kind), cast(Orientation, view or "turned")
        self._nets = [
            OnnxSession(folder / net.file, takes="input", gives=["output"])
            for net in self.card.nets
        ]
        width = self.squares * (5 if kind == "one-hot" else 1)
        wanted = [(width, self.squares), (width + self.squares, self.squares)]
        if self.card.method == "single":
            wanted = [(width, 2 * self.squares)]
        if [(*net.input_shape, *net.widths) for net in self._nets] != wanted:
            raise BoardZeroError(f"the nets of {folder} do not fit what their card says")

    def pieces(self, boards: Levels) -> Floats:
        return self._nets[0].run(as_input(boards, self.kind))[0][:, : self.squares]

    def targets(self, boards: Levels, pieces: NDArray[np.integer]) -> Floats:
        inputs = as_input(boards, self.kind)
        if self.card.method == "single":
            return self._nets[0].run(inputs)[0][:, self.squares :]
        return self._nets[1].run(with_piece(inputs, pieces, self.squares))[0]


def _check(folder: Path, card: ModelCard) -> None:
    OnnxPicker(folder, make(card.game))


PICKED = ModelKind(("net",), _check)  # the method of such a model's card is the style of its nets
