"""Who plays whom, in which seats, from which opening, with which seed.

Players meet in groups: a match is one group of two, a round robin has a group for each pair, and a
game of three seats takes groups of two or three. In a round every group plays the same opening
once for each way in which its players can fill the seats, so that no player profits from a seat or
an opening. Everything about a game follows from its number, whether or not others were played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random

from boardzero.arena.openings import Opening, Openings
from boardzero.games import Game


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a schedule; players are numbers, because two of them may have equal names."""

    number: int
    group: int
    round: int
    seating: tuple[int, ...]  # the player of each seat
    opening: Opening


@dataclass(frozen=True, slots=True)
class Schedule:
    groups: tuple[tuple[int, ...], ...]
    games: int  # of each group

    def pairings(self, game: Game, openings: Openings, *, seed: int = 0) -> Iterator[Pairing]:
        """All games, round by round."""
        ways = [seatings(group, game.players) for group in self.groups]
        for round_, opening in enumerate(openings.of(game, seed=seed)):
            first = round_ * len(ways[0])
            if first >= self.games:
                return
            for group, seated in enumerate(ways):
                start = (round_ * len(ways) + group) * len(seated)
                for place, seating in enumerate(seated[: self.games - first]):
                    yield Pairing(start + place, group, round_, seating, opening)


def seatings(group: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """Every way to fill the seats in which each player sits somewhere, rotations side by side."""
    ways = [way for way in product(group, repeat=seats) if set(way) == set(group)]
    ordered: dict[tuple[int, ...], None] = {}
    for way in ways:
        ordered.update(dict.fromkeys(way[-turn:] + way[:-turn] for turn in range(seats)))
    return list(ordered)


def round_robin(players: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Everybody against everybody, as many in a group as there are seats."""
    return tuple(combinations(range(players), min(players, seats)))


def gauntlet(players: int) -> tuple[tuple[int, ...], ...]:
    """The first against each other one."""
    return tuple((0, other) for other in range(1, players))


def derived_seed(seed: int, *path: int) -> int:
    """A seed for one game of a match, or one seat of a game, as good as unrelated to all others."""
    return Random(f"seed {seed} {path}").getrandbits(48)
