"""Our engine against itself in our arena, as two programs that know each other only through Hub."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conversations import ENGINE

from boardzero.arena.play_game import FAULTS
from boardzero.store import Store


def play(home: Path, games: int) -> dict[str, object]:
    """A match by the command itself; every game of it must have been played out."""
    hub = f'hub:cmd="{ENGINE} hub --player alphabeta:hash=1"'
    command = [sys.executable, "-m", "boardzero", "match", hub, hub, "--game", "international"]
    command += ["--games", str(games), "--limit", "nodes=100", "--json"]
    environment = {**os.environ, "BOARDZERO_HOME": str(home)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    with Store(home / "games.sqlite") as store:
        found = list(store.games())
    assert len(found) == games
    assert [game.reason for game in found if game.reason.startswith(FAULTS)] == []
    assert all(min(game.turns) > 5 for game in found)
    assert len({game.moves for game in found}) >= games // 2  # the same engine has both seats
    score: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return score


def test_a_match_is_played_through_hub_without_a_fault(tmp_path: Path) -> None:
    score = play(tmp_path, 2)
    assert sum(int(str(score[key])) for key in ("wins", "draws", "losses")) == 2


@pytest.mark.slow
def test_a_hundred_games_are_played_through_hub_without_a_fault(tmp_path: Path) -> None:
    score = play(tmp_path, 100)
    assert sum(int(str(score[key])) for key in ("wins", "draws", "losses")) == 100
