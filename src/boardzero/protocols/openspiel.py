"""OpenSpiel's games as ours: `openspiel:connect_four`, `openspiel:hex(board_size=5)`.

Any of them will do that is turn-based, without chance or hidden information, and for two to four
players. The name and its parameters are written as OpenSpiel writes them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING

from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.extras import needs_extra
from boardzero.base.specs import Option, Value
from boardzero.games import Ending, Family, Game, PythonGame

if TYPE_CHECKING:
    import numpy as np
    import pyspiel
    from numpy.typing import NDArray


class Position:
    """A state of OpenSpiel that nobody changes. Equal if it looks alike and allows the same."""

    def __init__(self, state: pyspiel.State) -> None:
        self.state = state

    @cached_property
    def identity(self) -> str:
        return f"{self.state.current_player()} {self.state} {self.state.legal_actions()}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    def __repr__(self) -> str:
        return repr(str(self.state))


class OpenSpielGame(PythonGame[Position]):
    """A game of OpenSpiel; its own observation as planes, and one more for the seat to move."""

    def __init__(self, text: str) -> None:
        self._game = _load(text)
        self.name = f"openspiel:{text}"
        self.title = self._game.get_type().long_name
        self.players = self._game.num_players()
        self.action_count = self._game.num_distinct_actions()
        self.max_length = self._game.max_game_length()
        self._shape = _as_planes(self._game.observation_tensor_shape())
        self.planes, self.rows, self.columns = self._shape[0] + 1, *self._shape[1:]
        self._scale = max(abs(self._game.min_utility()), abs(self._game.max_utility()))

    def initial(self) -> Position:
        return Position(self._game.new_initial_state())

    def to_move(self, s: Position) -> int:
        return max(0, int(s.state.current_player()))  # negative when the game is over

    def actions(self, s: Position) -> Sequence[int]:
        return s.state.legal_actions()  # type: ignore[no-any-return]

    def play(self, s: Position, action: int) -> Position:
        return Position(s.state.child(action))

    def outcome(self, s: Position) -> Ending | None:
        if not s.state.is_terminal():
            return None
        return Ending(tuple(value / self._scale for value in s.state.returns()))

    def text(self, s: Position, action: int) -> str:
        return s.state.action_to_string(action).strip()  # type: ignore[no-any-return]

    def path(self, s: Position, action: int) -> list[int]:  # noqa: ARG002
        return []

    def picture(self, s: Position) -> str:
        return str(s.state)

    def fen(self, s: Position) -> str:
        """The actions since the start: OpenSpiel has no common text for positions."""
        return " ".join(["start", *map(str, s.state.history())])

    def parse_fen(self, text: str) -> Position:
        start, *history = text.split()
        if start != "start":
            raise ValueError("it must be 'start' and the actions played since")
        state = self._game.new_initial_state()
        for action in map(int, history):
            if action not in state.legal_actions():
                raise ValueError(f"the action {action} is not legal in its place")
            state.apply_action(action)
        return Position(state)

    def identity(self, s: Position) -> str:
        return s.identity

    def encode(self, s: Position) -> NDArray[np.float32]:
        import numpy as np

        mover = self.to_move(s)
        view = np.reshape(np.asarray(s.state.observation_tensor(mover), np.float32), self._shape)
        seat = np.full((1, *self._shape[1:]), mover / (self.players - 1), np.float32)
        return np.concatenate((view, seat))


def _load(text: str) -> pyspiel.Game:
    spiel = _pyspiel()
    name = text.partition("(")[0]
    types = {kind.short_name: kind for kind in spiel.registered_games()}
    if name not in types:
        raise nearest(
            "game of OpenSpiel", name, [n for n, kind in types.items() if not _unfit(spiel, kind)]
        )
    try:
        parameters = spiel.game_parameters_from_string(text)
        del parameters["name"]
        # Where the observation can be from the mover's view, as our encodings are, it shall be.
        for known in types[name].parameter_specification:
            if known.startswith("egocentric"):
                parameters.setdefault(known, True)
        game = spiel.load_game(name, parameters)
        game.new_initial_state()
    except Exception as error:
        raise BoardZeroError(f"OpenSpiel cannot make {text}: {error}") from error
    if why := _unfit(spiel, game.get_type()):
        raise BoardZeroError(f"OpenSpiel's {text} cannot be played here: {why}")
    if not 2 <= game.num_players() <= 4:
        raise BoardZeroError(
            f"OpenSpiel's {text} cannot be played here: it has {game.num_players()} players"
        )
    return game


def _unfit(spiel: ModuleType, kind: pyspiel.GameType) -> str:
    """Why games of this type cannot be ours, or nothing."""
    wanted = spiel.GameType
    if kind.dynamics != wanted.Dynamics.SEQUENTIAL:
        return "its players act at the same time"
    if kind.chance_mode != wanted.ChanceMode.DETERMINISTIC:
        return "it has chance"
    if kind.information != wanted.Information.PERFECT_INFORMATION:
        return "it hides information"
    if kind.min_num_players > 4 or kind.max_num_players < 2:
        return "it is not for 2 to 4 players"
    if not kind.provides_observation_tensor:
        return "it shows nets nothing"
    return ""


def _as_planes(shape: Sequence[int]) -> tuple[int, int, int]:
    """Any observation as planes, rows and columns; what is no board becomes a column of cells."""
    if len(shape) == 3:
        return shape[0], shape[1], shape[2]
    if len(shape) == 2:
        return shape[0], 1, shape[1]
    return math.prod(shape), 1, 1


def _pyspiel() -> ModuleType:
    with needs_extra("openspiel", "a game of OpenSpiel"):
        import pyspiel
    return pyspiel  # type: ignore[no-any-return]


def _make(spec: str, options: Mapping[str, Value]) -> Game:
    return OpenSpielGame(str(options["game"])).game(spec)


FAMILY = Family(
    "openspiel",
    "OpenSpiel",
    "a turn-based game of OpenSpiel without chance or hidden information",
    (Option("game", "tic_tac_toe", "its name and parameters, as OpenSpiel writes them"),),
    _make,
    shorthand="game",
    needs="pyspiel",
    for_strangers=False,
)
