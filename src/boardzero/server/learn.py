"""What training runs tell: read from their folders, where nothing but their strength is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi import Path as InPath

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, without_endings
from boardzero.runs.curves import figures_of
from boardzero.runs.events import Event, GamesPlayed, GateDecided, LossMeasured, of_type
from boardzero.runs.recipe import AnyRecipe
from boardzero.runs.run_folder import ClusterStats, Progress, RunFolder
from boardzero.server.catalog import open_game
from boardzero.server.engines import ThePool
from boardzero.server.messages import Outgoing
from boardzero.server.parts import part
from boardzero.server.run_player import run_family
from boardzero.server.selfplay import SelfPlayGame, selfplay_game
from boardzero.server.strength import Strength, StrengthView
from boardzero.server.strict_json import StrictRoute
from boardzero.server.training import Doing, NewRun, RecipeView, Trainings, recipes
from boardzero.server.versions import VersionComparison, VersionThought, compare

router = APIRouter(prefix="/api/runs", tags=["learn"], route_class=StrictRoute)

_LONGEST_LOG = 4 << 20  # bytes read from the end of a log

T = TypeVar("T")


class RunSummary(Outgoing):
    name: str
    game: str
    plays: str  # the game without what only says how games end
    method: str
    player: str  # the family that plays its versions: NAME:run=...
    versions: list[int]
    running: bool  # as far as this server started it
    progress: float | None  # of a running one, from 0 to 1
    trouble: str | None  # why it failed, if it did
    iteration: int
    seconds: float
    updated: float  # when the log was last written, in seconds since 1970


class CurveView(Outgoing):
    label: str
    x: list[float]
    y: list[float]


class FigureView(Outgoing):
    """Curves that only runs of some kind have."""

    name: str  # key of the page's texts
    title: str
    x_label: str
    curves: list[CurveView]


class RunView(Outgoing):
    summary: RunSummary
    doing: Doing | None  # of a running one
    played: int  # games in all, as far as they are counted
    recipe: str
    games: list[GamesPlayed]
    losses: list[LossMeasured]
    gates: list[GateDecided]
    figures: list[FigureView]
    cluster: ClusterStats | None


class Runs:
    """The folder that holds runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.trainings = Trainings(folder)
        self.strength = Strength()

    def close(self) -> None:
        self.trainings.close()
        self.strength.close()

    def find(self, name: str) -> RunFolder | None:
        """The run of this name, if there is one."""
        path = self._folder / name
        if name.startswith(".") or path.parent != self._folder:
            return None
        return _or(None, lambda: RunFolder.open(path))

    def newest(self) -> list[RunSummary]:
        found = [self._summary(run) for run in RunFolder.all_in(self._folder)]
        return sorted(found, key=lambda run: -run.updated)

    def view(self, run: RunFolder) -> RunView:
        events = run.read_log(most_bytes=_LONGEST_LOG)
        summary = self._summary(run)
        return RunView(
            summary=summary,
            doing=self.trainings.doing(run.name, summary.versions),
            played=sum(event.total for event in of_type(events, GamesPlayed)),
            figures=_figures(run, events),
            recipe=run.recipe_text(),
            games=of_type(events, GamesPlayed),
            losses=of_type(events, LossMeasured),
            gates=of_type(events, GateDecided),
            cluster=run.workers(),
        )

    def _summary(self, run: RunFolder) -> RunSummary:
        recipe = _or(AnyRecipe(name="", game="", method=""), run.recipe)
        progress = _or(Progress(iteration=0), run.progress)
        return RunSummary(
            name=run.name,
            game=recipe.game,
            plays=_or(recipe.game, lambda: without_endings(recipe.game)),
            method=recipe.method,
            player=run_family(run),
            versions=run.versions(),
            running=self.trainings.is_running(run.name),
            progress=self.trainings.progress(run.name),
            trouble=self.trainings.trouble(run.name),
            iteration=progress.iteration,
            seconds=progress.seconds,
            updated=run.updated,
        )


def _figures(run: RunFolder, events: Sequence[Event]) -> list[FigureView]:
    """What its events have to show."""
    kinds: tuple[type[Event], ...] = _or((), lambda: run.recipe().events)
    return [
        FigureView(
            name=figure.name,
            title=figure.title,
            x_label=figure.x_label,
            curves=[
                CurveView(label=curve.name, x=list(curve.x), y=list(curve.y))
                for curve in figure.curves
            ],
        )
        for figure in figures_of(events, kinds)
    ]


def _or(default: T, read: Callable[[], T]) -> T:
    """What is read, or the default of what is damaged: the others can still be shown."""
    try:
        return read()
    except BoardZeroError:
        return default


RunName = Annotated[str, InPath(max_length=100, pattern=r"^\w[\w.-]*$")]
TheRuns = Annotated[Runs, part(Runs)]


def named_run(name: RunName, runs: TheRuns) -> RunFolder:
    found = runs.find(name)
    if found is None:
        raise HTTPException(404, "there is no such run")
    return found


NamedRun = Annotated[RunFolder, Depends(named_run)]


def run_game(run: NamedRun) -> Game:
    return open_game(run.recipe().game)


RunGame = Annotated[Game, Depends(run_game)]


@router.get("")
def all_runs(runs: TheRuns) -> list[RunSummary]:
    """The runs, the one with the latest news first."""
    return runs.newest()


@router.get("/recipes/all")
def all_recipes() -> list[RecipeView]:
    """What can be trained from the page."""
    return recipes()


@router.post("", status_code=201)
def start(wish: NewRun, runs: TheRuns) -> RunView:
    """Begin to train; one run at a time."""
    return runs.view(named_run(runs.trainings.start(wish), runs))


@router.post("/{name}/stop")
def stop(run: NamedRun, runs: TheRuns) -> RunView:
    """End a training; what it has learned stays."""
    runs.trainings.stop(run.name)
    return runs.view(run)


@router.get("/{name}")
def run_view(run: NamedRun, runs: TheRuns) -> RunView:
    """A run with all that its log says."""
    return runs.view(run)


@router.get("/{name}/selfplay")
def selfplay(
    run: NamedRun, game: RunGame, back: Annotated[int, Query(ge=0, le=10_000)] = 0
) -> SelfPlayGame | None:
    """The newest game that the run played against itself, or one further back, if there is one."""
    return selfplay_game(run, game, back)


@router.get("/{name}/strength")
def strength(run: NamedRun, game: RunGame, runs: TheRuns) -> StrengthView:
    """How strong the versions are, as far as that was measured."""
    return runs.strength.view(run, game)


@router.post("/{name}/strength")
def measure(run: NamedRun, game: RunGame, runs: TheRuns) -> StrengthView:
    """Let the versions play against fixed opponents, in the background."""
    runs.strength.start(run, game)
    return runs.strength.view(run, game)


@router.post("/{name}/strength/stop")
def stop_measuring(run: NamedRun, game: RunGame, runs: TheRuns) -> StrengthView:
    """The games that were played stay."""
    runs.strength.stop(run)
    return runs.strength.view(run, game)


@router.post("/{name}/versions")
async def versions(wish: VersionComparison, run: NamedRun, pool: ThePool) -> list[VersionThought]:
    """What several versions think of one position."""
    return await compare(pool, run, wish)
