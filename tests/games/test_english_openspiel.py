"""English draughts beside OpenSpiel's checkers, move by move.

Both play captures jump by jump. OpenSpiel's first player sits at the bottom, ours at the top, so a
square of theirs is ours with the board turned by half.
"""

import random

import pyspiel

from boardzero import State, make
from boardzero.games.geometry import draughts_board

GAMES = 2000

OURS = make("english:endings=openspiel")
THEIRS = pyspiel.load_game("checkers")


def _their_action_ids() -> dict[int, int]:
    """Their id of each of our actions that are a step or a jump."""
    start = THEIRS.new_initial_state()
    ids = {start.action_to_string(a): a for a in range(THEIRS.num_distinct_actions())}
    places = draughts_board(8, algebraic=False).places
    names = {s: f"{'abcdefgh'[7 - column]}{1 + row}" for s, (row, column) in places.items()}
    return {
        a * 32 + b: ids[names[a] + names[b]]
        for a in names
        for b in names
        if names[a] + names[b] in ids
    }


TO_THEIRS = _their_action_ids()


def _assert_same(ours: State, theirs: pyspiel.State) -> None:
    outcome = ours.outcome()
    assert (outcome is not None) == theirs.is_terminal()
    if outcome is not None:
        assert outcome.values == theirs.returns()
        return
    assert ours.to_move == theirs.current_player()
    assert sorted(TO_THEIRS[a] for a in ours.actions()) == theirs.legal_actions()


def test_random_games_agree_with_openspiel_in_every_position() -> None:
    rng = random.Random(1)
    endings = set()
    for _ in range(GAMES):
        ours, theirs = OURS.start(), THEIRS.new_initial_state()
        _assert_same(ours, theirs)
        while (outcome := ours.outcome()) is None:
            action = rng.choice(ours.actions())
            ours.play_action(action)
            theirs.apply_action(TO_THEIRS[action])
            _assert_same(ours, theirs)
        endings.add(outcome.reason)
    assert endings == {"no move left", "40 plies without capture"}


def test_a_side_blocked_by_the_fortieth_quiet_ply_has_drawn_as_in_openspiel() -> None:
    state = OURS.parse_fen("W:WK4:B3,11,12,15,K29")
    for _ in range(9):
        for move in ("4-8", "29-25", "8-4", "25-29"):
            state.play(move)
    for move in ("4-8", "29-25", "8-4", "3-8"):
        assert state.outcome() is None
        state.play(move)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.values == [0.0, 0.0]
    assert state.moves() == []
