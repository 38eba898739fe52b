"""What match, tournament and gauntlet share: options, a live line, words for results."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.arena.openings import Openings, RandomOpenings, read_openings
from boardzero.arena.terms import Terms, parse_limit
from boardzero.arena.tournament import Competition
from boardzero.games import make
from boardzero.players import Limit
from boardzero.workers.launcher import Launcher, join_cluster

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "Fresh",
    "GameName",
    "LimitText",
    "Margin",
    "MaxPlies",
    "OpeningPlies",
    "OpeningsFile",
    "Seed",
    "Workers",
    "conditions",
    "finite",
    "forfeits",
    "joined",
    "play",
    "signed",
]

GameName = Annotated[str, typer.Option("--game", "-g", help="The game, such as english.")]
OpeningPlies = Annotated[
    int, typer.Option(help="Random moves at the start; or how many of a game in PDN.", min=0)
]
OpeningsFile = Annotated[
    Path | None,
    typer.Option("--openings", help="A file of positions, lists of moves, or games in PDN."),
]
LimitText = Annotated[
    str | None,
    typer.Option(
        "--limit",
        metavar="LIMIT",
        help="For each move time=SECONDS, depth=N, nodes=N or simulations=N; for the game "
        "clock=SECONDS+INCREMENT. Several are joined by commas.",
    ),
]
MaxPlies = Annotated[int, typer.Option(help="A game of this length is a draw.", min=1)]
Margin = Annotated[
    float, typer.Option(help="Seconds that a move may be late without losing.", min=0)
]
Seed = Annotated[int, typer.Option(help="Of the openings and of the players.")]
Workers = Annotated[
    int | None, typer.Option(help="Games at a time; as many as cores, if not given.", min=1)
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Do not go on with games that were played before.")
]

_REFRESH_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Conditions:
    """How the games are played."""

    openings: Openings
    terms: Terms


def conditions(
    game: str,
    *,
    opening_plies: int,
    openings: Path | None,
    limit: str | None,
    max_plies: int,
    margin: float,
) -> Conditions:
    """What the options of a command say, read and checked."""
    return Conditions(
        RandomOpenings(opening_plies)
        if openings is None
        else read_openings(openings, make(game), pdn_plies=opening_plies),
        Terms(Limit() if limit is None else parse_limit(limit), max_plies, margin),
    )


def play(
    competition: Competition, *, workers: int | None, console: Console, cluster: str | None = None
) -> None:
    """Play what is missing behind a live line, which only a terminal shows."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

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


@contextmanager
def joined(cluster: str | None) -> Iterator[Launcher | None]:
    """The launcher of a cluster, if one is named."""
    if cluster is None:
        yield None
        return
    with closing(join_cluster(cluster)) as launcher:
        yield launcher


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
