"""Several processes write at once, and some are killed."""

import random
import signal
import subprocess
import sys
import time
from multiprocessing import get_context
from pathlib import Path

import stored_games
from stored_games import GAME

from boardzero.store import Store

EACH = 40


def open_and_write(path: Path, match: int) -> int:
    """How many of the match's numbers this process was the first to store."""
    with Store(path) as store:
        kept = [store.add_game(GAME, match=match, number=number) for number in range(EACH)]
        for _ in range(EACH):
            store.add_game(GAME)
    return sum(game is not None for game in kept)


def open_new(path: Path) -> int:
    with Store(path) as store:
        return store.resume_match("match", game="english").id


def test_processes_that_create_the_database_together_agree(tmp_path: Path) -> None:
    with get_context("spawn").Pool(4) as pool:
        for attempt in range(10):
            path = tmp_path / f"{attempt}.sqlite"
            assert set(pool.map(open_new, [path] * 8, chunksize=1)) == {1}
            with Store(path) as store:
                assert store.problems() == []
                assert len(store.matches()) == 1


def test_concurrent_writers_lose_nothing_and_count_each_number_once(path: Path) -> None:
    with Store(path) as store:
        match = store.start_match("tournament", game="english").id
    with get_context("spawn").Pool(4) as pool:
        first = pool.starmap(open_and_write, [(path, match)] * 4)
    with Store(path) as store:
        assert sum(first) == EACH
        assert store.done(match) == set(range(EACH))
        assert store.count(match=match) == EACH
        assert store.count() == EACH + 4 * EACH
        assert store.problems() == []


def test_a_killed_writer_loses_no_game_that_it_had_acknowledged(path: Path) -> None:
    dice = random.Random(4)
    with Store(path) as store:
        match = store.start_match("match", game="english").id
    acknowledged: list[int] = []
    for _ in range(8):
        writers = [
            subprocess.Popen(
                [sys.executable, stored_games.__file__, str(path), str(match), str(first)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for first in range(2)
        ]
        for writer in writers:
            assert writer.stdout is not None
            acknowledged.append(int(writer.stdout.readline()))
        time.sleep(dice.uniform(0, 0.1))
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            said = writer.communicate()[0].split("\n")
            acknowledged += [int(number) for number in said[:-1]]  # the last may be cut
    assert len(acknowledged) > 2 * 8  # the writers were killed at work, not at rest
    with Store(path) as store:
        assert store.problems() == []
        done = store.done(match)
        assert len(acknowledged) == len(set(acknowledged))
        assert set(acknowledged) <= done
        games = list(store.games(match=match))
        assert len(games) == len(done)
        assert all(len(game.seats) == 2 for game in games)
