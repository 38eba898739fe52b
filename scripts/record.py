"""Record a run or a tournament for the page without a server.

    python scripts/record.py run runs/international-nnue
    python scripts/record.py tournament games.sqlite 3

What the server would tell of it is written into docs/results/recorded, made small: fewer points of
a curve, a few games, and what versions think of the first of these.
"""

import json
import sys
from contextlib import closing
from itertools import count
from pathlib import Path

from pydantic import BaseModel

from boardzero.games import make
from boardzero.models import spread
from boardzero.players import make_player
from boardzero.runs.run_folder import RunFolder
from boardzero.server.arena import Arena
from boardzero.server.learn import Runs
from boardzero.server.run_player import studied_player
from boardzero.server.selfplay import SelfPlayGame, selfplay_game
from boardzero.server.stored import Archive
from boardzero.server.trees import tree_data
from boardzero.server.views import thought_view

TARGET = Path(__file__).parent.parent / "docs" / "results" / "recorded"
POINTS = 80  # of a curve
GAMES = 4
VERSIONS = 4  # side by side
PLIES = 60  # of the first game that versions look at
CANDIDATES = 5
FIRST_GAME = 10**9  # numbers of recorded games begin where those of a browser never get


def record_run(folder: Path) -> None:
    runs = Runs(folder.parent)
    run = runs.find(folder.name)
    if run is None:
        raise SystemExit(f"there is no run in {folder}")
    game = make(run.recipe().game)
    view = runs.view(run)
    versions = spread(run.versions(), VERSIONS)
    summary = view.summary.model_copy(update={"running": False, "progress": None})
    thin = {name: _thinned(getattr(view, name)) for name in ("games", "losses", "gates")}
    games = [g for back in range(GAMES) if (g := selfplay_game(run, game, back)) is not None]
    _write(
        TARGET / "runs" / f"{run.name}.json",
        {
            "view": view.model_copy(update={"summary": summary, **thin}),
            "games": games,
            "strength": runs.strength.view(run, game),
            "thoughts": _thoughts(run, games[0], versions),
        },
    )
    runs.close()


def _thoughts(run: RunFolder, game: SelfPlayGame, versions: list[int]) -> dict[str, object]:
    """By position, what each version thinks of it."""
    rules = make(game.game)
    found: dict[str, list[object]] = {}
    for version in versions:
        with closing(make_player(studied_player(run, version), rules)) as player:
            state = rules.start(game.fen)
            for move in game.moves[:PLIES]:
                thought = thought_view(player.choose(state))
                few = thought.model_copy(update={"candidates": thought.candidates[:CANDIDATES]})
                found.setdefault(state.fen(), []).append({"version": version, "thought": few})
                state.play(move)
    return found


def record_tournament(store: Path, number: int) -> None:
    archive = Archive(store)
    arena = Arena(archive, workers=1)
    view = arena.view(number)
    numbers = count(FIRST_GAME + 1000 * number)
    games = []
    with archive.open() as opened:
        for played in opened.games(match=number):
            games.append(
                {
                    "id": next(numbers),
                    "seats": played.seats,
                    "places": [view.players.index(seat) for seat in played.seats],
                    "winner": played.winner,
                    "reason": played.reason,
                    "plies": played.plies,
                    "tree": tree_data(archive.tree(played.id)),
                }
            )
    _write(TARGET / "tournaments" / f"{view.game}.json", {"view": view, "games": games})
    archive.close()


def _thinned(events: list[object]) -> list[object]:
    step = max(1, len(events) // POINTS)
    return events[::step]


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, default=_plain, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{path}: {len(text)} characters")


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return json.loads(value.model_dump_json())
    return list(value) if isinstance(value, tuple) else str(value)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["run", folder]:
            record_run(Path(folder).resolve())
        case ["tournament", store, number]:
            record_tournament(Path(store), int(number))
        case _:
            raise SystemExit(__doc__)
