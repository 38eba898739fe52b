"""What training runs tell: read from their folders, where nothing but their strength is written.

A run is a folder with `recipe.toml`, `progress.json`, `versions/` and `log.jsonl`, one JSON object
per line. A run in progress may be writing its last line, so what does not parse yet is left out.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi import Path as InPath
from fastapi.requests import HTTPConnection

from boardzero.games import Game
from boardzero.models import version_folders
from boardzero.server.catalog import open_game
from boardzero.server.engines import EnginePool, engine_pool
from boardzero.server.messages import Outgoing
from boardzero.server.run_player import RunFamily, read_recipe, run_family
from boardzero.server.selfplay import SelfPlayGame, selfplay_game
from boardzero.server.strength import Strength, StrengthView
from boardzero.server.training import NewRun, RecipeView, Trainings, recipes
from boardzero.server.versions import VersionComparison, VersionThought, compare

__all__ = ["Runs", "router"]

router = APIRouter(prefix="/api/runs", tags=["learn"])

_LONGEST_LOG = 4 << 20  # bytes read from the end of a log
_STALE_SECONDS = 60.0

Number = int | float


class RunSummary(Outgoing):
    name: str
    game: str
    method: str
    player: RunFamily  # the family that plays its versions: NAME:run=...
    versions: list[int]
    running: bool  # as far as this server started it
    progress: float | None  # of a running one, from 0 to 1
    trouble: str | None  # why it failed, if it did
    iteration: int
    seconds: float
    updated: float  # when the log was last written, in seconds since 1970


class RunEvent(Outgoing):
    event: str
    iteration: int
    fields: dict[str, float | str | bool | None]


class WorkerView(Outgoing):
    name: str
    node: str
    evaluations_per_second: int
    games: int
    refused: int


class ClusterView(Outgoing):
    """Who plays now for a run on a cluster."""

    dashboard: str = ""  # of Ray; empty if there is none
    workers: list[WorkerView]


class RunView(Outgoing):
    summary: RunSummary
    recipe: str
    events: list[RunEvent]
    cluster: ClusterView | None


class Runs:
    """The folder that holds runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.trainings = Trainings(folder)
        self.strength = Strength()

    def close(self) -> None:
        self.trainings.close()
        self.strength.close()

    def path(self, name: str) -> Path | None:
        """The folder of a run, if there is one of this name."""
        path = self._folder / name
        good = not name.startswith(".") and path.parent == self._folder and _is_run(path)
        return path if good else None

    def newest(self) -> list[RunSummary]:
        if not self._folder.is_dir():
            return []
        found = [self._summary(path) for path in self._folder.iterdir() if _is_run(path)]
        return sorted(found, key=lambda run: -run.updated)

    def view(self, name: str) -> RunView | None:
        path = self.path(name)
        if path is None:
            return None
        return RunView(
            summary=self._summary(path),
            recipe=(path / "recipe.toml").read_text(encoding="utf-8"),
            events=_events(path / "log.jsonl"),
            cluster=_cluster(path / "workers.json"),
        )

    def _summary(self, path: Path) -> RunSummary:
        recipe = read_recipe(path)
        progress = _object(path / "progress.json")
        log = path / "log.jsonl"
        return RunSummary(
            name=path.name,
            game=str(recipe.get("game", "")),
            method=str(recipe.get("method", "")),
            player=run_family(path),
            versions=list(version_folders(path)),
            running=self.trainings.is_running(path.name),
            progress=self.trainings.progress(path.name),
            trouble=self.trainings.trouble(path.name),
            iteration=_int(progress.get("iteration")),
            seconds=_float(progress.get("seconds")),
            updated=(log if log.exists() else path).stat().st_mtime,
        )


def runs(connection: HTTPConnection) -> Runs:
    found = connection.app.state.runs
    assert isinstance(found, Runs)
    return found


RunName = Annotated[str, InPath(max_length=100, pattern=r"^\w[\w.-]*$")]
TheRuns = Annotated[Runs, Depends(runs)]


def run_folder(name: RunName, runs: TheRuns) -> Path:
    path = runs.path(name)
    if path is None:
        raise HTTPException(404, "there is no such run")
    return path


def run_game(path: Annotated[Path, Depends(run_folder)]) -> Game:
    return open_game(str(read_recipe(path).get("game", "")))


RunFolder = Annotated[Path, Depends(run_folder)]
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
    name = runs.trainings.start(wish)
    found = runs.view(name)
    assert found is not None
    return found


@router.post("/{name}/stop")
def stop(name: RunName, runs: TheRuns) -> RunView:
    """End a training; what it has learned stays."""
    runs.trainings.stop(name)
    return run(name, runs)


@router.get("/{name}")
def run(name: RunName, runs: TheRuns) -> RunView:
    """A run with all that its log says."""
    found = runs.view(name)
    if found is None:
        raise HTTPException(404, "there is no such run")
    return found


@router.get("/{name}/selfplay")
def selfplay(
    path: RunFolder, game: RunGame, back: Annotated[int, Query(ge=0, le=10_000)] = 0
) -> SelfPlayGame | None:
    """The newest game that the run played against itself, or one further back, if there is one."""
    return selfplay_game(path, game, back)


@router.get("/{name}/strength")
def strength(path: RunFolder, game: RunGame, runs: TheRuns) -> StrengthView:
    """How strong the versions are, as far as that was measured."""
    return runs.strength.view(path, game)


@router.post("/{name}/strength")
def measure(path: RunFolder, game: RunGame, runs: TheRuns) -> StrengthView:
    """Let the versions play against fixed opponents, in the background."""
    runs.strength.start(path, game)
    return runs.strength.view(path, game)


@router.post("/{name}/strength/stop")
def stop_measuring(path: RunFolder, game: RunGame, runs: TheRuns) -> StrengthView:
    """The games that were played stay."""
    runs.strength.stop(path)
    return runs.strength.view(path, game)


@router.post("/{name}/versions")
async def versions(
    wish: VersionComparison, path: RunFolder, pool: Annotated[EnginePool, Depends(engine_pool)]
) -> list[VersionThought]:
    """What several versions think of one position."""
    return await compare(pool, path, wish)


def _is_run(path: Path) -> bool:
    return (path / "recipe.toml").is_file()


def _object(path: Path) -> dict[str, object]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _cluster(path: Path) -> ClusterView | None:
    """None of a run that no cluster trains now: a killed one leaves its last words behind."""
    try:
        if time.time() - path.stat().st_mtime > _STALE_SECONDS:
            return None
        return ClusterView.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _events(path: Path) -> list[RunEvent]:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _LONGEST_LOG))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("event"), str):
            found.append(_event(record))
    return found


def _event(record: dict[str, object]) -> RunEvent:
    fields: dict[str, float | str | bool | None] = {
        key: value
        for key, value in record.items()
        if key not in ("event", "iteration") and isinstance(value, (int, float, str, bool))
    }
    return RunEvent(
        event=str(record["event"]), iteration=_int(record.get("iteration")), fields=fields
    )


def _int(value: object) -> int:
    return int(value) if isinstance(value, Number) else 0


def _float(value: object) -> float:
    return float(value) if isinstance(value, Number) else 0.0
