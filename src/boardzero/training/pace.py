"""How fast a run plays."""

from __future__ import annotations

import time
from collections import deque

__all__ = ["Pace"]


class Pace:
    """Positions that can be learned, per second, over the last so many games."""

    def __init__(self, games: int) -> None:
        self._positions = 0
        self._marks = deque([(time.monotonic(), 0)], maxlen=games + 1)

    def add(self, positions: int) -> float:
        """A game has finished; the pace now."""
        self._positions += positions
        self._marks.append((time.monotonic(), self._positions))
        since, before = self._marks[0]
        seconds = max(self._marks[-1][0] - since, 1e-3)
        return round((self._positions - before) / seconds, 1)
