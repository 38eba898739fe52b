"""`boardzero dxp`: games of draughts against other programs over the network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer

from boardzero.cli.options import AsJson, grouped_options
from boardzero.cli.output import command_line, emit, screen
from boardzero.games import make
from boardzero.players import make_player
from boardzero.protocols.dxp import PORT, DxpEvent, Peer
from boardzero.protocols.dxp_net import MakePeer, listen, talk
from boardzero.protocols.dxp_net import connect as connect_to

app = command_line()

_GAME = "international"
_PATIENCE = 30.0  # seconds for who connects to ask for a game


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerOptions:
    """Who plays, and where."""

    player: Annotated[str, typer.Option(help="Who thinks for us.")] = "alphabeta"
    host: Annotated[str, typer.Option(help="The address.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(help="The TCP port.", min=0, max=65535)] = PORT
    name: Annotated[str, typer.Option(help="What we are called there.")] = "BoardZero"

    @contextmanager
    def peers(self, show: Display) -> Iterator[MakePeer]:
        """Makes our side of each connection; one player thinks for all."""
        with closing(make_player(self.player, make(_GAME))) as player:
            yield lambda send: Peer(make(_GAME), player, send, name=self.name, watch=show)


@app.callback(epilog="Example: boardzero dxp connect --host 192.168.0.7 --minutes 5 --json")
def dxp() -> None:
    """Play international draughts over TCP, by the DamExchange protocol.

    One program serves, the other one connects. Both take --json.
    """


@app.command(epilog="Example: boardzero dxp serve --player alphabeta:hash=64")
@grouped_options
def serve(
    *,
    options: PeerOptions,
    games: Annotated[int, typer.Option(help="End after so many; 0 is never.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """Wait for programs that want to play, and accept their terms."""
    show = Display(as_json=as_json)
    ended = 0

    def is_open(peer: Peer) -> bool:
        return not peer.is_stopped and not (games and ended + peer.games >= games)

    with options.peers(show) as meet, listen(options.host, options.port) as door:
        address, number = door.getsockname()[:2]
        show(DxpEvent("listen", f"{address}:{number}"))
        while not games or ended < games:
            connection, _ = door.accept()
            peer = talk(connection, meet, then=is_open, patience=_PATIENCE)
            ended += peer.games


@app.command(epilog="Example: boardzero dxp connect --host 192.168.0.7 --minutes 5 --games 2")
@grouped_options
def connect(
    *,
    options: PeerOptions,
    games: Annotated[int, typer.Option(help="How many, with colours in turn.", min=1)] = 2,
    minutes: Annotated[int, typer.Option(help="For all moves of a side.", min=0, max=999)] = 5,
    moves: Annotated[int, typer.Option(help="Of a game; 0 is no limit.", min=0, max=999)] = 75,
    black: Annotated[bool, typer.Option("--black", help="Begin with the black pieces.")] = False,
    as_json: AsJson = False,
) -> None:
    """Connect to a program that waits, and ask it for games."""
    show = Display(as_json=as_json)
    asked = 0

    def next_game(peer: Peer) -> bool:
        nonlocal asked
        if peer.is_stopped or peer.games >= games:
            return False
        if peer.games == asked:
            peer.request(white=(asked % 2 == 0) != black, minutes=minutes, moves=moves)
            asked += 1
        return True

    with options.peers(show) as meet:
        talk(connect_to(options.host, options.port), meet, then=next_game)


class Display:
    """Shows events as they come."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._console = screen(json_too=as_json)

    def __call__(self, event: DxpEvent) -> None:
        if self._as_json:
            emit(
                event=event.kind,
                text=event.text,
                white=event.white or None,
                black=event.black or None,
                result=event.reason or None,
            )
        elif event.kind == "start":
            self._console.print(f"{event.white} - {event.black}", style="bold")
        elif event.kind == "end":
            self._console.print(f"{event.reason}", style="bold")
        else:
            self._console.print(event.text, style="red" if event.kind == "error" else "")
