"""Plays the matches of docs/results/nnue.md, and writes them as CSV beside it.

    python scripts/nnue_matches.py                       # all whose runs are there, in runs/
    python scripts/nnue_matches.py --only international  # those whose name begins so
    python scripts/nnue_matches.py --list

Games are kept in the folder of the results as they finish: the same command goes on where it was.
A run plays with the version that it had after the minutes named, summed over resumes.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boardzero.arena import Competition, CompetitionPlan, RandomOpenings, Terms, pair_elo
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import replacing
from boardzero.base.specs import Spec
from boardzero.models import find_run
from boardzero.players import Limit
from boardzero.runs.events import VersionArchived, of_type
from boardzero.runs.run_folder import RunFolder
from boardzero.store import Store

OUT = Path("docs/results/nnue")
HAND = "alphabeta:eval=hand"
COLUMNS = [
    *("match", "game", "first", "minutes", "second", "second_minutes", "seconds"),
    *("games", "wins", "draws", "losses", "score", "elo", "low", "high", "wanted"),
]


@dataclass(frozen=True, slots=True)
class Trained:
    """A run after so many minutes, played by one of the families that can."""

    run: str
    minutes: float
    player: str

    def spec(self) -> str:
        run = RunFolder.open(find_run(self.run))
        there = {e.version: e.minutes for e in of_type(run.read_log(), VersionArchived)}
        in_time = [v for v in run.versions() if there.get(v, 0.0) <= self.minutes]
        if run.progress().seconds < 60 * self.minutes * 0.98:
            raise BoardZeroError(f"{self.run} has not trained for {self.minutes:g} minutes yet")
        options = {"run": str(run.path.resolve()), "version": str(in_time[-1])}
        return str(Spec(self.player, options))


@dataclass(frozen=True, slots=True)
class Match:
    """One line of the table."""

    name: str
    game: str
    first: Trained
    second: Trained | str
    games: int = 400
    seconds: float = 0.1
    plies: int = 8  # random, at the beginning
    wanted: float | None = None  # score of the first

    def plan(self, games: int | None) -> CompetitionPlan:
        second = self.second if isinstance(self.second, str) else self.second.spec()
        return CompetitionPlan(
            kind="match",
            game=self.game,
            players=(self.first.spec(), second),
            games=games or self.games,
            openings=RandomOpenings(self.plies),
            terms=Terms(Limit(time=self.seconds), max_plies=400),
            seed=1,
        )


def against_hand() -> Iterator[Match]:
    """From nothing to beyond the evaluation written by hand, and against the shipped champions."""
    for name, game, plies, wanted in [
        ("international", "international", 8, {60: 0.60, 180: 0.75}),
        ("english", "english", 6, {60: 0.55, 180: 0.65}),
        ("gomoku15", "gomoku:size=15", 4, {120: 0.65}),
        ("gomoku8", "gomoku", 3, {30: 0.50}),
    ]:
        for minutes, score in wanted.items():
            run = Trained(f"{name}-nnue", minutes, "alphabeta")
            yield Match(f"{name}-{minutes}", game, run, HAND, plies=plies, wanted=score)
    for name, game, minutes, score in [
        ("international", "international", 180, 0.95),
        ("english", "english", 180, 0.65),
        ("gomoku15", "gomoku:size=15", 120, 0.95),
    ]:
        run = Trained(f"{name}-nnue", minutes, "alphabeta")
        yield Match(f"{name}-champion", game, run, "zero", games=200, wanted=score)


def kinds() -> Iterator[Match]:
    """Residual net with PUCT, sparse net with PUCT, sparse net with alpha-beta or max^n."""
    for name, game, minutes, classic in [
        ("international", "international", 60, "alphabeta"),
        ("english", "english", 60, "alphabeta"),
        ("gomoku15", "gomoku:size=15", 60, "alphabeta"),
        ("gomoku8", "gomoku", 30, "alphabeta"),
        ("chexers", "chexers", 30, "maxn"),
    ]:
        residual = Trained(f"{name}-zero", minutes, "zero")
        puct = Trained(f"{name}-nnue-puct", minutes, "zero")
        search = Trained(f"{name}-nnue", minutes, classic)
        for label, first, second in [
            ("sparse-puct-residual-puct", puct, residual),
            ("sparse-search-residual-puct", search, residual),
            ("sparse-search-sparse-puct", search, puct),
        ]:
            yield Match(f"{name}-{label}", game, first, second, games=200, plies=4)


def generic() -> Iterator[Match]:
    """A game written in Python."""
    run = Trained("connect-four-nnue", 20, "alphabeta")
    file = "examples/connect_four.py"
    yield Match("connect-four", file, run, "mcts", games=200, seconds=0.5, plies=2, wanted=0.60)


def row(match: Match, plan: CompetitionPlan, competition: Competition) -> list[str]:
    score = competition.score(0)
    elo = pair_elo(score.wins, score.draws, score.losses)
    second, minutes = match.second, ""
    if isinstance(second, Trained):
        second, minutes = f"{second.player}:run={second.run}", f"{second.minutes:g}"
    first = f"{match.first.player}:run={match.first.run}"
    return [
        *(match.name, plan.game, first, f"{match.first.minutes:g}", second, minutes),
        *map(str, (match.seconds, score.games, score.wins, score.draws, score.losses)),
        *(f"{x:.3f}" for x in (score.mean,)),
        *(f"{x:.0f}" for x in (elo.value, elo.low, elo.high)),
        "" if match.wanted is None else str(match.wanted),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="matches whose name begins so")
    parser.add_argument("--games", type=int, help="of each match, instead of its own number")
    parser.add_argument("--workers", type=int, help="games at the same time")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--list", action="store_true", help="say what there is")
    asked = parser.parse_args()
    out: Path = asked.out
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    with Store(out / "games.db") as store:
        for match in (*against_hand(), *kinds(), *generic()):
            chosen = match.name.startswith(asked.only)
            if asked.list:
                print(match.name)
                continue
            try:
                plan = match.plan(asked.games)
            except BoardZeroError as error:
                if chosen:
                    print(f"{match.name}: {error}")
                continue
            competition = Competition(plan, store)
            if chosen and not competition.over:
                for _ in competition.play(workers=asked.workers):
                    print(f"\r{match.name}: {competition.score(0)}", end="", flush=True)
                print()
            if competition.score(0).games:
                rows.append(row(match, plan, competition))
    if rows:
        with replacing(out / "matches.csv") as draft, draft.open("w", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main()
