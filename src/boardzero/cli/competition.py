"""How match, tournament and gauntlet are played: their common options, a live line, results."""

from __future__ import annotations

import math
import time
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.arena.competition import Competition, CompetitionPlan
from boardzero.arena.openings import RandomOpenings, read_openings
from boardzero.arena.terms import Terms, parse_limit
from boardzero.cli.options import OpeningPlies, Seed, StorePath, Workers
from boardzero.cli.output import Json, screen
from boardzero.games import make
from boardzero.players import Limit
from boardzero.store import MatchKind, Rating, Store
from boardzero.workers.launcher import Launcher, join_cluster

if TYPE_CHECKING:
    from rich.console import Console

_REFRESH_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionOptions:
    """How the games are played and kept."""

    opening_plies: OpeningPlies = 4
    openings: Annotated[
        Path | None,
        typer.Option("--openings", help="A file of positions, lists of moves, or games in PDN."),
    ] = None
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="LIMIT",
            help="For each move time=SECONDS, depth=N, nodes=N or simulations=N; for the game "
            "clock=SECONDS+INCREMENT. Several are joined by commas.",
        ),
    ] = None
    max_plies: Annotated[int, typer.Option(help="A game of this length is a draw.", min=1)] = 1000
    margin: Annotated[
        float, typer.Option(help="Seconds that a move may be late without losing.", min=0)
    ] = 0.25
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="End games where endgame tables know the result.")
    ] = False
    seed: Seed = 0
    workers: Workers = None
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Do not go on with games that were played before.")
    ] = False
    store: StorePath = None

    def plan(
        self,
        kind: MatchKind,
        game: str,
        *players: str,
        games: int,
        sprt: tuple[float, float] | None = None,
    ) -> CompetitionPlan:
        openings = (
            RandomOpenings(self.opening_plies)
            if self.openings is None
            else read_openings(self.openings, make(game), pdn_plies=self.opening_plies)
        )
        limit = Limit() if self.limit is None else parse_limit(self.limit)
        return CompetitionPlan(
            kind=kind,
            game=game,
            players=players,
            games=games,
            openings=openings,
            terms=Terms(limit, self.max_plies, self.margin, self.adjudicate),
            seed=self.seed,
            sprt=sprt,
        )

    def play(self, plan: CompetitionPlan, *, cluster: str | None = None) -> Competition:
        """Play what the store does not have yet of a plan."""
        with Store(self.store) as database:
            competition = Competition(plan, database, fresh=self.fresh)
            play(competition, workers=self.workers, cluster=cluster)
        return competition


def play(competition: Competition, *, workers: int | None, cluster: str | None = None) -> None:
    """Play what is missing behind a live line, which only a terminal shows."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    console = screen(json_too=True)
    _tell_what_is_there(competition, console)
    score = TextColumn("{task.fields[score]}")
    columns = ("{task.description}", BarColumn(30), MofNCompleteColumn(), score, TimeLeft())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    task = progress.add_task(
        competition.plan.game,
        total=len(competition.pairings),
        completed=len(competition.games),
        score=running(competition),
    )
    shown = time.monotonic()
    try:
        with (
            joined(cluster) as launcher,
            closing(competition.play(workers=workers, launcher=launcher)) as games,
            progress,
        ):
            for _ in games:
                if console.is_terminal and time.monotonic() - shown > _REFRESH_SECONDS:
                    shown = time.monotonic()
                    done = len(competition.games)
                    progress.update(task, completed=done, score=running(competition))
    except KeyboardInterrupt:
        competition.reload()  # it may have come between storing a game and counting it
        of_all = f"{len(competition.games)} of {len(competition.pairings)} games are kept"
        console.print(f"{of_all}; the same command goes on from there", style="dim")
        raise


def joined(cluster: str | None) -> AbstractContextManager[Launcher | None]:
    """The launcher of a cluster, if one is named."""
    return nullcontext() if cluster is None else closing(join_cluster(cluster))


def running(competition: Competition) -> str:
    """The score so far, short enough for a line."""
    if len(competition.plan.players) == 2:
        score = competition.score(0)
        text = f"{score}  {score.mean:.3f}" if score.games else ""
        if competition.sprt is not None:
            text += f"  LLR {competition.sprt.llr:+.2f}"
        return text
    means = {
        player: competition.score(number).mean
        for number, player in enumerate(competition.plan.players)
    }
    best = sorted(means, key=lambda player: -means[player])[:2]
    return ", ".join(f"{player} {means[player]:.3f}" for player in best)


def forfeits(competition: Competition) -> list[str]:
    """One sentence for each player that forfeited games."""
    found = []
    for number, player in enumerate(competition.plan.players):
        if faults := competition.faults(number):
            kinds = ", ".join(f"{fault} {count}" for fault, count in faults.most_common())
            found.append(f"{player} forfeited {faults.total()} of its games ({kinds})")
    return found


def finite(number: float) -> float | None:
    """For JSON, which knows no infinity."""
    return number if math.isfinite(number) else None


def rating_fields(rating: Rating | None) -> dict[str, Json]:
    """A rating for JSON; nothing of a player without one."""
    if rating is None:
        return dict.fromkeys(("rating", "rating_low", "rating_high"))
    low, high = finite(rating.low), finite(rating.high)
    return {"rating": rating.value, "rating_low": low, "rating_high": high}


def signed(number: float) -> str:
    """As people write Elo differences."""
    return f"{number:+.0f}" if math.isfinite(number) else f"{number:+}".replace("inf", "∞")


def _tell_what_is_there(competition: Competition, console: Console) -> None:
    there, match = len(competition.games), competition.match
    if there and competition.over:
        told = "--fresh plays them again, --seed plays others"
        console.print(f"All games were played before, in match {match.id}; {told}.", style="dim")
    elif there:
        console.print(
            f"Going on with match {match.id}, of which {there} games are there.", style="dim"
        )
