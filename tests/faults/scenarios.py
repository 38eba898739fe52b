"""Work that writes, to be done on a disk that fails: each tells what is finished, and can go on.

`work` may be ended by a sentence or a kill at any write, and is then called again on a good disk.
`missing` says what of that which was told is not there; `result` is the same however often the
work was broken.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol
from unittest import mock

from boardzero.arena import Competition, CompetitionPlan, pool
from boardzero.games import make, tablebase
from boardzero.models.file_bundle import unpack
from boardzero.runs.events import Event, GamesPlayed, VersionArchived
from boardzero.runs.run_folder import RunFolder
from boardzero.server.catalog import HUMAN
from boardzero.server.engines import EnginePool
from boardzero.server.game_session import GameSession
from boardzero.server.live import LiveGame, LiveGames
from boardzero.server.messages import GameRequest, GameView, QueuePlace
from boardzero.server.saved import SavedGames
from boardzero.server.stored import Archive
from boardzero.store import Store
from boardzero.training.dataset import DataSet, DatasetPlan
from boardzero.training.inspection import inspect
from boardzero.training.train import train
from boardzero.workers import local
from tests.training.tiny import check, tiny

Tell = Callable[[str], None]
PDN = Path(__file__).parents[1] / "data" / "club-evening.pdn"


class Scenario(Protocol):
    def work(self, folder: Path, tell: Tell) -> None: ...
    def missing(self, folder: Path, told: list[str]) -> list[str]: ...
    def result(self, folder: Path) -> object: ...


class Training:
    """One iteration of a tiny run."""

    recipe = tiny(
        run__iterations=1, selfplay__games=2, gate__games=0, learn__uses=1, search__simulations=2
    )

    def work(self, folder: Path, tell: Tell) -> None:
        def hear(event: Event) -> None:
            if isinstance(event, GamesPlayed):
                tell(f"games {event.done}")
            elif isinstance(event, VersionArchived):
                tell(f"version {event.version}")

        train(self.recipe, run=folder / "run", cores=1, on_event=hear)

    def missing(self, folder: Path, told: list[str]) -> list[str]:
        run = RunFolder(folder / "run")
        if not RunFolder.is_run(run.path):
            return told
        replay = run.replay()
        there = [f"version {n}" for n in run.versions()]
        there += [f"games {n + 1}" for n in range(len(replay))]
        replay.close()
        return sorted(set(told) - set(there))

    def result(self, folder: Path) -> object:
        versions, games = check(folder / "run")
        return versions, sorted(games)


class WebGame:
    """A game of two people on the page, from the first move to the last."""

    wish = GameRequest(game="gomoku:size=5,line=4", seats=[HUMAN, HUMAN])

    def work(self, folder: Path, tell: Tell) -> None:
        asyncio.run(self._play(folder, tell))

    async def _play(self, folder: Path, tell: Tell) -> None:
        saved, archive = SavedGames(folder / "web.sqlite"), Archive(folder / "games.sqlite")
        pool = EnginePool(workers=1, max_think=1, max_waiting=1)
        games = LiveGames(saved, pool, archive)
        try:
            newest = saved.newest(1)
            live = games.find(newest[0][0]) if newest else games.open(self.wish)
            assert live is not None
            await self._moves(live, tell)
        finally:
            games.close()
            await games.saved()
            pool.close()
            saved.close()
            archive.close()

    async def _moves(self, live: LiveGame, tell: Tell) -> None:
        def hear(news: GameView | QueuePlace) -> None:
            if isinstance(news, GameView):
                state = "ended" if news.position.ending else "plies"
                tell("unsaved" if news.unsaved else f"{state} {len(news.moves)}")

        live.watch(hear)
        while live.session.ending is None:
            move = str(live.session.state.moves()[0])
            live.do(lambda session, move=move: session.play(move))  # type: ignore[misc]
            await live.saved()
        live.save()  # a game that was ended by a kill is stored when it is looked at again
        await live.saved()

    def missing(self, folder: Path, told: list[str]) -> list[str]:
        saved = SavedGames(folder / "web.sqlite")
        newest = saved.newest(1)
        saved.close()
        session = GameSession.load(*newest[0]) if newest else None
        plies = len(session.state.history) if session else -1
        wrong = [text for text in told if text.startswith("plies") and int(text[6:]) > plies]
        if any(text.startswith("ended") for text in told):
            with Store(folder / "games.sqlite") as store:
                wrong += [] if store.count() else ["the finished game"]
        return wrong

    def result(self, folder: Path) -> object:
        with Store(folder / "games.sqlite") as store:
            assert store.problems() == []
            return {game.moves for game in store.games()}


class Tournament:
    """Three players, all against all."""

    def work(self, folder: Path, tell: Tell) -> None:
        players = ("random:seed=1", "random:seed=2", "greedy:seed=1")
        plan = CompetitionPlan(kind="tournament", game="gomoku:size=5", players=players, games=2)
        with Store(folder / "games.sqlite") as store:
            competition = Competition(plan, store)
            for number in competition.play(workers=1):
                tell(f"game {number}")

    def missing(self, folder: Path, told: list[str]) -> list[str]:
        with Store(folder / "games.sqlite") as store:
            there = {f"game {game.number}" for game in store.games()}
        return sorted(set(told) - there)

    def result(self, folder: Path) -> object:
        with Store(folder / "games.sqlite") as store:
            assert store.problems() == []
            return sorted((game.number, game.moves) for game in store.games())


class Data:
    """A data set of games that people have played."""

    def work(self, folder: Path, tell: Tell) -> None:
        plan = DatasetPlan(name="club", game="international", pdn=(str(PDN),))
        DataSet.create(folder / "set", plan).make(on_error=lambda _: None)
        tell("complete")

    def missing(self, folder: Path, told: list[str]) -> list[str]:
        return [text for text in told if not DataSet.open(folder / "set").is_complete]

    def result(self, folder: Path) -> object:
        return [tuple(record.actions) for record in DataSet.open(folder / "set").records()]


class Import:
    """A run that comes from elsewhere; the file with it lies beside the folder."""

    def work(self, folder: Path, tell: Tell) -> None:
        target = folder / "run"
        if not target.exists():
            unpack(folder.parent / "run.zip", target, check=inspect)
        tell("there")

    def missing(self, folder: Path, told: list[str]) -> list[str]:
        return [text for text in told if not (folder / "run").exists()]

    def result(self, folder: Path) -> object:
        inspect(folder / "run")
        with zipfile.ZipFile(folder.parent / "run.zip") as archive:
            names = archive.namelist()
        return [(folder / "run" / name).read_bytes() for name in names]


class Tables:
    """Endgame tables with two and with three pieces, as if none came with the package."""

    def work(self, folder: Path, tell: Tell) -> None:
        with self._only(folder):
            for pieces in (2, 3):
                tablebase.make(make("english"), pieces)
                tell(str(pieces))

    def missing(self, folder: Path, told: list[str]) -> list[str]:
        with self._only(folder):
            return sorted(set(told) - {str(pieces) for pieces in tablebase.files(make("english"))})

    def result(self, folder: Path) -> object:
        """What the slices hold; work that went on has them in another order in its file."""
        with self._only(folder):
            assert not any(tablebase.verify(make("english"), samples=2000).values())
            found = tablebase.tables(make("english"))
            assert found is not None
            return sorted((s.balance, s.wins, s.draws, s.losses) for s in found.slices())

    @contextmanager
    def _only(self, folder: Path) -> Iterator[None]:
        """The tables of this folder and no others."""
        nowhere = mock.patch.object(tablebase, "_SHIPPED", folder / "nothing")
        with nowhere, mock.patch.dict(os.environ, BOARDZERO_HOME=str(folder)):
            yield


SCENARIOS: dict[str, Scenario] = {
    "training": Training(),
    "web game": WebGame(),
    "tournament": Tournament(),
    "data set": Data(),
    "import": Import(),
    "tables": Tables(),
}


def quickly() -> None:
    """Let workers be forks of this process, which has loaded everything."""
    for module in (local, pool):
        module.spawn_context = lambda: multiprocessing.get_context("fork")  # type: ignore[attr-defined]
