"""Solved endings against slow references, and as values to learn."""

import itertools
import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from boardzero import BoardZeroError, State, _core, make
from boardzero.training.tablebase import solved_endings
from boardzero.training.train import train
from tests.search.stored import MOVER, Choice, Record
from tests.training.tiny import check, tiny

SQUARES = {"english": 32, "international": 50}
ROW = {"english": 4, "international": 5}  # squares of a row


@cache
def table(spec: str, pieces: int) -> _core.Tablebase:
    return _core.make_tablebase(make(spec).start().native, pieces)


def fen(mover: str, pieces: dict[int, str]) -> str:
    """From squares with W, WK, B or BK on them."""
    sides: dict[str, list[str]] = {"W": [], "B": []}
    for square, piece in sorted(pieces.items()):
        sides[piece[0]].append(f"{piece[1:]}{square}")
    return f"{mover}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"


def is_possible(spec: str, pieces: dict[int, str]) -> bool:
    """Both have a piece, and no man stands where it would be a king."""
    crowned = any(
        (piece == "W" and square <= ROW[spec])
        or (piece == "B" and square > SQUARES[spec] - ROW[spec])
        for square, piece in pieces.items()
    )
    return {piece[0] for piece in pieces.values()} == {"W", "B"} and not crowned


def positions_of_two(spec: str) -> list[str]:
    return [
        fen(mover, {first: one, second: other})
        for first, second in itertools.combinations(range(1, SQUARES[spec] + 1), 2)
        for one, other in itertools.product(("W", "WK", "B", "BK"), repeat=2)
        if is_possible(spec, {first: one, second: other})
        for mover in "WB"
    ]


def some_of_three(spec: str, count: int) -> list[str]:
    rng = random.Random(spec)
    found: list[str] = []
    while len(found) < count:
        squares = rng.sample(range(1, SQUARES[spec] + 1), 3)
        pieces = {square: rng.choice(("W", "WK", "B", "BK")) for square in squares}
        if is_possible(spec, pieces):
            found.append(fen(rng.choice("WB"), pieces))
    return found


def solve(successors: dict[str, list[str]]) -> dict[str, int]:
    """Plies to the end of every position that is decided, by going through all of them again and
    again."""
    plies: dict[str, int] = {}
    for depth in range(80):
        found = {}
        for position, after in successors.items():
            if position in plies:
                continue
            ends = [plies.get(next_one) for next_one in after]
            wins = any(end is not None and end % 2 == 0 for end in ends)
            loses = all(end is not None and end % 2 == 1 for end in ends)
            if (wins and depth % 2 == 1) or (loses and depth % 2 == 0):
                found[position] = depth
        plies |= found
    return plies


def place(state: State) -> str:
    """The position without anything else, as `fen` writes it."""
    names = {(0, "man"): "W", (0, "king"): "WK", (1, "man"): "B", (1, "king"): "BK"}
    white = 0 if state.game.name == "international" else 1
    pieces = {p.cell + 1: names[p.owner ^ white, p.kind] for p in state.pieces()}
    return fen("W" if state.to_move == white else "B", pieces)


def test_every_ending_of_two_pieces_is_as_the_slow_reference_says() -> None:
    game = make("english")
    states = {text: game.parse_fen(text) for text in positions_of_two("english")}
    successors = {
        text: [place(state.after(move)) for move in state.moves()] for text, state in states.items()
    }
    lost = {text for after in successors.values() for text in after} - successors.keys()
    wanted = solve({**successors, **{text: [] for text in lost}})
    found = table("english", 2)
    assert len(states) > 5000
    assert {text: found.plies(state.native) for text, state in states.items()} == {
        text: wanted.get(text) for text in states
    }


@pytest.mark.parametrize("spec", ["english", "international"])
def test_every_ending_follows_from_those_that_its_moves_lead_to(spec: str) -> None:
    """Of three pieces: the plies are one more than the shortest win or the longest loss."""
    game, found = make(spec), table(spec, 3)
    decided = 0
    for text in random.Random(1).sample(positions_of_two(spec), 400) + some_of_three(spec, 1500):
        state = game.parse_fen(text)
        ends = []
        for move in state.moves():
            after = state.after(move)
            all_taken = len({piece.owner for piece in after.pieces()}) == 1
            ends.append(0 if all_taken else found.plies(after.native))
        lost = [end for end in ends if end is not None and end % 2 == 0]
        if lost:
            wanted = min(lost) + 1
        elif None not in ends:
            wanted = max((end for end in ends if end is not None), default=-1) + 1
        else:
            wanted = None
        assert found.plies(state.native) == wanted, text
        decided += wanted is not None and wanted > 3
    assert decided > 100


def test_two_kings_beat_one_and_one_does_not() -> None:
    """First position: even from the double corner, where a king is safe against one."""
    game = make("english")
    won = game.parse_fen("W:WK14,K15:BK1")
    assert table("english", 3).values(won.native) == [-1.0, 1.0]  # black is seat 0
    one = game.parse_fen("W:WK14:BK1")
    assert table("english", 3).values(one.native) == [0.0, 0.0]


# Draws by counting.


def test_in_the_middle_of_a_capture_nothing_is_known() -> None:
    state = make("english").parse_fen("W:WK18:BK22,K29:M18x29")
    assert table("english", 3).plies(state.native) is None


def test_a_win_counts_only_if_it_comes_before_a_draw_by_counting() -> None:
    game = make("english:endings=openspiel")  # 40 plies without a capture
    state = game.parse_fen("W:WK14,K15:BK32")
    moves = itertools.cycle(["14-9", "32-28", "9-14", "28-32"])
    for quiet in range(39):
        plies = table("english", 3).plies(state.native)
        assert plies is not None
        assert plies > 10
        assert state.outcome() is None
        in_time = quiet + plies < 40
        assert (table("english", 3).values(state.native) is not None) == in_time
        state.play(next(moves))


def test_where_material_decides_draws_only_wins_are_certain() -> None:
    game = make("international:endings=meng")
    table_of_two = table("international", 2)
    assert table_of_two.values(game.parse_fen("W:WK46:BK1").native) is None
    assert table("international", 2).values(
        make("international").parse_fen("W:WK46:BK1").native
    ) == [0.0, 0.0]
    assert table_of_two.values(game.parse_fen("W:W28:B23").native) == [1.0, -1.0]


# As files and as values to learn.


def test_a_table_is_kept_in_the_runs_folder_and_made_again_where_it_is_damaged(
    tmp_path: Path,
) -> None:
    recipe = tiny(game="english", replay__tablebase=2)
    game = make("english")
    first = solved_endings(game, recipe, tmp_path)
    assert first is not None
    file = tmp_path / "endings.bin"
    data = file.read_bytes()
    assert data == first.bytes() == table("english", 2).bytes()
    assert solved_endings(game, recipe, tmp_path).bytes() == data
    file.write_bytes(data[:-1])
    assert solved_endings(game, recipe, tmp_path).bytes() == data
    assert file.read_bytes() == data
    assert solved_endings(game, tiny(game="english"), tmp_path) is None


def test_samples_take_the_certain_value_where_there_is_one() -> None:
    game = make("english")
    start = game.parse_fen("B:W22,31:B18,K27")  # one jump, and three are left
    jump = start.moves()[0]
    after = start.after(jump)
    known = table("english", 3).values(after.native)
    assert known is not None
    actions = [*jump.actions, *after.moves()[0].actions]
    choices = tuple(
        Choice(ply, True, (0.25, -0.25), ((action, 65535),)) for ply, action in enumerate(actions)
    )
    data = Record(tuple(actions), choices, (-0.5, 0.5), fen=start.fen().encode()).pack()
    sampler = _core.make_sampler(game.start().native, MOVER, table("english", 3))
    plain = _core.make_sampler(game.start().native, MOVER)
    rest = len(jump.actions)  # the choice after the capture, white's
    for tool, wanted in ((plain, (0.5, -0.25)), (sampler, (known[1], known[1]))):
        rows = [np.empty((1, *tool.input_shape()), np.float32)]
        rows += [np.empty((1, n), np.float32) for n in (tool.policy_size(), 2, 2)]
        tool.draw([(data, rest, 0)], *rows)
        assert (rows[2][0, 0], rows[3][0, 0]) == wanted
        tool.draw([(data, 0, 0)], *rows)  # four pieces: as it was played
        assert (rows[2][0, 0], rows[3][0, 0]) == (-0.5, 0.25)


def test_a_run_with_solved_endings_trains(tmp_path: Path) -> None:
    recipe = tiny(
        game="english",
        replay__tablebase=2,
        selfplay__max_steps=60,
        gate__games=0,
        run__iterations=1,
        search__simulations=2,
    )
    run = train(recipe, run=tmp_path / "a", cores=1)
    check(run.path)
    assert (run.path / "endings.bin").stat().st_size > 7000


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(BoardZeroError, match="only endings of draughts can be solved"):
        _core.make_tablebase(make("gomoku:size=5,line=4").start().native, 2)
    with pytest.raises(BoardZeroError, match="a tablebase has 2 or 3 pieces"):
        _core.make_tablebase(make("english").start().native, 4)
    with pytest.raises(BoardZeroError, match="no tablebase of english draughts with 3 pieces"):
        _core.make_tablebase(make("english").start().native, 3, table("english", 2).bytes())
    with pytest.raises(BoardZeroError, match="the tablebase is of another game"):
        _core.make_sampler(make("international").start().native, MOVER, table("english", 2))
    with pytest.raises(BoardZeroError, match="this tablebase is of english draughts"):
        table("english", 2).plies(make("international").start().native)
