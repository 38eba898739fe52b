"""Our games as PettingZoo environments: `env("gomoku:size=15")`.

An AEC environment with agents `player_0`, `player_1`, ... in the order of the seats. What an agent
observes is a dictionary as in PettingZoo's own board games: `observation` is the board as the seat
to move sees it, float32 [planes, rows, columns], and `action_mask` marks the legal actions, in the
same view; it is empty for those who wait. Rewards come at the end, one in [-1, 1] for each agent.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardzero.base.errors import BoardZeroError
from boardzero.base.extras import needs_extra
from boardzero.games import Game, make

with needs_extra("pettingzoo", "a PettingZoo environment"):
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

Observation = dict[str, NDArray[Any]]


def env(game: str | Game, *, render_mode: str | None = None) -> AECEnv:
    """The environment of a game with PettingZoo's usual guards: an illegal action loses."""
    raw = BoardEnv(game, render_mode=render_mode)
    legal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))


class BoardEnv(AECEnv):  # type: ignore[misc]  # it has no types
    """The environment without guards: an illegal action raises `BoardZeroError`."""

    def __init__(self, game: str | Game, *, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = make(game) if isinstance(game, str) else game
        self.metadata = {
            "name": self.game.spec,
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        if render_mode not in (None, "ansi"):
            raise BoardZeroError(f"boards are drawn in render mode 'ansi', not '{render_mode}'")
        self.render_mode = render_mode
        shape = self.game.shape
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(
                        -np.inf, np.inf, (shape.planes, shape.rows, shape.columns), np.float32
                    ),
                    "action_mask": spaces.Box(0, 1, (shape.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(shape.actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: object = None) -> None:  # noqa: ARG002
        """Set up the board; the games have no chance, so that a seed changes nothing."""
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._state = self.game.start()
        self._look()

    def observe(self, agent: str) -> Observation:
        mask = np.zeros(self.game.shape.actions, np.int8)
        if agent == self.agent_selection:
            mask[list(self._legal)] = 1
        return {"observation": self._planes.copy(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        if int(action) not in self._legal:
            raise BoardZeroError(f"action {action} is not legal for {self.agent_selection}")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._state.play_action(self._legal[int(action)])
        outcome = self._state.outcome()
        if outcome is not None:
            self.rewards = dict(zip(self.agents, outcome.values, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._look()
        self._accumulate_rewards()

    def render(self) -> str | None:
        return str(self._state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass

    def _look(self) -> None:
        """Take in the new position: who moves, what they see, and which actions they have."""
        self.agent_selection = self.possible_agents[self._state.to_move]
        self._planes = self._state.encode()
        native = self._state.native
        self._legal = {native.relative(a): a for a in self._state.actions()}
