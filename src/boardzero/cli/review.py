"""`boardzero review FILE`: what was wrong in the games of a file, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_file
from boardzero.cli.options import AsJson
from boardzero.cli.output import Json, emit, screen
from boardzero.games import GameTree, load_trees, write_tree
from boardzero.study import LANGUAGES, ReviewStep, annotate, review_game
from boardzero.study.lines import short
from boardzero.study.review import SECONDS, default_analyst, explain
from boardzero.study.words import Language

app = typer.Typer()


@app.command()
def review(
    file: Annotated[Path, typer.Argument(help="A PDN, SGF or text file.", metavar="FILE")],
    game: Annotated[
        str | None,
        typer.Option("--game", "-g", metavar="GAME", help="Where the file does not say."),
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", "-p", metavar="PLAYER", help="The analyst.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="For each position.", min=0.01, max=60)] = SECONDS,
    language: Annotated[str, typer.Option(help="Of the sentences: en or nl.")] = "en",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the games with the review in them."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Review the games of a file: mistakes, why they are, and what was better.

    Example: boardzero review evening.pdn --seconds 0.5 --output reviewed.pdn
    """
    spoken = next((known for known in LANGUAGES if known == language), None)
    if spoken is None:
        raise BoardZeroError(f"there are no sentences in '{language}', only in en and nl")
    console = screen(json_too=as_json)
    trees = load_trees(file, game, on_error=lambda error: console.print(str(error), style="yellow"))
    if not trees:
        raise BoardZeroError(f"there is no game in {file}")
    for number, tree in enumerate(trees, start=1):
        _review(number, tree, player, seconds, spoken, as_json=as_json)
    if output is not None:
        write_file(output, "".join(map(write_tree, trees)), parents=False)


def _review(
    number: int,
    tree: GameTree,
    player: str | None,
    seconds: float,
    language: Language,
    *,
    as_json: bool,
) -> None:
    console = screen(json_too=as_json)
    names = " - ".join(tree.tags.get(seat.capitalize(), "?") for seat in tree.game.seats)
    if not as_json:
        console.print(f"game {number}: {tree.game.title}, {names}", style="bold")
    with console.status("reviewing"):
        steps = list(review_game(tree, player=player, seconds=seconds))[::-1]
    annotate(tree, steps, language)
    wrong = [step for step in steps if step.verdict is not None and step.verdict.name is not None]
    if as_json:
        analyst = player or default_analyst(tree.game)
        emit(
            game=tree.game.spec,
            number=number,
            player=analyst,
            moves=[_json(s, language) for s in steps],
        )
        return
    for step in wrong:
        players = tree.game.players
        turn = step.ply + tree.position.to_move
        dots = "." if turn % players == 0 else "..."
        console.print(f"{turn // players + 1:>4}{dots} {short(str(step.played)):10}", end=" ")
        console.print(explain(step, language))
    if not wrong:
        console.print("every move was sound", style="dim")


def _json(step: ReviewStep, language: Language) -> dict[str, Json]:
    verdict = step.verdict
    return {
        "ply": step.ply,
        "seat": step.state.game.seats[step.state.to_move],
        "played": str(step.played) if step.played else None,
        "best": step.best.text if step.best else None,
        "line": step.line,
        "value": step.value,
        "verdict": verdict.name if verdict else None,
        "loss": round(verdict.loss, 4) if verdict else None,
        "refutation": verdict.refutation if verdict else (),
        "reason": verdict.reason.kind if verdict and verdict.reason else None,
        "sentence": explain(step, language),
    }
