"""What a player remembers of its last search, to go on with the tree that it grew."""

from __future__ import annotations

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.games import State


class LastRoot:
    """The state at the root of the last search."""

    def __init__(self) -> None:
        self._root: tuple[list[int], _core.NativeState] | None = None  # with what led to it

    def forget(self) -> None:
        self._root = None

    def keep(self, root: State) -> None:
        self._root = root.played_actions, root.native.clone()

    def played_since(self, state: State) -> list[int] | None:
        """The actions from there to here, or None if that was another game."""
        if self._root is None:
            return None
        before, root = self._root
        actions = state.played_actions
        if actions[: len(before)] != before:
            return None
        since = actions[len(before) :]
        reached = root.clone()
        try:
            reached.play_all(since)
        except BoardZeroError:
            return None
        # Two games may begin in different positions and go on with the same moves.
        return since if reached.equals(state.native) else None
