"""Perft: the number of move sequences, which no wrong rule survives."""

import pytest

import boardzero
from tests.games.variants import DRAUGHTS
from tests.reference.draughts import PEERS, numeric_fen, peer_perft

START = {
    "international": (9, 81, 658, 4265, 27117, 167140, 1049442, 6483961, 41022423, 258895763),
    "english": (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128),
    "russian": (7, 49, 302, 1469, 7482, 37986, 190146, 929899, 4570586),
    "brazilian": (7, 49, 302, 1469, 7473, 37628, 187302, 907830, 4431766),
    "pool": (7, 49, 302, 1469, 7482, 37986, 190146, 929896, 4570534),
}
SLOW = 50_000_000

# International positions with kings and long captures. The first is Woldouby's, a textbook ending
# without kings whose counts are well known; all were counted by pydraughts too, as deep as `peer`.
POSITIONS = {
    "woldouby": (
        "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26",
        (6, 12, 30, 73, 215, 590, 1944, 6269, 22369, 88050, 377436, 1910989, 9872645),
    ),
    "two kings take up to fourteen": (
        "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24",
        (14, 55, 1168, 5432, 87195, 629010, 9041010),
    ),
    "a king takes nine": (
        "W:WK46:B8,9,10,19,20,22,23,29,30,31,33,40,41,43",
        (4, 31, 215, 1581, 9987, 73339, 474904, 3722544),
    ),
    "two kings in a lattice of men": (
        "W:WK6,K50,36,37,38:B7,8,9,10,12,17,20,21,23,30,31,39,40,41,42,43",
        (11, 28, 59, 169, 771, 2890, 26435, 174481, 1860664),
    ),
    "kings only": (
        "W:WK1,K5,K12,K28:BK33,K36,K46,K50",
        (2, 4, 68, 842, 9880, 139336, 1584036),
    ),
    "a full middle game with kings": (
        "B:W27,28,32,33,34,38,39,40,42,43,45,48,50,K15:B3,4,7,8,9,12,13,14,16,18,19,23,24,K46",
        (11, 24, 149, 682, 3513, 18444, 104829, 600420, 3709330),
    ),
    "jumped pieces in the way": (
        "W:WK26,35,48:B9,12,18,23,24,33,39,K3",
        (1, 12, 113, 1158, 8524, 83782, 635631, 5944381),
    ),
    "men that pass the back row": (
        "W:W13,22,24,32,37,K49:B9,10,17,18,19,20,29,30,40,K2",
        (3, 3, 17, 46, 471, 4202, 44408, 447510, 5081567),
    ),
    "men about to be crowned": (
        "B:W6,16,K23,32,36:B15,17,25,K45",
        (4, 19, 230, 924, 8089, 40462, 315891, 2036652),
    ),
}
# How deep pydraughts gets in about a second; it needs four to list the longest captures once.
PEER_DEPTH = {
    "woldouby": 4,
    "two kings take up to fourteen": 0,
    "a king takes nine": 3,
    "two kings in a lattice of men": 0,
}


@pytest.mark.parametrize(
    ("name", "depth", "nodes"),
    [
        pytest.param(name, depth, nodes, marks=[pytest.mark.slow] if nodes > SLOW else [])
        for name, counts in START.items()
        for depth, nodes in enumerate(counts, 1)
    ],
)
def test_the_start_has_the_known_number_of_sequences(name: str, depth: int, nodes: int) -> None:
    assert boardzero.make(name).start().perft(depth) == nodes


@pytest.mark.parametrize("title", POSITIONS)
def test_a_position_with_kings_has_the_known_number_of_sequences(title: str) -> None:
    fen, counts = POSITIONS[title]
    state = boardzero.make("international").parse_fen(fen)
    assert tuple(state.perft(depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize("title", [title for title in POSITIONS if PEER_DEPTH.get(title, 3) > 0])
def test_pydraughts_counts_the_same_sequences(title: str) -> None:
    fen, counts = POSITIONS[title]
    depth = PEER_DEPTH.get(title, 3)
    assert peer_perft("international", fen, depth) == counts[depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize("title", POSITIONS)
def test_pydraughts_counts_the_same_deeper_sequences(title: str) -> None:
    fen, counts = POSITIONS[title]
    depth = max(depth for depth, nodes in enumerate(counts, 1) if nodes < 1000)
    assert peer_perft("international", fen, depth) == counts[depth - 1]


def test_every_kind_of_draughts_has_known_numbers() -> None:
    assert sorted(START) == sorted(DRAUGHTS)


@pytest.mark.parametrize("name", PEERS)
def test_pydraughts_counts_the_same_from_the_start(name: str) -> None:
    state = boardzero.make(name).start()
    assert peer_perft(name, numeric_fen(state), 3) == START[name][2]


def test_counting_the_rest_of_a_capture_under_way_counts_its_continuations() -> None:
    state = boardzero.make("international").parse_fen(POSITIONS["a king takes nine"][0])
    state.play_action(state.actions()[0])
    assert ":M" in state.fen()
    assert state.perft(1) == len(state.moves())
    assert state.perft(2) == sum(len(state.after(move).moves()) for move in state.moves())


def test_a_depth_of_zero_is_the_position_itself() -> None:
    assert boardzero.make("english").start().perft(0) == 1


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(boardzero.BoardZeroError, match="depth from 0"):
        boardzero.make("english").start().perft(-1)
