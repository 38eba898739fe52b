"""Games of other players to learn from: data sets.

A data set is a folder:

    dataset.toml       what it is made of
    shard-000001.bin   the games, framed and checked like those of a run's replay

Games are kept whole, two bytes a move and the result, so a position is stored once however it is to
be shown to a net later. Every action is a choice to be learned, except those of random openings.
`DataSet.replay` feeds any trainer. A data set that was killed while it was made is gone on with.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, model_validator

from boardzero import _core
from boardzero.arena.openings import Opening, RandomOpenings
from boardzero.arena.play_game import FAULTS
from boardzero.arena.pool import play_all
from boardzero.arena.schedule import derived_seed
from boardzero.arena.terms import Terms
from boardzero.arena.worker import GameTask
from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.files import write_file
from boardzero.base.processes import cores
from boardzero.base.sections import LARGEST_SEED, Section, read_toml, validated
from boardzero.games import Move, State, make, read_games
from boardzero.players import make_player
from boardzero.runs.recipe import to_toml
from boardzero.runs.replay import Replay
from boardzero.store import PlayedGame


class Games(Section):
    """Games between players, who change seats after each; one alone plays with itself.

    Where there are fewer players than seats, they sit down in turn.
    """

    players: tuple[str, ...] = Field(min_length=1)
    count: int = Field(ge=1, le=100_000_000)

    def seats(self, number: int, count: int) -> tuple[str, ...]:
        """Who has each of so many seats in the game of this number."""
        players = self.players
        return tuple(players[(seat + number) % len(players)] for seat in range(count))


class DatasetPlan(Section):
    """What a data set is made of."""

    name: str
    game: str
    about: str = ""
    seed: int = Field(0, ge=0, le=LARGEST_SEED)
    opening_plies: int = Field(0, ge=0)  # random moves at the start, which are not learned
    max_plies: int = Field(1000, ge=1, le=10_000)
    games: tuple[Games, ...] = ()
    pdn: tuple[str, ...] = ()  # files of games that people have played

    @model_validator(mode="after")
    def _is_possible(self) -> DatasetPlan:
        if not self.games and not self.pdn:
            raise ValueError("a data set needs games to be played, or PDN files")
        game = make(self.game)
        if self.pdn and game.traits.pdn is None:
            raise ValueError(f"PDN files hold games of draughts, not of {self.game}")
        if any(len(part.players) > game.players for part in self.games):
            raise ValueError(f"{self.game} has {game.players} seats; more players cannot sit down")
        for spec in {spec for part in self.games for spec in part.players}:
            make_player(spec, game).close()
        return self

    @property
    def total(self) -> int:
        """Games to be played."""
        return sum(part.count for part in self.games)

    def toml(self) -> str:
        return to_toml(self.model_dump(exclude_none=True))


@dataclass(frozen=True, slots=True)
class DatasetProgress:
    """How far the making of a data set is."""

    done: int
    total: int
    positions: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What is in a data set."""

    games: int
    planned: int  # without the games of PDN files
    positions: int
    bytes: int
    results: dict[str, tuple[int, int, int]]  # by source: won by who began, drawn, lost


class DataSet:
    """A folder of games. One owner makes it; then anybody reads."""

    def __init__(self, path: Path, plan: DatasetPlan) -> None:
        self.path = path
        self.plan = plan
        self.game = make(plan.game)

    @classmethod
    def create(cls, path: Path, plan: DatasetPlan) -> DataSet:
        """A new data set, or the one that is there if it is made of the same."""
        file = path / "dataset.toml"
        if file.exists():
            found = cls.open(path)
            if found.plan != plan:
                raise BoardZeroError(f"{path} is made of other games; give another folder")
            return found
        if path.exists() and any(not entry.name.startswith(".") for entry in path.iterdir()):
            raise BoardZeroError(f"{path} is not empty and holds no data set")
        write_file(file, plan.toml())
        return cls(path, plan)

    @classmethod
    def open(cls, path: Path | str) -> DataSet:
        """One that is there, by its folder or by its name in the usual place."""
        folder = Path(path) if "/" in str(path) or Path(path).is_dir() else data_home() / path
        file = folder / "dataset.toml"
        if not file.exists():
            raise BoardZeroError(f"{folder} holds no data set; 'boardzero dataset make' makes one")
        return cls(folder, validated(DatasetPlan, read_toml(file, "data set"), source=str(file)))

    def replay(self) -> Replay:
        """The games, as trainers take them."""
        return Replay(self.path)

    def count(self) -> int:
        """Games that are there."""
        replay = self.replay()
        replay.close()
        return len(replay)

    @property
    def is_complete(self) -> bool:
        replay = self.replay()
        replay.close()
        done = self._count_played(replay) >= self.plan.total
        return done and (not self.plan.pdn or self._pdn_done.exists())

    def make(
        self,
        *,
        workers: int | None = None,
        on_progress: Callable[[DatasetProgress], None] = lambda _: None,
        on_error: Callable[[BoardZeroError], None] | None = None,
    ) -> None:
        """Play what is missing and read the PDN files; whatever is finished stays.

        A game of a PDN file that cannot be read is left out if `on_error` takes its error.
        """
        replay = self.replay()
        positions = sum(game.samples for game in replay.games)
        done = self._count_played(replay)

        def report() -> None:
            on_progress(DatasetProgress(done, self.plan.total, positions))

        try:
            report()
            tasks = self._tasks(replay.numbers)
            with closing(play_all(tasks, workers=workers or cores())) as games:
                for task, record in games:
                    data = self._played(task, record)
                    replay.append(data, iteration=1)
                    positions += len(_core.parse_record(data).decisions)
                    done += 1
                    report()
            if self.plan.pdn and not self._pdn_done.exists():
                self._read_pdn(replay, on_error)
                replay.sync()
                write_file(self._pdn_done, "")
            replay.sync()
        finally:
            replay.close()

    def records(self) -> Iterator[_core.GameRecord]:
        """The games as they were recorded."""
        replay = self.replay()
        try:
            for game in replay.games:
                yield _core.parse_record(replay.read(game))
        finally:
            replay.close()

    def summary(self) -> Summary:
        results: dict[str, Counter[int]] = {}
        names = [" - ".join(part.players) for part in self.plan.games] + list(self.plan.pdn)
        games = positions = 0
        for record in self.records():
            games += 1
            positions += len(record.decisions)
            winner = 0 if record.winner is None else 1 if record.winner == 0 else -1
            results.setdefault(names[record.version], Counter())[winner] += 1
        return Summary(
            games=games,
            planned=self.plan.total,
            positions=positions,
            bytes=sum(file.stat().st_size for file in self.path.glob("shard-*.bin")),
            results={name: (c[1], c[0], c[-1]) for name, c in results.items()},
        )

    def _count_played(self, replay: Replay) -> int:
        """Games of the plan; those of PDN files have the numbers above."""
        return sum(number < self.plan.total for number in replay.numbers)

    @property
    def _pdn_done(self) -> Path:
        return self.path / ".pdn-read"

    def _tasks(self, done: set[int]) -> Iterator[GameTask]:
        """The games that are not there yet; a game's number decides everything about it."""
        plan, number = self.plan, 0
        openings = RandomOpenings(plan.opening_plies).of(self.game, seed=plan.seed)
        terms = Terms(max_plies=plan.max_plies)
        opening = Opening()
        for part in plan.games:
            for place in range(part.count):
                if plan.opening_plies and place % self.game.players == 0:
                    opening = next(openings)
                if number not in done:
                    seed = derived_seed(plan.seed, number)
                    yield GameTask(
                        number,
                        plan.game,
                        part.seats(place, self.game.players),
                        opening,
                        terms,
                        seed,
                    )
                number += 1

    def _played(self, task: GameTask, record: PlayedGame) -> bytes:
        if record.reason.startswith(FAULTS):
            raise BoardZeroError(f"game {task.number} was not finished: {record.reason}")
        state = self.game.start()
        moves = [self._play(state, text) for text in (*record.opening, *record.moves)]
        return record_bytes(
            number=task.number,
            source=self._source(task.number),
            moves=moves,
            skip=len(record.opening),
            values=record.values,
            winner=record.winner,
        )

    @staticmethod
    def _play(state: State, text: str) -> Move:
        move = state.parse(text)
        state.play(move)
        return move

    def _source(self, number: int) -> int:
        for source, part in enumerate(self.plan.games):
            if number < part.count:
                return source
            number -= part.count
        raise AssertionError("no such game")

    def _read_pdn(self, replay: Replay, on_error: Callable[[BoardZeroError], None] | None) -> None:
        number = self.plan.total
        for source, file in enumerate(self.plan.pdn, start=len(self.plan.games)):
            for game in read_games(Path(file), self.game, on_error=on_error):
                if (values := game.values) is not None and game.moves:
                    winner = next((s for s in (0, 1) if values[s] > values[1 - s]), None)
                    data = record_bytes(
                        number=number,
                        source=source,
                        moves=game.moves,
                        values=values,
                        winner=winner,
                        fen=game.tags.get("FEN", ""),
                    )
                    replay.append(data, iteration=1)
                number += 1


def record_bytes(
    *,
    number: int,
    source: int,
    moves: Sequence[Move],
    values: Sequence[float],
    winner: int | None,
    skip: int = 0,
    fen: str = "",
) -> bytes:
    """A game as searches record theirs: each action after the first `skip` moves was chosen."""
    actions = [action for move in moves for action in move.actions]
    first = sum(len(move.actions) for move in moves[:skip])
    return _core.write_record(
        actions,
        range(first, len(actions)),
        values,
        winner=winner,
        version=source,
        number=number,
        fen=fen,
    )


def data_home() -> Path:
    """Where data sets are kept unless told otherwise."""
    return Path(os.environ.get("BOARDZERO_DATA", "data"))


def plan_names() -> list[str]:
    """The data sets that can be made by name."""
    return sorted(path.stem for path in _plans().glob("*.toml"))


def load_plan(name: str) -> DatasetPlan:
    """A plan that comes with BoardZero, by its name; or the path of one, ending in .toml."""
    path = Path(name)
    if not name.endswith(".toml"):
        if name not in plan_names():
            raise nearest("data set", name, plan_names())
        path = _plans() / f"{name}.toml"
    data = {"name": path.stem, **read_toml(path, "data set")}
    return validated(DatasetPlan, data, source=path.name)


def _plans() -> Path:
    return Path(__file__).parents[1] / "recipes" / "datasets"
