"""`boardzero tablebase`: make, show and verify endgame tables."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from boardzero.base.errors import BoardZeroError
from boardzero.base.processes import cores
from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, emit, interruptible, row, screen
from boardzero.games import Game, families, make, tablebase

app = command_line()

GameName = Annotated[str, typer.Argument(help="A kind of draughts.", metavar="GAME")]


@app.callback(invoke_without_command=True, epilog="Example: boardzero tablebase make english")
def main(context: typer.Context, as_json: AsJson = False) -> None:
    """List the endgame tables on this machine: who wins a position with few pieces."""
    if context.invoked_subcommand is not None:
        return
    for family in families():
        if tablebase.tables(game := make(family.name)) is not None:
            if not as_json:
                screen().print(game.title)
            _show(game, as_json=as_json)


@app.command(name="make", epilog="Example: boardzero tablebase make english")
def make_tables(
    game: GameName,
    pieces: Annotated[
        int, typer.Option(help="Up to so many pieces; 0: as many as take minutes.", min=0, max=6)
    ] = 0,
    threads: Annotated[int, typer.Option(help="0: one for each core.", min=0)] = 0,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before long work.")] = False,
    as_json: AsJson = False,
) -> None:
    """Solve all positions with few pieces, and keep them in the data folder.

    What is there stays, and work that was interrupted goes on where it was.
    """
    rules = make(game)
    most = pieces or tablebase.usual_pieces(rules)
    threads = threads or cores()
    work = tablebase.estimate(rules, most)
    console = screen(json_too=as_json)
    if work.positions:
        console.print(
            f"{work.positions:,} positions: about {_minutes(work.seconds / threads)}, "
            f"{work.disk / 1e6:,.0f} MB on disk, {work.memory / 1e9:.1f} GB of memory"
        )
    if most > tablebase.usual_pieces(rules) and work.positions and not yes:
        if not sys.stdin.isatty():
            raise BoardZeroError("that is long work; say --yes to begin it")
        typer.confirm("Begin?", abort=True)
    _make(rules, most, threads, as_json=as_json)
    _show(rules, as_json=as_json)


@app.command(epilog="Example: boardzero tablebase show english")
def show(game: GameName, as_json: AsJson = False) -> None:
    """List the tables of a game: positions, results, longest win, size."""
    _show(make(game), as_json=as_json)


@app.command(epilog="Example: boardzero tablebase verify english")
def verify(
    game: GameName,
    samples: Annotated[int, typer.Option(help="Random positions for each table.", min=1)] = 100_000,
    as_json: AsJson = False,
) -> None:
    """Check the files' checksums, and random positions against what their moves lead to.

    Exit code 1 if a position is wrong.
    """
    rules = make(game)
    wrong = interruptible(lambda: tablebase.verify(rules, samples=samples))
    for pieces, count in wrong.items():
        if as_json:
            emit(game=rules.name, pieces=pieces, samples=samples, wrong=count)
        else:
            screen().print(f"{pieces} pieces: {count:,} of {samples:,} positions are wrong")
    if any(wrong.values()):
        raise typer.Exit(1)


def _make(game: Game, pieces: int, threads: int, *, as_json: bool) -> None:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = screen(json_too=as_json)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        tasks = {}

        def report(n: int, done: int, total: int) -> None:
            if n not in tasks:
                tasks[n] = bar.add_task(f"{n} pieces", total=total)
            bar.update(tasks[n], completed=done)

        tablebase.make(game, pieces, threads=threads, progress=report)


def _show(game: Game, *, as_json: bool) -> None:
    found = tablebase.tables(game)
    if found is None:
        raise BoardZeroError(
            f"there are no endgame tables of {game.name}; 'boardzero tablebase make' makes them"
        )
    files = tablebase.files(game)
    console = screen()
    if not as_json:
        row(console, *zip(_HEADINGS, _WIDTHS, ("dim",) * len(_WIDTHS), strict=True))
    for pieces, path in files.items():
        slices = [s for s in found.slices() if s.pieces == pieces]
        if not slices:  # damaged, and set aside
            continue
        positions = sum(s.positions for s in slices)
        shares = [sum(getattr(s, kind) for s in slices) / positions for kind in _RESULTS]
        size, longest = path.stat().st_size, max(s.longest for s in slices)
        if as_json:
            emit(
                game=game.name,
                pieces=pieces,
                positions=positions,
                wins=round(shares[0], 4),
                draws=round(shares[1], 4),
                losses=round(shares[2], 4),
                longest=longest,
                bytes=size,
                file=str(path),
            )
            continue
        texts = (
            str(pieces),
            f"{positions:,}",
            *(f"{share:.1%}" for share in shares),
            str(longest),
            f"{size / 1e6:,.2f}",
            f"{8 * size / positions:.2f}",
        )
        row(console, *((t, w, "") for t, w in zip(texts, _WIDTHS, strict=True)))


_RESULTS = ("wins", "draws", "losses")
_HEADINGS = ("pieces", "positions", "won", "drawn", "lost", "longest", "MB", "bits each")
_WIDTHS = (-6, -15, -6, -6, -6, -7, -9, -9)


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} minutes"
