"""A tournament in a process of its own, which says what is safe: run with a store and a length."""

import sys
from pathlib import Path

import fake_players  # noqa: F401 (registers them)

from boardzero.arena.competition import Competition, CompetitionPlan
from boardzero.store import Store

PLAYERS = tuple(f"fake-nap:seconds=0.0002,after={after}" for after in range(5))  # ten pairs


def plan(games: int) -> CompetitionPlan:
    return CompetitionPlan(kind="tournament", game="english", players=PLAYERS, games=games)


def main(path: str, games: int) -> None:
    with Store(Path(path)) as store:
        for number in Competition(plan(games), store).play(workers=2):
            print(number, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
