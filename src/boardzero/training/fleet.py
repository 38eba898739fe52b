"""The workers that play a run's games: they get numbers of games, and may die or err."""

from __future__ import annotations

import heapq
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.runs.events import (
    GamesOdd,
    MessageRefused,
    Observer,
    WorkerStats,
    WorkerStopped,
)
from boardzero.runs.recipe import Recipe, SelfPlayRecipe
from boardzero.training.game_worker import Assignment, FinishedGame, Heartbeat, NewVersion
from boardzero.training.inspection import GameInspector
from boardzero.training.selfplay_worker import selfplay_main
from boardzero.training.signature import ShowSignature, WorkerSignature, signature_of
from boardzero.training.worker_statistics import ComparedGame, WorkerStatistics
from boardzero.workers.launcher import Launcher, Resources, Worker, WorkerMain, raise_refusal
from boardzero.workers.messages import what_is_wrong

_LOOK_SECONDS = 2.0  # how often to look whether there is room for more
_MOST_REFUSED = 5  # games of a worker that has hardly sent a good one


@dataclass(slots=True, eq=False)
class _Member:
    """A worker, and what it was given to do."""

    name: str
    worker: Worker
    joined: bool  # it has shown the right signature, or is this machine
    numbers: set[int] = field(default_factory=set)  # assigned and not yet finished
    assigned: int = 0  # in all
    games: int = 0  # that were good
    refused: int = 0
    stopped: bool = False
    rows_per_second: float = 0.0


@dataclass(frozen=True, slots=True)
class Players:
    """What plays the games of a run: the main function of its workers, and who checks the games."""

    recipe: SelfPlayRecipe
    main: WorkerMain
    inspector: GameInspector
    arguments: tuple[object, ...] = ()  # of the main function, after channel and recipe

    @classmethod
    def with_puct(cls, recipe: Recipe) -> Players:
        """Residual nets."""
        inspector = GameInspector(recipe.game, max_steps=recipe.selfplay.max_steps)
        return cls(recipe, selfplay_main, inspector)


class SelfPlayFleet:
    """Workers that play games, of self-play or of a gate's match.

    One that dies is replaced and its games are played again. What a worker sends is checked: it may
    run on a machine that is broken, or be another program. So it shows its signature before its
    games count, and games of self-play that are unlike those of the others are told.
    """

    def __init__(
        self,
        players: Players,
        launcher: Launcher,
        *,
        size: int | None,
        resources: Resources | None = None,
        tell: Observer = lambda _: None,
    ) -> None:
        """As many workers as `size`, or as there is room for; `tell` hears what is refused."""
        self._players = players
        self._launcher = launcher
        self._size = size
        self._resources = resources or Resources()
        self._tell = tell
        self._restarts = players.recipe.cluster.restarts
        # On a cluster, games wait where they can still go to anybody.
        self._most_assigned = None if launcher.local else 2 * players.recipe.games_at_once
        self._newest = 0
        self._version: object = None  # the latest message that tells it
        self._stream = 0
        self._backlog: deque[int] = deque()  # numbers that nobody has been assigned
        self._statistics = WorkerStatistics(skip=players.recipe.games_at_once)
        self._contest = False
        self._deaths = 0
        self._started = 0
        self._look_again = 0.0
        self._members: list[_Member] = []
        if size is not None:
            launcher.request(self._resources, size)
        self._fill()

    def start(
        self, models: Sequence[Path], numbers: Sequence[int], *, version: int = 0, stream: int = 0
    ) -> None:
        """Begin the games with these numbers; `collect` tells which have finished."""
        self.load(models, version=version)
        self._stream = stream
        self._backlog.clear()
        for member in self._members:
            member.numbers.clear()
            member.rows_per_second = 0.0
        self.assign(numbers)

    def load(self, models: Sequence[Path], *, version: int) -> None:
        """Let all workers play with these models from now on."""
        self._contest = len(models) > 1
        message = NewVersion(tuple(models), version)
        self._newest = version
        self._version = self._launcher.share(message if self._launcher.local else message.packed())
        for member in self._members:
            member.worker.send(self._version)

    def assign(self, numbers: Sequence[int]) -> None:
        """More games, to whoever has least to do."""
        self._backlog.extend(numbers)
        self._hand_out()

    @property
    def size(self) -> int:
        """Workers that are there."""
        return sum(member.worker.ready for member in self._members)

    @property
    def unfinished(self) -> int:
        """Games that were assigned and have not come back."""
        return len(self._backlog) + sum(len(member.numbers) for member in self._members)

    @property
    def rows_per_second(self) -> float:
        return sum(member.rows_per_second for member in self._members)

    def stats(self) -> list[WorkerStats]:
        """How each worker is doing."""
        return [
            WorkerStats(
                member.name,
                member.worker.node,
                round(member.rows_per_second),
                member.games,
                member.refused,
                **self._statistics.summary(member.name),
            )
            for member in self._members
            if member.worker.ready
        ]

    def collect(self, timeout: float) -> Iterator[bytes]:
        """The games that finish within a time."""
        self._fill()
        self._launcher.wait([member.worker for member in self._members], timeout)
        for member in list(self._members):
            for message in member.worker.receive():
                if not member.stopped:
                    yield from self._take(member, message)
            if not member.worker.alive:
                self._replace(member)
        self._hand_out()

    def close(self) -> None:
        """Let all workers go."""
        self._launcher.stop([member.worker for member in self._members])
        self._members.clear()

    def _take(self, member: _Member, message: object) -> Iterator[bytes]:
        if isinstance(message, FinishedGame):
            if message.stream != self._stream:
                return
            try:
                game = self._check(member, message.record)
            except BoardZeroError as error:
                self._refuse(member, str(error))
                return
            member.numbers.discard(game.number)
            member.games += 1
            if not self._contest:
                self._compare(member, game)
            yield message.record
        elif isinstance(message, Heartbeat):
            if message.rows:
                member.rows_per_second = message.rows / max(message.seconds, 1e-3)
            # It has nothing left to play: what has not come back by now never will.
            if message.left == 0 and message.taken == member.assigned and member.numbers:
                self._put_back(member)
        elif isinstance(message, WorkerSignature):
            self._check_signature(member, message)
        else:
            raise_refusal(message)
            self._refuse(member, what_is_wrong(message))

    def _check(self, member: _Member, record: object) -> _core.GameRecord:
        """A game that can be learned from; says what is wrong with another."""
        if not member.joined:
            raise BoardZeroError("a game before its signature")
        game = self._players.inspector.check(record)
        if game.number not in member.numbers:
            raise BoardZeroError(f"game {game.number}, which it was not asked for")
        if game.version > self._newest:
            raise BoardZeroError(f"a game of version {game.version}, which there is not yet")
        return game

    def _check_signature(self, member: _Member, shown: WorkerSignature) -> None:
        """Let a worker in that computes what this machine does, and turn another away."""
        difference = signature_of(self._players.recipe.game).difference(shown)
        if not difference:
            member.joined = True
            return
        reason = f"it computes otherwise than this machine ({difference})"
        self._turn_away(member, reason)
        if all(one.stopped for one in self._members):
            raise BoardZeroError(
                f"{member.name} on {member.worker.node} cannot be used, and there is no other: "
                f"{reason}; the same build of the program on all machines would agree"
            )

    def _compare(self, member: _Member, game: _core.GameRecord) -> None:
        for reason in self._statistics.add(member.name, ComparedGame.of(game)):
            self._tell(GamesOdd(member.name, member.worker.node, reason))

    def _refuse(self, member: _Member, reason: str) -> None:
        member.refused += 1
        self._tell(MessageRefused(member.name, member.worker.node, member.refused, reason))
        if member.refused >= _MOST_REFUSED and member.refused > member.games:
            self._turn_away(member, "it sent too much that cannot be used")

    def _turn_away(self, member: _Member, reason: str) -> None:
        self._tell(WorkerStopped(member.name, member.worker.node, reason))
        member.stopped = True
        self._launcher.stop([member.worker], for_good=True)

    def _fill(self) -> None:
        """Start as many as are wanted and find room, but at least one."""
        now = time.monotonic()
        if now < self._look_again:
            return
        self._look_again = now + _LOOK_SECONDS
        missing = (self._size or sys.maxsize) - len(self._members)
        more = min(missing, self._launcher.capacity(self._resources)) if missing else 0
        for _ in range(more if self._members else max(1, more)):
            self._started += 1
            players = self._players
            worker = self._launcher.start(
                players.main, players.recipe, *players.arguments, resources=self._resources
            )
            local = self._launcher.local
            self._members.append(_Member(f"worker {self._started}", worker, joined=local))
            if not local:
                worker.send(ShowSignature(players.recipe.game))
            if self._version is not None:
                worker.send(self._version)

    def _replace(self, member: _Member) -> None:
        """A worker has died: others get its games, and a new one its place."""
        self._members.remove(member)
        self._launcher.stop([member.worker])
        self._put_back(member)
        self._deaths += not member.worker.node_lost
        if self._deaths > self._restarts:
            raise BoardZeroError(f"workers of this run have died {self._restarts} times; giving up")
        self._look_again = 0.0
        self._fill()

    def _put_back(self, member: _Member) -> None:
        self._backlog.extendleft(sorted(member.numbers, reverse=True))
        member.numbers.clear()

    def _hand_out(self) -> None:
        """Assign games that nobody has to whoever has fewest."""
        loads = [(len(m.numbers), i) for i, m in enumerate(self._members) if m.worker.ready]
        if not self._backlog or not loads:
            return
        heapq.heapify(loads)
        handed: dict[int, list[int]] = {}
        while self._backlog and (self._most_assigned is None or loads[0][0] < self._most_assigned):
            count, index = loads[0]
            handed.setdefault(index, []).append(self._backlog.popleft())
            heapq.heapreplace(loads, (count + 1, index))
        for index, numbers in handed.items():
            member = self._members[index]
            member.numbers.update(numbers)
            member.assigned += len(numbers)
            member.worker.send(Assignment(tuple(numbers), self._stream))


def contest_winner(record: bytes) -> int | None:
    """Which of two contestants won: the first sits on seat 0 in games with an even number."""
    game = _core.parse_record(record)
    return None if game.winner is None else (game.winner + game.number) % 2
