"""Whether a worker's games are like those of the others, though each of them is legal.

A worker that is broken, or another program in its place, may send games that the rules allow and
that would still spoil a net: too short, all drawn, all won by one side, or always the same. So the
newest games of each worker are compared with those that others have sent in the same time, and a
worker that differs from most of them is odd: so nobody is, because a single other one is.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TypedDict

from boardzero import _core

_WINDOW = 400  # games for each worker that are remembered
_FEWEST = 40  # games of a worker before anything is said of it
_LOOK_EVERY = 10  # games of a worker
_MOST_OTHERS = 32  # that a worker is compared with
_CERTAIN = 6.0  # standard errors; chance does that once in a billion times
_LENGTH_RATIO = 1.25  # between mean lengths; less may come from the machine's speed
_SHARE_GAP = 0.15  # between shares


@dataclass(frozen=True, slots=True)
class ComparedGame:
    """What is compared of a game."""

    length: int
    drawn: bool
    first_won: bool
    key: int  # the same for the same game

    @classmethod
    def of(cls, game: _core.GameRecord) -> ComparedGame:
        actions = tuple(game.actions)
        return cls(len(actions), game.winner is None, game.winner == 0, hash((game.fen, actions)))


@dataclass(slots=True)
class _Sums:
    """Of some games."""

    games: int = 0
    length: int = 0
    squares: int = 0  # of the lengths
    draws: int = 0
    first_wins: int = 0
    repeated: int = 0  # games that the same worker had sent before

    def add(self, game: ComparedGame, sign: int) -> None:
        self.games += sign
        self.length += sign * game.length
        self.squares += sign * game.length**2
        self.draws += sign * game.drawn
        self.first_wins += sign * game.first_won

    @property
    def mean_length(self) -> float:
        return self.length / self.games

    @property
    def spread(self) -> float:
        """The variance of the length."""
        return max(0.0, self.squares / self.games - self.mean_length**2)

    def join(self, other: _Sums) -> None:
        self.games += other.games
        self.length += other.length
        self.draws += other.draws
        self.first_wins += other.first_wins
        self.repeated += other.repeated


@dataclass(slots=True)
class _OfWorker:
    sums: _Sums = field(default_factory=_Sums)
    keys: Counter[int] = field(default_factory=Counter)
    skipped: int = 0
    games: int = 0
    told: set[str] = field(default_factory=set)


class WorkerSummary(TypedDict):
    """What is shown of a worker."""

    steps: float
    draws: float
    odd: bool


class WorkerStatistics:
    """The newest games of all workers, by worker."""

    def __init__(self, *, skip: int) -> None:
        """Of each worker the first `skip` games do not count: the short ones finish first."""
        self._skip = skip
        self._window: deque[tuple[str, ComparedGame]] = deque()
        self._workers: dict[str, _OfWorker] = {}

    def add(self, worker: str, game: ComparedGame) -> list[str]:
        """Count a game; what is odd about the worker's games, each told once."""
        own = self._workers.setdefault(worker, _OfWorker())
        if own.skipped < self._skip:
            own.skipped += 1
            return []
        self._count(worker, game, +1)
        self._window.append((worker, game))
        while len(self._window) > _WINDOW * len(self._workers):
            self._count(*self._window.popleft(), -1)
        own.games += 1
        if own.games % _LOOK_EVERY:
            return []
        found = dict(self._oddities(own.sums))
        new = [sentence for kind, sentence in found.items() if kind not in own.told]
        own.told.update(found)
        return new

    def summary(self, worker: str) -> WorkerSummary:
        """Of its newest games."""
        own = self._workers.get(worker, _OfWorker())
        games = max(1, own.sums.games)
        return {
            "steps": round(own.sums.length / games, 1),
            "draws": round(own.sums.draws / games, 3),
            "odd": bool(own.told),
        }

    def _count(self, worker: str, game: ComparedGame, sign: int) -> None:
        own = self._workers[worker]
        own.sums.add(game, sign)
        before = own.keys[game.key]
        own.keys[game.key] += sign
        if before + sign == 0:
            del own.keys[game.key]
        own.sums.repeated += max(0, before + sign - 1) - max(0, before - 1)

    def _oddities(self, own: _Sums) -> Iterator[tuple[str, str]]:
        """In which ways a worker's games differ from those of most others, by kind."""
        everybody = (worker.sums for worker in self._workers.values())
        known = (sums for sums in everybody if sums is not own and sums.games >= _FEWEST)
        others = list(islice(known, _MOST_OTHERS))
        if own.games < _FEWEST or not others:
            return
        all_others = _Sums()
        for other in others:
            all_others.join(other)
        for kind, differs in _DIFFERENCES.items():
            if 2 * sum(differs(own, other) for other in others) > len(others):
                yield kind, _SENTENCES[kind](own, all_others)


def _length_differs(own: _Sums, other: _Sums) -> bool:
    short, long = sorted((own.mean_length, other.mean_length))
    error = math.sqrt(own.spread / own.games + other.spread / other.games)
    return long > _LENGTH_RATIO * short and long - short > _CERTAIN * error


def _share_differs(count: Callable[[_Sums], int]) -> Callable[[_Sums, _Sums], bool]:
    def differs(own: _Sums, other: _Sums) -> bool:
        gap = abs(count(own) / own.games - count(other) / other.games)
        share = (count(own) + count(other)) / (own.games + other.games)
        error = math.sqrt(share * (1 - share) * (1 / own.games + 1 / other.games))
        return gap > _SHARE_GAP and gap > _CERTAIN * error

    return differs


def _share_sentence(count: Callable[[_Sums], int], what: str) -> Callable[[_Sums, _Sums], str]:
    def sentence(own: _Sums, others: _Sums) -> str:
        share, usual = count(own) / own.games, count(others) / others.games
        return f"{share:.0%} {what}, of those of others {usual:.0%}"

    return sentence


def _length_sentence(own: _Sums, others: _Sums) -> str:
    return f"they take {own.mean_length:.1f} steps, those of others {others.mean_length:.1f}"


_SHARES: dict[str, tuple[Callable[[_Sums], int], str]] = {
    "draws": (lambda sums: sums.draws, "are drawn"),
    "first": (lambda sums: sums.first_wins, "are won by the side that begins"),
    "repeated": (lambda sums: sums.repeated, "are repetitions of its own"),
}
_DIFFERENCES = {
    "length": _length_differs,
    **{kind: _share_differs(count) for kind, (count, _) in _SHARES.items()},
}
_SENTENCES = {
    "length": _length_sentence,
    **{kind: _share_sentence(count, what) for kind, (count, what) in _SHARES.items()},
}
