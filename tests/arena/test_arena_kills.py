"""The whole arena is killed, again and again, and nothing is lost."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import killed_tournament
import pytest

from boardzero.arena.competition import Competition
from boardzero.store import Store


class Run:
    """The tournament in its own process, from its first finished game on."""

    def __init__(self, store: Path, games: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, killed_tournament.__file__, str(store), str(games)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._first = self._process.stdout.readline()

    def workers(self) -> list[int]:
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]

    def kill(self) -> list[int]:
        """Games that it had said to be safe."""
        self._process.send_signal(signal.SIGKILL)
        return self.said()

    def said(self) -> list[int]:
        text = self._first + self._process.communicate()[0]
        return [int(line) for line in text.split("\n")[:-1]]  # the last line may be cut


def kill_repeatedly(path: Path, *, kills: int, games: int) -> None:
    dice = random.Random(kills)
    safe: list[int] = []
    orphans: list[int] = []
    for _ in range(kills):
        run = Run(path, games)
        time.sleep(dice.uniform(0, 0.3))
        orphans += run.workers()
        safe += run.kill()
        with Store(path) as store:
            assert store.problems() == []
            assert set(safe) <= store.done(1)
    assert kills <= len(safe) < 10 * games  # it was killed at work, not at rest
    safe += Run(path, games).said()
    assert len(safe) == len(set(safe))  # none was played again
    with Store(path) as store:
        competition = Competition(killed_tournament.plan(games), store)
        assert competition.over
        assert store.count() == len(store.done(1)) == 10 * games
        assert store.done(1) == set(competition.pairings)
        assert store.problems() == []
        fresh = Competition(killed_tournament.plan(1), store, fresh=True)
        for number in fresh.play():
            assert fresh.games[number].moves == competition.games[number].moves
    deadline = time.monotonic() + 30  # orphans notice at their next message
    while any(_alive(pid) for pid in orphans) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(_alive(pid) for pid in orphans)


def _alive(pid: int) -> bool:
    """Whether the process still runs; one that is dead and not yet buried does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")


def test_an_arena_that_is_killed_loses_no_game_and_counts_none_twice(tmp_path: Path) -> None:
    kill_repeatedly(tmp_path / "games.sqlite", kills=3, games=4)


@pytest.mark.slow
def test_an_arena_that_is_killed_twenty_times_in_400_games_loses_none(tmp_path: Path) -> None:
    kill_repeatedly(tmp_path / "games.sqlite", kills=20, games=40)
