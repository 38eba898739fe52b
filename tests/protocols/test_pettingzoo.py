"""Our games as PettingZoo environments."""

import numpy as np
import pytest
from pettingzoo.test import api_test

from boardzero import BoardZeroError, make
from boardzero.protocols.pettingzoo import BoardEnv, env
from tests.games import variants

# PettingZoo knows the names of its own environments with such observations, and warns of others.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("spec", [*variants.NATIVE, *variants.PYTHON], ids=variants.name)
def test_every_game_passes_pettingzoos_own_test(spec: str) -> None:
    api_test(env(spec), num_cycles=300)


def test_rewards_at_the_end_are_the_values_of_the_outcome() -> None:
    board = env(str(variants.EXAMPLES / "connect_four.py"))
    board.reset()
    rewards = {}
    for agent in board.agent_iter():
        _, reward, over, _, _ = board.last()
        rewards[agent] = reward
        board.step(None if over else 0 if agent == "player_0" else 1)
    assert rewards == {"player_0": 1.0, "player_1": -1.0}


def test_one_agent_acts_twice_in_a_row_within_a_capture() -> None:
    board = BoardEnv("english")
    board.reset()
    board._state = make("english").parse_fen("B:W10,18:B6")
    board._look()
    (jump,) = np.flatnonzero(board.observe("player_0")["action_mask"])
    board.step(jump)
    assert board.agent_selection == "player_0"
    assert not board.observe("player_1")["action_mask"].any()


def test_actions_are_in_the_same_view_as_the_observation() -> None:
    """Both sides of draughts see the start alike, so the same ids are legal for both."""
    board = BoardEnv("international")
    board.reset()
    first = board.observe("player_0")
    assert board.game.start().to_move == 0
    board.step(int(np.flatnonzero(first["action_mask"])[0]))
    second = board.observe("player_1")
    assert (first["action_mask"] == second["action_mask"]).all()


def test_an_illegal_action_is_refused_or_loses() -> None:
    board = BoardEnv("gomoku")
    board.reset()
    board.step(0)
    with pytest.raises(BoardZeroError, match="action 0 is not legal for player_1"):
        board.step(0)

    guarded = env("gomoku")
    guarded.reset()
    guarded.step(0)
    guarded.step(0)
    assert guarded.terminations == {"player_0": True, "player_1": True}
    assert guarded.rewards["player_1"] == -1


def test_a_board_is_drawn_as_text_only() -> None:
    board = env("gomoku", render_mode="ansi")
    board.reset()
    assert board.render()
    with pytest.raises(BoardZeroError, match="drawn in render mode 'ansi', not 'human'"):
        env("gomoku", render_mode="human")
