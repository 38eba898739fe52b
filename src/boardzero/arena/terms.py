"""The conditions of a game: how long players may think, and when a game is cut."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass, field

from boardzero.base.errors import BoardZeroError
from boardzero.base.specs import Option, parse_spec, read_options
from boardzero.players import Clock, Limit

_LIMITS = (
    Option("time", 0.0, "seconds for each move", low=0),
    Option("clock", "", "seconds for the game, such as 60, 60+0.5 or 40/60+0.5"),
    Option("depth", 0, "moves to look ahead", low=0),
    Option("nodes", 0, "positions to look at for each move", low=0),
    Option("simulations", 0, "simulations for each move", low=0),
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The same for all seats; a player whose spec has its own budget keeps to that as well."""

    limit: Limit = field(default_factory=Limit)  # its clock is what each player starts with
    max_plies: int = 1000  # a longer game is drawn
    margin: float = 0.25  # seconds beyond the time that are forgiven: machines are busy
    adjudicate: bool = False  # a game ends where endgame tables are certain of its result

    def __post_init__(self) -> None:
        if self.max_plies < 1:
            raise BoardZeroError(f"a game must last at least one ply, not {self.max_plies}")
        if self.margin < 0:
            raise BoardZeroError(f"the margin must be at least 0 seconds, not {self.margin:g}")

    def settings(self) -> dict[str, object]:
        """As JSON can keep it; matches from before there were tables to end games go on."""
        settings = asdict(self)
        if not self.adjudicate:
            del settings["adjudicate"]
        return settings


class Timer:
    """The time of one seat through one game."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._clock = terms.limit.clock
        self._time = terms.limit.time

    @property
    def limit(self) -> Limit:
        """What the player is told before its next move."""
        limit = self._terms.limit
        return Limit(limit.time, self._clock, limit.depth, limit.nodes, limit.simulations)

    @property
    def seconds(self) -> float:
        """After this long the move is late; infinite where nothing bounds it."""
        left = math.inf if self._clock is None else self._clock.left
        return min(left, math.inf if self._time is None else self._time) + self._terms.margin

    def spend(self, seconds: float) -> None:
        """Count the time of a move that was not late."""
        start, clock = self._terms.limit.clock, self._clock
        if start is None or clock is None:
            return
        left = max(0.0, clock.left - seconds) + clock.increment
        moves = None if clock.moves is None else clock.moves - 1
        if moves == 0:  # the time control is reached: the next one begins
            left, moves = left + start.left, start.moves
        self._clock = Clock(left, clock.increment, moves)


def parse_limit(text: str) -> Limit:
    """A limit such as `time=0.5`, `depth=6` or `clock=60+0.5`; several are joined by commas.

    A clock is [moves/]seconds[+increment], as chess programs write it.
    """
    given = read_options(parse_spec(f"limit:{text}"), _LIMITS)
    return Limit(
        time=float(given["time"]) or None,
        clock=_parse_clock(str(given["clock"])) if given["clock"] else None,
        depth=int(given["depth"]) or None,
        nodes=int(given["nodes"]) or None,
        simulations=int(given["simulations"]) or None,
    )


def _parse_clock(text: str) -> Clock:
    number = r"\d+(?:\.\d*)?|\.\d+"
    parts = re.fullmatch(rf"(?:(\d+)/)?({number})(?:\+({number}))?", text)
    if parts is None or float(parts[2]) == 0 or (parts[1] and int(parts[1]) == 0):
        raise BoardZeroError(f"a clock is written 60, 60+0.5 or 40/60+0.5, not '{text}'")
    return Clock(float(parts[2]), float(parts[3] or 0), int(parts[1]) if parts[1] else None)
