"""Five in a row: lines, wins under each rule, draws, notation, encoding, symmetries."""

import random
from itertools import pairwise

import numpy as np
import pytest

import boardzero
from boardzero import BoardZeroError, State
from boardzero.games.gomoku import winning_lines
from tests.games.diagrams import read

RULES = ("freestyle", "standard", "renju")
SPECS = [
    "gomoku",
    "gomoku:size=15",
    "gomoku:size=15,rule=standard",
    "gomoku:size=15,rule=renju",
    "gomoku:size=9,rule=renju",
    "gomoku:size=5,line=3",
    "gomoku:size=7,line=4,rule=standard",
    "gomoku:size=20,line=6",
]


def board(diagram: str, *, rule: str = "freestyle", line: int = 5, to_move: str = "x") -> State:
    size, rows, _ = read(diagram)
    game = boardzero.make(f"gomoku:size={size},line={line},rule={rule}")
    return game.parse_fen(f"{rows} {to_move}")


def winner(state: State) -> int | None:
    outcome = state.outcome()
    return None if outcome is None else outcome.winner


def random_states(spec: str, games: int, seed: int = 1) -> list[State]:
    """Every state of some random games, the ends included."""
    rng = random.Random(seed)
    game = boardzero.make(spec)
    states = []
    for _ in range(games):
        state = game.start()
        states.append(state.copy())
        while actions := state.actions():
            state.play_action(rng.choice(actions))
            states.append(state.copy())
    return states


# Lines


def test_there_are_96_lines_of_five_on_8x8() -> None:
    lines = winning_lines(8, 5)
    assert len({frozenset(line) for line in lines}) == len(lines) == 96


@pytest.mark.parametrize(("size", "line"), [(5, 3), (6, 6), (15, 5), (19, 5), (20, 6)])
def test_lines_are_counted_by_the_formula(size: int, line: int) -> None:
    starts = size - line + 1
    assert len(winning_lines(size, line)) == 2 * starts * size + 2 * starts**2


def test_every_line_is_straight_and_evenly_spaced() -> None:
    for line in winning_lines(8, 5):
        points = [divmod(cell, 8) for cell in line]
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)}
        assert steps <= {(0, 1), (1, 0), (1, 1), (1, -1)}
        assert len(steps) == 1


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seat", [0, 1])
def test_each_of_the_96_lines_wins_whichever_of_its_stones_comes_last(rule: str, seat: int) -> None:
    stone = "xo"[seat]
    for line in winning_lines(8, 5):
        for last in line:
            cells = "".join(stone if c in line and c != last else "." for c in range(64))
            rows = "\n".join(cells[i : i + 8] for i in range(0, 64, 8))
            state = board(rows, rule=rule, to_move=stone)
            assert state.outcome() is None
            state.play_action(last)
            outcome = state.outcome()
            assert outcome is not None
            assert outcome.winner == seat
            assert outcome.reason == "line"
            assert outcome.values == ([1, -1] if seat == 0 else [-1, 1])


# Longer rows

SIX = {
    "row": """
        ........
        ........
        .xxx!xx.
        ........
        ........
        ........
        ........
        ........
    """,
    "column": """
        ........
        ..x.....
        ..x.....
        ..!.....
        ..x.....
        ..x.....
        ..x.....
        ........
    """,
    "diagonal": """
        ........
        .x......
        ..x.....
        ...x....
        ....!...
        .....x..
        ......x.
        ........
    """,
    "other diagonal": """
        .......x
        ......x.
        .....x..
        ....!...
        ...x....
        ..x.....
        ........
        ........
    """,
}


@pytest.mark.parametrize("diagram", SIX.values(), ids=SIX)
@pytest.mark.parametrize("seat", [0, 1])
def test_six_win_in_freestyle_but_not_in_standard(diagram: str, seat: int) -> None:
    if seat == 1:
        diagram = diagram.replace("x", "o")
    for rule, expected in (("freestyle", seat), ("standard", None)):
        state = board(diagram, rule=rule, to_move="xo"[seat])
        (point,) = read(diagram)[2]
        assert winner(state.after(point)) == expected


def test_in_standard_a_five_beside_an_overline_wins() -> None:
    state = board(
        """
        ....x...
        ....x...
        ....x...
        ....x...
        .xxx!xx.
        ........
        ........
        ........
        """,
        rule="standard",
    )
    assert winner(state.after("e4")) == 0


@pytest.mark.parametrize("line", [3, 4, 5, 6])
def test_a_line_wins_and_one_stone_less_does_not(line: int) -> None:
    state = boardzero.make(f"gomoku:size=8,line={line}").start()
    for column in "abcdefg"[: line - 1]:
        state.play(f"{column}1")
        state.play(f"{column}8")
    assert state.outcome() is None
    state.play(f"{'abcdefgh'[line - 1]}1")
    assert winner(state) == 0


def test_rows_do_not_continue_across_the_edge() -> None:
    state = board(
        """
        ........
        ........
        .....xx!
        xx......
        ........
        ........
        ........
        ........
        """
    )
    assert state.after("h6").outcome() is None


# Draws and finished games


def test_a_full_board_without_a_line_is_a_draw() -> None:
    state = board(
        """
        xxoox
        ooxxo
        xxoox
        ooxxo
        xxoo.
        """
    )
    state.play("e1")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winner is None
    assert outcome.reason == "full board"
    assert outcome.values == [0, 0]
    assert state.moves() == []


def test_the_last_stone_can_still_win() -> None:
    state = board(
        """
        xxoox
        ooxxx
        xxoox
        ooxxx
        xxoo.
        """
    )
    state.play("e1")
    assert winner(state) == 0


def test_a_won_game_has_no_more_moves() -> None:
    state = boardzero.make("gomoku").start()
    for move in ("a1", "a8", "b1", "b8", "c1", "c8", "d1", "d8", "e1"):
        state.play(move)
    assert state.actions() == []
    with pytest.raises(BoardZeroError, match="the game is over"):
        state.play("h8")


# Moves as text


@pytest.mark.parametrize("text", ["h8", "H8", " h8 ", "h 8", "H 8"])
def test_a_point_may_be_written_in_several_ways(text: str) -> None:
    assert str(boardzero.make("gomoku").start().parse(text)) == "h8"


def test_rows_count_from_the_bottom_and_no_letter_is_skipped() -> None:
    state = boardzero.make("gomoku:size=20").start()
    assert state.parse("a20").path == [0]
    assert state.parse("i1").path == [19 * 20 + 8]
    assert state.parse("t1").path == [399]


def test_moves_are_named_like_the_points_of_the_board() -> None:
    state = boardzero.make("gomoku:size=11").start()
    for move in state.moves():
        assert [state.game.geometry.labels[cell] for cell in move.path] == [move.text]
        assert state.parse(move.text) == move


@pytest.mark.parametrize("text", ["", " ", "h", "8", "h9", "i1", "h0", "h08", "8h", "h8h8", "é1"])
def test_what_is_not_a_point_is_refused(text: str) -> None:
    with pytest.raises(BoardZeroError, match=f"'{text}' is not a point of this board.*a1 to h8"):
        boardzero.make("gomoku").start().play(text)


def test_a_taken_point_is_refused() -> None:
    state = boardzero.make("gomoku").start()
    state.play("d4")
    with pytest.raises(BoardZeroError, match="there is a stone on d4"):
        state.play("D 4")


# Positions as text


def test_a_position_reads_from_the_top_row_down() -> None:
    state = boardzero.make("gomoku").parse_fen("8/8/3x4/4o3/8/8/8/8 x")
    assert [(piece.cell, piece.owner, piece.kind) for piece in state.pieces()] == [
        (19, 0, "stone"),
        (28, 1, "stone"),
    ]
    assert state.fen() == "8/8/3x4/4o3/8/8/8/8 x"


@pytest.mark.parametrize("spec", SPECS)
def test_a_position_survives_being_written_and_read(spec: str) -> None:
    for state in random_states(spec, games=2):
        again = state.game.parse_fen(state.fen())
        assert again == state
        assert again.key() == state.key()
        assert again.actions() == state.actions()
        assert winner(again) == winner(state)


def test_a_position_may_be_given_with_capitals_and_spaces() -> None:
    game = boardzero.make("gomoku:size=5")
    assert game.parse_fen("  5/5/2X2/3O1/5   O\n").fen() == "5/5/2x2/3o1/5 o"


def test_stones_need_not_be_balanced() -> None:
    state = boardzero.make("gomoku:size=5").parse_fen("xxx2/5/5/5/5 x")
    assert winner(state.after("d5")) is None


@pytest.mark.parametrize(("stone", "seat"), [("x", 0), ("o", 1)])
@pytest.mark.parametrize("to_move", ["x", "o"])
def test_a_line_in_a_given_position_has_won(stone: str, seat: int, to_move: str) -> None:
    state = boardzero.make("gomoku").parse_fen(f"8/8/8/1{stone * 5}2/8/8/8/8 {to_move}")
    assert winner(state) == seat
    assert state.moves() == []


def test_a_given_full_board_is_a_draw() -> None:
    state = boardzero.make("gomoku:size=5").parse_fen("xxoox/ooxxo/xxoox/ooxxo/xxoox o")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "full board"


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "the position has 1 rows instead of 5"),
        ("5/5/5/5 x", "the position has 4 rows instead of 5"),
        ("5/5/5/5/5/5 x", "the position has 6 rows instead of 5"),
        ("5/5/4/5/5 x", "row 3 from the top, '4', has 4 cells instead of 5"),
        ("5/5/5/5/ x", "row 5 from the top, '', has 0 cells instead of 5"),
        ("5/3xox/5/5/5 x", "row 2 from the top, '3xox', has more than 5 cells"),
        ("99999999999999999999/5/5/5/5 x", "row 1 from the top, .*, has more than 5 cells"),
        ("5/5/5/x04/5 x", "row 4 from the top, 'x04', has a run of no cells"),
        ("5/5/5/5/2q2 x", "row 5 from the top, '2q2', may hold only x, o and numbers"),
        ("5/5/5/5/2é2 x", "row 5 from the top, '2é2', may hold only x, o and numbers"),
        ("5/5/5/5/5", "the side to move, after the rows, is '' instead of x or o"),
        ("5/5/5/5/5 w", "the side to move, after the rows, is 'w' instead of x or o"),
        ("5/5/5/5/5 x x", "the side to move, after the rows, is 'x x' instead of x or o"),
        ("xxxxx/ooooo/5/5/5 x", "both sides have a line"),
    ],
)
def test_a_bad_position_is_refused_with_the_place(fen: str, message: str) -> None:
    with pytest.raises(BoardZeroError, match=message):
        boardzero.make("gomoku:size=5").parse_fen(fen)


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("size=4", "from 5 to 20"),
        ("size=21", "from 5 to 20"),
        ("line=2", "from 3 to 6"),
        ("line=7", "from 3 to 6"),
        ("size=5,line=6", "longer than size 5"),
        ("line=4,rule=renju", "renju is played with line 5, not 4"),
        ("rule=caro", "caro"),
    ],
)
def test_impossible_options_are_refused(options: str, message: str) -> None:
    with pytest.raises(BoardZeroError, match=message):
        boardzero.make(f"gomoku:{options}")


def test_the_core_checks_its_options_too() -> None:
    with pytest.raises(BoardZeroError, match="size from 5 to 20, not 21"):
        winning_lines(21, 5)


def test_boards_of_different_options_are_not_equal() -> None:
    starts = [boardzero.make(spec).start() for spec in SPECS]
    assert len({state.key() for state in starts}) == len(SPECS)
    assert all(a != b for i, a in enumerate(starts) for b in starts[:i])


# What nets and searches see


@pytest.mark.parametrize("spec", SPECS)
def test_the_encoding_is_own_stones_their_stones_and_whether_the_mover_began(spec: str) -> None:
    for state in random_states(spec, games=1):
        size = state.game.shape.rows
        expected = np.zeros((3, size, size), np.float32)
        for piece in state.pieces():
            plane = 0 if piece.owner == state.to_move else 1
            expected[(plane, *divmod(piece.cell, size))] = 1
        expected[2] = state.to_move == 0
        np.testing.assert_array_equal(state.encode(), expected)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("symmetry", range(8))
def test_turning_the_board_commutes_with_playing(spec: str, symmetry: int) -> None:
    rng = random.Random(symmetry)
    native = boardzero.make(spec).start().native
    turned = native.transformed(symmetry)
    while actions := native.actions():
        assert set(turned.actions()) == {native.transformed_action(symmetry, a) for a in actions}
        action = rng.choice(actions)
        turned.play(native.transformed_action(symmetry, action))
        native.play(action)
        assert turned.equals(native.transformed(symmetry))
        assert turned.key() == native.transformed(symmetry).key()
    assert native.transformed_seat(symmetry, 1) == 1
    ends = [outcome for state in (native, turned) if (outcome := state.outcome()) is not None]
    assert len(ends) == 2
    assert ends[0].values == ends[1].values


def test_the_eight_symmetries_are_different() -> None:
    native = boardzero.make("gomoku").start().native
    assert native.symmetries() == 8
    images = {tuple(native.transformed_action(s, a) for a in range(64)) for s in range(8)}
    assert len(images) == 8
    assert tuple(range(64)) == tuple(native.transformed_action(0, a) for a in range(64))


def test_the_same_stones_in_another_order_are_the_same_state() -> None:
    game = boardzero.make("gomoku")
    one, other = game.start(), game.start()
    for move in ("d4", "e5", "c3", "f6"):
        one.play(move)
    for move in ("c3", "f6", "d4", "e5"):
        other.play(move)
    assert one == other
    assert one.key() == other.key()


@pytest.mark.parametrize("spec", ["gomoku", "gomoku:size=15", "gomoku:size=9,rule=renju"])
def test_states_of_random_games_share_a_key_only_if_they_are_equal(spec: str) -> None:
    states = random_states(spec, games=5)
    keys = {state.key(): state for state in states}
    assert all(keys[state.key()] == state for state in states)
    assert len(keys) == len({state.fen() for state in states})


def test_undo_gives_back_the_state_before() -> None:
    state = boardzero.make("gomoku").start()
    state.play("d4")
    before = state.fen()
    state.play("e5")
    state.undo()
    assert state.fen() == before


@pytest.mark.parametrize("spec", SPECS)
def test_random_playouts_end_and_repeat_with_their_seed(spec: str) -> None:
    native = boardzero.make(spec).start().native
    actions = native.playouts(20, 7)
    assert actions == native.playouts(20, 7)
    assert 0 < actions <= 20 * native.shape.actions
