"""`boardzero evaluate`: how well a net that picks a piece, then its move, knows the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardzero.arena.tables import Table
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_file
from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, emit, print_table, screen

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
    theirs = _thesis(method, style)
    ratio = "no mistake" if tally.tries == 0 else f"{tally.ratio:.1%}"
    share = tally.decisions / max(1, tally.decisions + tally.tries)
    legal = "" if theirs is None else f"{theirs / (1 + theirs):.1%}"
    pieces = tally.first_pieces / max(1, tally.piece_choices)
    rows = [
        ("correct : incorrect", ratio, "" if theirs is None else f"{theirs:.1%}"),
        ("legal, of all tries", f"{share:.1%}", legal),
        ("legal at first choice", f"{tally.legal:.1%}", ""),
        ("piece that can move, at first choice", f"{pieces:.1%}", ""),
        ("decisions", f"{tally.decisions:,}", ""),
    ]
    counts = tally.results
    if sum(counts.values()):
        rows.append(("won : drawn : lost", f"{counts[1]} : {counts[0]} : {counts[-1]}", ""))
    console = screen()
    print_table(console, Table(title, ("", "ours", "Ocheretian 2022"), tuple(rows)))
    errors = tuple((what, f"{first:,}", f"{every:,}") for what, first, every in _errors(tally))
    print_table(console, Table("What is wrong", ("", "first choices", "all tries"), errors))


def _save(path: Path, tally: Tally) -> None:
    rows = [
        ("decisions", tally.decisions, tally.decisions + tally.tries),
        ("legal", tally.first, tally.decisions),
        *_errors(tally),
    ]
    texts = tuple((what, str(first), str(every)) for what, first, every in rows)
    table = Table("", ("what", "first choices", "all tries"), texts)
    write_file(path, table.csv(), parents=False)


def _errors(tally: Tally) -> list[tuple[str, int, int]]:
    """What can be wrong, how often with first choices, and how often in all."""
    from boardzero.lodz.legality import MOVE_ERRORS, PIECE_ERRORS

    keys = [("piece", name) for name in PIECE_ERRORS] + [("move", name) for name in MOVE_ERRORS]
    return [(": ".join(key), tally.first_errors[key], tally.errors[key]) for key in keys]
