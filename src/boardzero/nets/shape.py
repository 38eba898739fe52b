"""What a net must fit."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NetShape:
    """What a net must fit: its input, the size of its policy and the number of players."""

    planes: int
    rows: int
    columns: int
    policy: int
    players: int
    history: int = 0  # so many earlier states are among the planes

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def board_planes(self) -> int:
        """Those of a single state."""
        return self.planes // (self.history + 1)
