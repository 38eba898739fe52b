"""`boardzero evaluate`: how well a net that picks a piece, then its move, knows the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_file
from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, emit, screen

if TYPE_CHECKING:
    from boardzero.lodz.legality import Tally

app = command_line()

# Ocheretian 2022, section 5.3: "different search algorithms".
_OPPONENTS = ["minimax:depth=3", "alphabeta:depth=3", "mcts:rollouts=600"]

# Its mean ratios of correct to incorrect moves, in percent, by the method of training and style.
_THESIS = {
    ("supervised", "single"): 9.8214,
    ("supervised", "double"): 34.4285,
    ("dqn", "double"): 9.459,
}


@app.command(epilog="Example: boardzero evaluate lodz-double --games 100")
def evaluate(
    run: Annotated[str, typer.Argument(help="A training run, or a model folder.")],
    games: Annotated[int, typer.Option(help="How many to play.", min=1)] = 100,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="PLAYER", help="Whom to play, in turn; 'self' is the net itself."),
    ] = None,
    version: Annotated[int, typer.Option(help="Of the run; -1 is the latest.", min=-1)] = -1,
    seed: Annotated[int, typer.Option(help="Of the opponents.")] = 0,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the counts into this file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say how often a net's first choice is legal, and what is wrong with the others.

    For nets that pick a piece, then its move, which are only ever shown the board.
    """
    from rich.progress import track

    from boardzero.games import make
    from boardzero.lodz.legality import examine
    from boardzero.lodz.picker import OnnxPicker
    from boardzero.models import is_model, read_model
    from boardzero.players.model_options import model_folder

    if is_model(Path(run)):
        folder = Path(run)
    else:
        folder = model_folder("net", {"model": "", "run": run, "version": version})
    card = read_model(folder)
    game = make(card.game)
    picker = OnnxPicker(folder, game)
    opponents = against or _OPPONENTS
    console = screen(json_too=True)
    played = track(
        examine(picker, game, opponents, games=games, seed=seed),
        total=games,
        description="games",
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    *_, tally = played
    method = _method(folder)
    if csv is not None:
        _save(csv, tally)
    if as_json:
        emit(
            model=str(folder),
            method=method,
            style=card.method,
            version=card.version,
            games=games,
            against=opponents,
            decisions=tally.decisions,
            legal_at_first=round(tally.legal, 4),
            illegal_tries=tally.tries,
            ratio=_finite(tally.ratio),
            best_ratio=_finite(tally.best_ratio),
            thesis_ratio=_thesis(method, card.method),
            won=tally.results[1],
            drawn=tally.results[0],
            lost=tally.results[-1],
            errors={f"{which}: {what}": n for (which, what), n in sorted(tally.errors.items())},
            first_errors={
                f"{which}: {what}": n for (which, what), n in sorted(tally.first_errors.items())
            },
        )
    else:
        _show(tally, method, card.method, f"{folder}, {games} games")


def _method(folder: Path) -> str:
    """How a model of a run was trained; unknown of one that was taken out of its run."""
    from boardzero.runs.run_folder import RunFolder

    try:
        return RunFolder.open(folder.parent.parent).recipe().method
    except BoardZeroError:
        return ""


def _thesis(method: str, style: str) -> float | None:
    percent = _THESIS.get((method, style))
    return None if percent is None else round(percent / 100, 6)


def _finite(ratio: float) -> float | None:
    return None if ratio == float("inf") else round(ratio, 4)


def _show(tally: Tally, method: str, style: str, title: str) -> None:
    from rich.table import Table

    from boardzero.lodz.legality import MOVE_ERRORS, PIECE_ERRORS

    theirs = _thesis(method, style)
    console = screen()
    table = Table("", "ours", "thesis", title=title, title_justify="left", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    ratio = "no mistake" if tally.tries == 0 else f"{tally.ratio:.1%}"
    table.add_row("correct : incorrect", ratio, "" if theirs is None else f"{theirs:.1%}")
    share = tally.decisions / max(1, tally.decisions + tally.tries)
    legal = "" if theirs is None else f"{theirs / (1 + theirs):.1%}"
    table.add_row("legal, of all tries", f"{share:.1%}", legal)
    table.add_row("legal at first choice", f"{tally.legal:.1%}", "")
    pieces = tally.first_pieces / max(1, tally.piece_choices)
    table.add_row("piece that can move, at first choice", f"{pieces:.1%}", "")
    table.add_row("decisions", f"{tally.decisions:,}", "")
    counts = tally.results
    if sum(counts.values()):
        table.add_row("won : drawn : lost", f"{counts[1]} : {counts[0]} : {counts[-1]}", "")
    console.print(table)
    errors = Table("what is wrong", "first choices", "all tries", box=None)
    for column in errors.columns[1:]:
        column.justify = "right"
    for which, names in (("piece", PIECE_ERRORS), ("move", MOVE_ERRORS)):
        for name in names:
            key = (which, name)
            errors.add_row(
                f"{which}: {name}", f"{tally.first_errors[key]:,}", f"{tally.errors[key]:,}"
            )
    console.print(errors)


def _save(path: Path, tally: Tally) -> None:
    from boardzero.arena.tables import Table
    from boardzero.lodz.legality import MOVE_ERRORS, PIECE_ERRORS

    rows = [
        ("decisions", tally.decisions, tally.decisions + tally.tries),
        ("legal", tally.first, tally.decisions),
    ]
    for which, names in (("piece", PIECE_ERRORS), ("move", MOVE_ERRORS)):
        for name in names:
            key = (which, name)
            rows.append((f"{which}: {name}", tally.first_errors[key], tally.errors[key]))
    columns = ("what", "first choices", "all tries")
    table = Table("", columns, tuple((name, str(one), str(all_)) for name, one, all_ in rows))
    write_file(path, table.csv(), parents=False)
