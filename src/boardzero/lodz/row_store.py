"""Memories of bounded size: the newest rows drive out the oldest."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import DTypeLike, NDArray

from boardzero.base.errors import BoardZeroError

Rows = Mapping[str, NDArray[np.generic]]  # columns of equal length


class RowStore:
    """Columns of `capacity` rows; each is given with its type and the shape of one entry."""

    def __init__(
        self, capacity: int, columns: Mapping[str, tuple[DTypeLike, tuple[int, ...]]]
    ) -> None:
        self.capacity = capacity
        self._columns: dict[str, NDArray[np.generic]] = {
            name: np.zeros((capacity, *shape), dtype) for name, (dtype, shape) in columns.items()
        }
        self._added = 0  # in all; its remainder is where the next row goes

    def __len__(self) -> int:
        return min(self._added, self.capacity)

    def add(self, rows: Rows) -> None:
        """Append rows, oldest first."""
        count = len(next(iter(rows.values())))
        kept = min(count, self.capacity)
        places = (self._added + count - kept + np.arange(kept)) % self.capacity
        for name, column in self._columns.items():
            column[places] = rows[name][count - kept :]
        self._added += count

    def draw(self, rng: np.random.Generator, count: int) -> dict[str, NDArray[np.generic]]:
        """Random rows, each draw from all of them; none from an empty store."""
        places = rng.integers(max(1, len(self)), size=count if len(self) else 0)
        return {name: column[places] for name, column in self._columns.items()}

    def tensors(self, name: str) -> dict[str, NDArray[np.generic]]:
        """For a file."""
        found = {f"{name}.{key}": column[: len(self)] for key, column in self._columns.items()}
        return {**found, f"{name}.added": np.array([self._added], np.int64)}

    def load(self, name: str, tensors: Mapping[str, NDArray[np.generic]]) -> None:
        """Take back what `tensors` gave."""
        try:
            self._added = int(tensors[f"{name}.added"][0])
            for key, column in self._columns.items():
                column[: len(self)] = tensors[f"{name}.{key}"]
        except (KeyError, ValueError):
            raise BoardZeroError(f"the file holds no store '{name}' of the recipe's size") from None
