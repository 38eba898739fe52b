"""Whole move sets of every kind of draughts against a slow reading of its rule book."""

import random

import pytest

import boardzero
from tests.games.test_pydraughts import kings_everywhere, middle_games
from tests.games.variants import DRAUGHTS
from tests.reference.draughts import PLAIN, PlainDraughts, numeric_fen, our_moves

POSITIONS = 300


def test_the_reference_knows_every_kind_of_draughts() -> None:
    assert sorted(PLAIN) == sorted(DRAUGHTS)


@pytest.mark.parametrize("name", DRAUGHTS)
def test_the_moves_of_random_middle_games_are_those_of_the_rule_book(name: str) -> None:
    for state in middle_games(name, 7, POSITIONS):
        fen = numeric_fen(state)
        assert our_moves(state) == set(PlainDraughts.read(name, fen).moves()), fen


@pytest.mark.parametrize("name", DRAUGHTS)
def test_the_moves_of_positions_full_of_kings_are_those_of_the_rule_book(name: str) -> None:
    rng = random.Random(f"{name} kings")
    for _ in range(POSITIONS):
        state = kings_everywhere(name, rng)
        fen = numeric_fen(state)
        assert our_moves(state) == set(PlainDraughts.read(name, fen).moves()), fen


@pytest.mark.parametrize("name", DRAUGHTS)
def test_the_rule_book_counts_the_same_sequences_from_the_start(name: str) -> None:
    state = boardzero.make(name).start()
    plain = PlainDraughts.read(name, numeric_fen(state))
    assert [plain.perft(depth) for depth in (1, 2, 3, 4)] == [
        state.perft(depth) for depth in (1, 2, 3, 4)
    ]
