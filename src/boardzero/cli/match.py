"""`boardzero match`: which of two players is stronger, and how sure that is."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.arena.competition import Competition
from boardzero.arena.ratings import pair_elo
from boardzero.base.errors import BoardZeroError
from boardzero.cli.competition import CompetitionOptions, finite, forfeits, signed
from boardzero.cli.options import AsJson, GameName, grouped_options
from boardzero.cli.output import Json, command_line, emit, screen

if TYPE_CHECKING:
    from rich.console import Console

app = command_line()

_GAMES = 100
_MOST_GAMES = 20_000  # of a sequential test, which nearly always stops much earlier


@app.command(epilog="Example: boardzero match alphabeta:depth=6 mcts:rollouts=600 --game english")
@grouped_options
def match(
    first: Annotated[str, typer.Argument(help="A player.", metavar="A")],
    second: Annotated[str, typer.Argument(help="Another player, or the same.", metavar="B")],
    game: GameName,
    games: Annotated[
        int | None,
        typer.Option(
            help=f"How many games; {_GAMES} if not given, or at most {_MOST_GAMES} with --sprt.",
            min=1,
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop as soon as it is clear whether A is ELO0 or ELO1 stronger, each with an "
            "error of 5 %.",
        ),
    ] = None,
    *,
    options: CompetitionOptions,
    as_json: AsJson = False,
) -> None:
    """Play two players against each other, and say which is stronger.

    Each opening is played once with every seating. Games are kept as they finish: the same
    command after an interruption goes on where it was. In a game of three, both players fill
    the seats in all ways, and a game is won by whoever has the winner's seat.
    """
    plan = options.plan(
        "match" if sprt is None else "sprt",
        game,
        first,
        second,
        games=games or (_GAMES if sprt is None else _MOST_GAMES),
        sprt=None if sprt is None else _bounds(sprt),
    )
    competition = options.play(plan)
    if as_json:
        emit(**_record(competition))
    else:
        _show(competition, screen())


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise BoardZeroError(f"--sprt takes two numbers such as 0,20, not '{text}'") from None
    return low, high


def _record(competition: Competition) -> dict[str, Json]:
    score = competition.score(0)
    elo = pair_elo(score.wins, score.draws, score.losses)
    plan, test = competition.plan, competition.sprt
    record: dict[str, Json] = {
        "match": competition.match.id,
        "game": plan.game,
        "players": plan.players,
        "games": score.games,
        **asdict(score),
        "score": score.mean,
        "elo": elo.value,
        "elo_low": finite(elo.low),
        "elo_high": finite(elo.high),
        "seconds_per_move": [competition.seconds_per_move(player) for player in range(2)],
        "forfeits": [dict(competition.faults(player)) for player in range(2)],
    }
    if test is not None:
        shown = ("elo0", "elo1", "llr", "lower", "upper", "verdict")
        record["sprt"] = {name: getattr(test, name) for name in shown}
    return record


def _show(competition: Competition, console: Console) -> None:
    score, plan, test = competition.score(0), competition.plan, competition.sprt
    elo = pair_elo(score.wins, score.draws, score.losses)
    console.print(f"{plan.players[0]} against {plan.players[1]}, {plan.game}", style="bold")
    console.print(
        f"won {score.wins}, drawn {score.draws}, lost {score.losses}: score {score.mean:.3f}"
    )
    interval = f"{signed(elo.low)} to {signed(elo.high)}"
    console.print(f"Elo {signed(elo.value)}, 95 % interval {interval}")
    times = (competition.seconds_per_move(player) for player in range(2))
    told = " and ".join("?" if seconds is None else f"{seconds:.2g}" for seconds in times)
    console.print(f"seconds per move {told}")
    if test is not None:
        console.print(_verdict(competition))
    for sentence in forfeits(competition):
        console.print(sentence, style="yellow")


def _verdict(competition: Competition) -> str:
    test = competition.sprt
    assert test is not None
    bounds = f"log-likelihood ratio {test.llr:+.2f} of {test.lower:+.2f} to {test.upper:+.2f}"
    if test.verdict is None:
        return f"not decided: {bounds}"
    elo = test.elo1 if test.verdict == "H1" else test.elo0
    return f"{test.verdict} accepted, {elo:+g} Elo rather than the other: {bounds}"
