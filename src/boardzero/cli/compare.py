"""`boardzero compare`: training runs side by side, as curves of loss and strength."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from boardzero.base.files import writing
from boardzero.cli.options import AsJson, OpeningPlies, Seed, Workers
from boardzero.cli.output import command_line, emit, screen, tell

app = command_line()


@app.command(
    epilog="Example: boardzero compare meng-baseline-modern meng-mpv-modern "
    "--against random,alphabeta:depth=2,meng-baseline-modern --out comparison"
)
def compare(
    runs: Annotated[list[str], typer.Argument(help="Runs, by name or folder.", metavar="RUN...")],
    against: Annotated[
        str, typer.Option(help="Players and runs, separated by commas.")
    ] = "random,alphabeta:depth=2",
    out: Annotated[Path, typer.Option(help="The folder for figures, tables and games.")] = Path(
        "comparison"
    ),
    games: Annotated[int, typer.Option(help="Games of each version and opponent.", min=2)] = 20,
    versions: Annotated[int, typer.Option(help="Versions of each run, at most.", min=1)] = 10,
    simulations: Annotated[
        int | None, typer.Option("--sims", help="Per move; the recipe's if not given.", min=1)
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--time", help="Seconds per move instead: nets of any kind.", min=0.001),
    ] = None,
    opening_plies: OpeningPlies = 4,
    seed: Seed = 0,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Compare training runs: loss per net, and Elo of their versions against the same opponents.

    Games are kept in the folder as they finish: the same command after an interruption goes on
    where it was, and a run that has learned on is only measured where it is new.
    """
    from boardzero.experiments.comparison import Comparison, Thinking, opponents
    from boardzero.runs.run_folder import RunFolder
    from boardzero.store import Store

    comparison = Comparison(
        [RunFolder.find(run) for run in runs],
        opponents(against),
        out,
        games=games,
        versions=versions,
        thinking=Thinking(seconds, simulations),
        opening_plies=opening_plies,
        seed=seed,
    )
    console = screen(json_too=True)
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    with Store(out / "games.db") as store:
        for version, opponent, competition in comparison.competitions(store):
            if competition.over:
                continue
            competition.finish(workers=workers)
            score = competition.score(0)
            if as_json:
                who = {"run": version.run, "against": opponent.label}
                emit(event="match", version=version.version, **who, **asdict(score))
            else:
                name = f"{version.run}, version {version.version}"
                console.print(f"{name} against {opponent.label}: {score}", style="dim")
        command = ["boardzero", "compare", *runs, "--against", against, "--out", str(out)]
        command += ["--games", str(games), "--versions", str(versions)]
        command += ["--sims", str(simulations)] if simulations is not None else []
        command += ["--time", f"{seconds:g}"] if seconds is not None else []
        command += ["--opening-plies", str(opening_plies), "--seed", str(seed)]
        files = comparison.write(store, shlex.join(command))
    told = f"{len(files)} files in {out}; {files[0]} shows them all"
    tell(told, as_json=as_json, event="written", files=[str(path) for path in files])
