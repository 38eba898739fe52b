"""Freestyle gomoku in lockstep with OpenSpiel's, which shares no code with ours."""

import random

import pytest

import boardzero

pyspiel = pytest.importorskip("pyspiel", reason="the oracle is the optional package open_spiel")


@pytest.mark.parametrize(
    ("size", "line", "games"), [(8, 5, 2000), (6, 4, 200), (5, 3, 200), (15, 5, 100)]
)
def test_random_games_agree_with_openspiel(size: int, line: int, games: int) -> None:
    rng = random.Random(size)
    start = boardzero.make(f"gomoku:size={size},line={line}").start().native
    oracle = pyspiel.load_game("gomoku", {"size": size, "connect": line})
    endings = set()
    for _ in range(games):
        ours, theirs = start.clone(), oracle.new_initial_state()
        while not theirs.is_terminal():
            actions = ours.actions()
            assert actions == theirs.legal_actions()
            assert ours.to_move == theirs.current_player()
            assert ours.outcome() is None
            action = rng.choice(actions)
            ours.play(action)
            theirs.apply_action(action)
        outcome = ours.outcome()
        assert outcome is not None
        assert outcome.values == theirs.returns()
        assert ours.actions() == []
        endings.add(outcome.winner)
    assert endings >= {0, 1}


def test_the_cross_check_sees_full_boards_too() -> None:
    """Draws are rare in random games, except where lines are as long as the board is wide."""
    rng = random.Random(5)
    oracle = pyspiel.load_game("gomoku", {"size": 5, "connect": 5})
    draws = 0
    for _ in range(100):
        ours = boardzero.make("gomoku:size=5").start().native
        theirs = oracle.new_initial_state()
        while actions := ours.actions():
            action = rng.choice(actions)
            ours.play(action)
            theirs.apply_action(action)
        outcome = ours.outcome()
        assert theirs.is_terminal()
        assert outcome is not None
        assert outcome.values == theirs.returns()
        draws += outcome.winner is None
    assert draws > 20
