"""`boardzero engine`: our players inside other programs."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from boardzero.base.errors import BoardZeroError
from boardzero.cli.output import command_line

app = command_line()


class Protocol(StrEnum):
    HUB = "hub"
    GOMOCUP = "gomocup"


@app.command(epilog="Example: boardzero engine hub --game international --player alphabeta:hash=64")
def engine(
    protocol: Annotated[Protocol, typer.Argument(help="The language of the other program.")],
    game: Annotated[
        str | None, typer.Option(help="The draughts to play; Gomocup's managers say it themselves.")
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(help="Who thinks; alphabeta for hub, for gomocup the best."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Write what is said to standard error, as JSON lines.")
    ] = False,
) -> None:
    """Be an engine on standard input and output, until told to quit.

    hub: draughts, in lidraughts-bot and other programs that know Scan. gomocup: five in a row, in
    Piskvork and other managers.
    """
    from boardzero.protocols.streams import serve

    log = sys.stderr if as_json else None
    if protocol is Protocol.HUB:
        from boardzero.protocols.hub import HubEngine

        serve(lambda send: HubEngine(game or "international", player or "alphabeta", send), log=log)
        return
    from boardzero.protocols.gomocup import GomocupEngine

    if game is not None:
        raise BoardZeroError("--game is for hub; a Gomocup manager names the board and the rule")
    serve(lambda send: GomocupEngine(player, send), log=log)
