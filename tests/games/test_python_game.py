"""Games written in Python: what they get for free, and what happens when they break rules."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from boardzero import BoardZeroError, Ending, Game, PythonGame
from boardzero.games.conformance import check
from boardzero.players import make_player
from tests.games.tictactoe import TicTacToe


def broken(**parts: Any) -> PythonGame[str]:
    """Tic-tac-toe with some methods or attributes replaced."""
    kind: type[PythonGame[str]] = type("Broken", (TicTacToe,), parts)
    return kind()


# What a game gets for free.


def test_a_minimal_game_keeps_every_promise() -> None:
    check(TicTacToe().game())


def test_the_name_of_a_game_comes_from_its_class_unless_it_has_one() -> None:
    assert TicTacToe().game().spec == "tic_tac_toe"
    assert broken(name="noughts").game().spec == "noughts"
    assert TicTacToe().game().title == "Tic tac toe"


def test_the_default_encoding_puts_the_movers_pieces_first() -> None:
    state = TicTacToe().game().parse_fen("x..o.x...")
    own, other, ones = state.encode().reshape(3, -1)
    assert np.flatnonzero(own).tolist() == [3]
    assert np.flatnonzero(other).tolist() == [0, 5]
    assert ones.all()


def test_pieces_of_several_kinds_have_planes_of_their_own() -> None:
    game = broken(
        kinds=("man", "king"),
        cells=lambda _, s: [{"x": (0, "man"), "o": (1, "king"), ".": None}[c] for c in s],
    ).game()
    state = game.parse_fen("x..o.x...")
    assert [(p.cell, p.owner, p.kind) for p in state.pieces()] == [
        (0, 0, "man"),
        (3, 1, "king"),
        (5, 0, "man"),
    ]
    planes = state.encode().reshape(5, -1)
    assert [np.flatnonzero(plane).tolist() for plane in planes[:4]] == [[], [3], [0, 5], []]


def test_a_draw_is_not_mistaken_for_a_game_that_goes_on() -> None:
    game = TicTacToe().game()
    drawn = game.parse_fen("xoxxoxoxo").outcome()
    assert drawn is not None
    assert drawn.values == [0.0, 0.0]
    assert drawn.winner is None
    assert drawn.reason == "the board is full"
    assert game.start().outcome() is None


def test_bare_values_are_an_outcome_too_and_the_highest_wins() -> None:
    state = broken(outcome=lambda *_: (-0.25, 0.25)).game().start()
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.values, outcome.winner) == ([-0.25, 0.25], 1)


def test_a_game_without_end_is_drawn_at_its_length_limit() -> None:
    class Forever(PythonGame[int]):
        rows = columns = 1
        max_length = 50

        def initial(self) -> int:
            return 0

        def to_move(self, s: int) -> int:
            return s % 2

        def actions(self, s: int) -> list[int]:  # noqa: ARG002
            return [0]

        def play(self, s: int, action: int) -> int:
            return s + 1 + action

        def outcome(self, s: int) -> None:  # noqa: ARG002
            return None

        def cells(self, s: int) -> list[None]:  # noqa: ARG002
            return [None]

    game = Forever().game()
    assert game.start().native.playouts(games=3, seed=0) == 150
    state = game.start()
    while state.actions():
        state.play_action(0)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.values, outcome.reason) == ([0.0, 0.0], "length limit")
    with pytest.raises(BoardZeroError, match="no random game ended before the length limit"):
        check(game)


class Wide(PythonGame[int]):
    """Any cell, twice."""

    rows = columns = 140

    def initial(self) -> int:
        return 0

    def to_move(self, s: int) -> int:
        return s % 2

    def actions(self, s: int) -> range:  # noqa: ARG002
        return range(self.rows * self.columns)

    def play(self, s: int, action: int) -> int:  # noqa: ARG002
        return s + 1

    def outcome(self, s: int) -> tuple[float, float] | None:
        return (0.0, 0.0) if s == 2 else None

    def cells(self, s: int) -> list[None]:  # noqa: ARG002
        return [None] * self.rows * self.columns


def test_a_game_may_have_more_actions_than_memory_but_not_more_than_can_be_counted() -> None:
    game = Wide().game()
    player = make_player("mcts:rollouts=1,memory=1", game)
    assert player.choose(game.start()).nodes == 1

    class TooWide(Wide):
        rows = columns = 256

    with pytest.raises(BoardZeroError, match="65536 cells; give an action_count of at most 65535"):
        TooWide().game()


def test_three_players_may_move_in_any_order() -> None:
    class Race(PythonGame[tuple[int, int, int]]):
        """Whoever is last moves; who first has taken three steps wins."""

        players = 3
        rows, columns, action_count = 3, 4, 3

        def initial(self) -> tuple[int, int, int]:
            return (0, 0, 0)

        def to_move(self, s: tuple[int, int, int]) -> int:
            return s.index(min(s))

        def actions(self, s: tuple[int, int, int]) -> list[int]:  # noqa: ARG002
            return [1, 2]

        def play(self, s: tuple[int, int, int], action: int) -> tuple[int, int, int]:
            mover = self.to_move(s)
            a, b, c = (min(3, at + action * (seat == mover)) for seat, at in enumerate(s))
            return a, b, c

        def outcome(self, s: tuple[int, int, int]) -> Ending | None:
            return self.win(s.index(3), "home") if 3 in s else None

        def cells(self, s: tuple[int, int, int]) -> list[int | None]:
            return [seat if at == s[seat] else None for seat in range(3) for at in range(4)]

    check(Race().game())
    state = Race().game().start()
    for action in (1, 2, 1, 2):
        state.play_action(action)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.values, outcome.winner) == ([1.0, -1.0, -1.0], 0)


class Pair(NamedTuple):
    board: str
    mover: int


@dataclass(frozen=True)
class Record:
    board: str
    mover: int


@pytest.mark.parametrize(
    ("value", "fen"),
    [
        ("x.o", "x.o"),
        (7, "7"),
        (("x.o", 1, None), "('x.o', 1, None)"),
        (Pair("x.o", 1), "('x.o', 1)"),
        (Record("x.o", 1), "('x.o', 1)"),
    ],
)
def test_any_plain_value_has_a_fen_and_reads_back_as_what_it_was(value: object, fen: str) -> None:
    class Still(PythonGame[Any]):
        rows = columns = 1

        def initial(self) -> object:
            return value

        def to_move(self, s: object) -> int:  # noqa: ARG002
            return 0

        def actions(self, s: object) -> list[int]:  # noqa: ARG002
            return [0]

        def play(self, s: object, action: int) -> object:  # noqa: ARG002
            return s

        def outcome(self, s: object) -> None:  # noqa: ARG002
            return None

        def cells(self, s: object) -> list[None]:  # noqa: ARG002
            return [None]

    rules = Still()
    assert rules.fen(value) == fen
    assert rules.parse_fen(fen) == value
    assert type(rules.parse_fen(fen)) is type(value)


def test_keys_are_the_same_in_every_process() -> None:
    assert TicTacToe().game().start().key() == 13301408293011753088


def test_a_script_with_rules_and_a_state_in_globals_ends_without_noise(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    rules = (Path(__file__).parents[2] / "examples" / "connect_four.py").read_text()
    script.write_text(rules + "\n\nstate = ConnectFour().game().start()\nstate.play('d')\n")
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("", "")


# What a game may get wrong.

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no player": (
        {"to_move": lambda *_: 2},
        r"to_move\('\.{9}'\) gave 2, but the seats are 0 to 1",
    ),
    "a player who is no number": ({"to_move": lambda *_: "x"}, r"to_move\(.*\) raised TypeError"),
    "no action": (
        {"actions": lambda *_: []},
        r"actions\(.*\) gave none, although outcome gave None",
    ),
    "an action below the range": (
        {"actions": lambda *_: [0, -1]},
        r"actions\(.*\) gave -1, but they are 0 to 8",
    ),
    "an action above the range": ({"actions": lambda *_: [9]}, r"gave 9, but they are 0 to 8"),
    "an action twice": ({"actions": lambda *_: [3, 4, 3]}, r"actions\(.*\) gave 3 more than once"),
    "an action that is no number": (
        {"actions": lambda *_: [1.5]},
        r"actions\(.*\) raised TypeError",
    ),
    "actions without end": ({"actions": lambda *_: count()}, r"actions\(.*\) gave 9, but"),
    "None instead of actions": ({"actions": lambda *_: None}, r"actions\(.*\) raised TypeError"),
    "an exception": ({"actions": lambda *_: [][1]}, r"actions\(.*\) raised IndexError: list index"),
    "False instead of None": ({"outcome": lambda *_: False}, r"outcome\(.*\) gave False, which is"),
    "0 instead of None": (
        {"outcome": lambda *_: 0},
        r"outcome\(.*\) gave 0, which is neither None",
    ),
    "one value for two players": (
        {"outcome": lambda *_: (1.0,)},
        r"gave \(1.0,\), .* nor 2 values",
    ),
    "a value out of range": (
        {"outcome": lambda *_: (2.0, -2.0)},
        r"outcome\(.*\) gave \(2.0, -2.0\)",
    ),
    "a value that is no number": ({"outcome": lambda *_: (float("nan"), 0)}, r"gave \(nan, 0\)"),
}


@pytest.mark.parametrize(("parts", "sentence"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_answer_about_a_state_stops_with_a_sentence(
    parts: dict[str, Any], sentence: str
) -> None:
    state = broken(**parts).game().start()
    for ask in (lambda: state.actions(), lambda: state.native.playouts(games=1, seed=0)):
        with pytest.raises(
            BoardZeroError, match="the game broken breaks its contract: .*" + sentence
        ):
            ask()


def _raise(*_: object) -> Any:
    raise RuntimeError("out of cheese")


class _Mute:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


WRONG_ASKED: dict[str, tuple[dict[str, Any], Callable[[Game], object], str]] = {
    "play raises": (
        {"play": _raise},
        lambda game: game.start().play_action(4),
        r"play\('\.{9}', 4\) raised RuntimeError: out of cheese",
    ),
    "play forgets to return": (
        {"play": lambda *_: None},
        lambda game: game.start().play_action(4),
        r"play\('\.{9}', 4\) gave None, not a str as initial does",
    ),
    "play changes nothing": (
        {"play": lambda _, s, __: s},
        lambda game: game.start().play_action(4),
        r"play\('\.{9}', 4\) gave back the same object",
    ),
    "play gives what cannot be shown": (
        {"play": lambda *_: _Mute()},
        lambda game: game.start().play_action(4),
        r"play\('\.{9}', 4\) gave a _Mute, not a str",
    ),
    "encode has another shape": (
        {"planes": 2, "encode": lambda *_: np.zeros((1, 3, 3), np.float32)},
        lambda game: game.start().encode(),
        r"encode\('\.{9}'\) gave float32 of shape \(1, 3, 3\), not float32 of \(2, 3, 3\)",
    ),
    "encode has another type": (
        {"planes": 1, "encode": lambda *_: np.zeros((1, 3, 3))},
        lambda game: game.start().encode(),
        r"encode\('\.{9}'\) gave float64 of shape",
    ),
    "encode is no array": (
        {"planes": 1, "encode": lambda *_: [[[0.0] * 3] * 3]},
        lambda game: game.start().encode(),
        r"encode\('\.{9}'\) gave a list, not a numpy array",
    ),
    "encode is not finite": (
        {"planes": 1, "encode": lambda *_: np.full((1, 3, 3), np.nan, np.float32)},
        lambda game: game.start().encode(),
        r"encode\('\.{9}'\) gave a number that is not finite",
    ),
    "encode raises": (
        {"planes": 1, "encode": _raise},
        lambda game: game.start().encode(),
        r"encode\('\.{9}'\) raised RuntimeError",
    ),
    "too few cells": (
        {"cells": lambda *_: [None] * 8},
        lambda game: game.start().pieces(),
        r"cells\('\.{9}'\) gave 8 cells, not 3 x 3",
    ),
    "a piece of nobody": (
        {"cells": lambda *_: [2] + [None] * 8},
        lambda game: game.start().pieces(),
        r"cells\('\.{9}'\) put \(2, 'stone'\) on cell 0",
    ),
    "a piece of no kind": (
        {"cells": lambda *_: [(0, "queen")] + [None] * 8},
        lambda game: game.start().pieces(),
        r"cells\('\.{9}'\) put \(0, 'queen'\) on cell 0",
    ),
    "a text that is none": (
        {"text": lambda *_: 7},
        lambda game: game.start().moves(),
        r"text\('\.{9}', 0\) gave 7, not a text",
    ),
    "a path off the board": (
        {"path": lambda *_: [9]},
        lambda game: game.start().moves(),
        r"path\('\.{9}', 0\) gave \[9\], but cells are 0 to 8",
    ),
    "a FEN that is none": (
        {"fen": lambda *_: None},
        lambda game: game.start().key(),
        r"identity\('\.{9}'\) gave None, not a text",
    ),
    "symmetries without transform": (
        {"symmetries": 2},
        lambda game: game.start().native.transformed(1),
        r"transform\('\.{9}', 1\) raised NotImplementedError: a game with symmetries must",
    ),
    "an action turned off the board": (
        {"symmetries": 2, "transform_action": lambda *_: 9},
        lambda game: game.start().native.transformed_action(1, 3),
        r"transform_action\(3\) gave 9, but actions are 0 to 8",
    ),
    "a relative action off the board": (
        {"relative": lambda *_: -1},
        lambda game: game.start().native.relative(3),
        r"relative\('\.{9}', 3\) gave -1, but actions are 0 to 8",
    ),
}


@pytest.mark.parametrize(("parts", "ask", "sentence"), WRONG_ASKED.values(), ids=WRONG_ASKED.keys())
def test_a_wrong_answer_stops_with_a_sentence(
    parts: dict[str, Any], ask: Callable[[Game], object], sentence: str
) -> None:
    game = broken(**parts).game()
    with pytest.raises(BoardZeroError, match="the game broken breaks its contract: " + sentence):
        ask(game)


WRONG_FROM_THE_START: dict[str, tuple[dict[str, Any], str]] = {
    "a state that can change": (
        {"initial": lambda _: ["."] * 9},
        "which is not hashable; a state must not change",
    ),
    "initial raises": ({"initial": _raise}, r"initial\(\) raised RuntimeError: out of cheese"),
    "one player": ({"players": 1}, "has players = 1, but it must be from 2 to 4"),
    "a board without rows": ({"rows": 0}, "has rows = 0, but it must be from 1 to 1000"),
    "a number that is none": ({"columns": "3"}, "has columns = '3', but it must be"),
    "a seat too many": ({"seats": ("a", "b", "c")}, "has 2 players but names 3 seats"),
    "nothing for nets": ({"cells": PythonGame.cells}, "must define cells or encode"),
    "encode without planes": (
        {"encode": lambda *_: np.zeros((1, 3, 3), np.float32)},
        "has planes = None, but it must be from 1",
    ),
}


@pytest.mark.parametrize(
    ("parts", "sentence"), WRONG_FROM_THE_START.values(), ids=WRONG_FROM_THE_START.keys()
)
def test_a_game_that_cannot_work_is_refused_at_once(parts: dict[str, Any], sentence: str) -> None:
    rules = broken(**parts)
    with pytest.raises(BoardZeroError, match="the game broken breaks its contract: .*" + sentence):
        rules.game()


def test_the_exception_inside_the_rules_is_kept_as_the_cause() -> None:
    state = broken(play=_raise).game().start()
    with pytest.raises(BoardZeroError) as caught:
        state.play_action(0)
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_a_breach_can_travel_between_processes() -> None:
    with pytest.raises(BoardZeroError) as caught:
        broken(play=_raise).game().start().play_action(0)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), str(copy)) == (type(caught.value), str(caught.value))


def test_an_interrupt_inside_the_rules_is_no_breach() -> None:
    def interrupted(*_: object) -> Any:
        raise KeyboardInterrupt

    state = broken(play=interrupted).game().start()
    with pytest.raises(KeyboardInterrupt):
        state.native.playouts(games=1, seed=0)


@pytest.mark.parametrize("text", ["", "x", "........?", ".........x", "(" * 200_000])
def test_a_bad_fen_is_refused_in_a_sentence_that_does_not_blame_the_game(text: str) -> None:
    with pytest.raises(BoardZeroError) as caught:
        TicTacToe().game().parse_fen(text)
    assert "breaks its contract" not in str(caught.value)
    assert len(str(caught.value)) < 1000


# What the conformance suite finds, which no single answer shows.

BREACHES: dict[str, tuple[dict[str, Any], str]] = {
    "keys": ({"identity": lambda _, s: str(s.count("x"))}, "equality and keys disagree"),
    "names": ({"text": lambda *_: "move"}, "has moves of the same name"),
    "sums": ({"outcome": lambda _, s: (1.0, 0.0) if "x" in s else None}, "do not cancel out"),
    "view": (
        {"planes": 2, "encode": lambda self, s: _absolute(self, s)},
        "does not show the mover's own pieces",
    ),
    "symmetry": (
        {
            "symmetries": 2,
            "transform": lambda _, s, __: s[::-1],
            "transform_action": lambda _, a, __: a,
        },
        "under symmetry 1",
    ),
    "FEN": ({"parse_fen": lambda _, text: text.replace("x", ".")}, "reads back as"),
    "FEN that takes anything": ({"parse_fen": lambda _, s: s[:9].ljust(9, ".")}, "as a position"),
    "chance": (
        {"actions": lambda self, s: _shuffled(self, s)},
        "undo did not restore|led to|does not",
    ),
}


def _absolute(game: PythonGame[str], s: str) -> object:
    board = np.array([{"x": 1, "o": 2, ".": 0}[stone] for stone in s]).reshape(3, 3)
    return np.stack([board == 1, board == 2]).astype(np.float32) + 0 * game.players


_STEPS = count()


def _shuffled(game: PythonGame[str], s: str) -> list[int]:
    legal = list(TicTacToe.actions(game, s))  # type: ignore[arg-type]
    turn = next(_STEPS) % len(legal)
    return legal[turn:] + legal[:turn]


@pytest.mark.parametrize(("parts", "sentence"), BREACHES.values(), ids=BREACHES.keys())
def test_check_finds_the_promise_that_a_game_breaks(parts: dict[str, Any], sentence: str) -> None:
    game = broken(**parts).game()
    with pytest.raises(BoardZeroError, match=sentence):
        check(game)
