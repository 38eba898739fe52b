"""A finished game to store, and a program that stores many: stored_games.py FILE MATCH FIRST."""

import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from boardzero.store import PlayedGame, Store

GAME = PlayedGame(
    seats=("alphabeta:depth=3", "random"),
    values=(1.0, -1.0),
    winner=0,
    seconds=(0.25, 0.001),
    turns=(3, 2),
    game="english",
    reason="blocked",
    started=datetime(2024, 5, 1, 12, tzinfo=UTC),
    finished=datetime(2024, 5, 1, 12, 0, 1, 500, tzinfo=UTC),
    opening=("11-15",),
    moves=("23-19", "8-11", "22-17", "11-16", "24-20"),
    seed=2**64 - 1,
)


def write_forever(path: Path, match: int, first: int) -> None:
    """Store every other game that is not done yet, and tell its number once it is safe."""
    with Store(path) as store:
        done = store.done(match)
        for number in range(first, 10**9, 2):
            if number not in done:
                time.sleep(0.001)  # a writer that never thinks would starve the others
                game = replace(GAME, moves=GAME.moves * (number % 40))
                if store.add_game(game, match=match, number=number) is not None:
                    print(number, flush=True)


if __name__ == "__main__":
    write_forever(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
