"""`boardzero serve`: the web page, on this machine."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

import typer

from boardzero.base.data_home import data_home
from boardzero.base.errors import BoardZeroError
from boardzero.base.extras import needs_extra
from boardzero.cli.options import AsJson
from boardzero.cli.output import command_line, tell

app = command_line()


@app.command(epilog="Example: boardzero serve --port 8000 --open")
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; another than this machine needs --token.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(help="Port; the next free one is taken if it is in use.", min=0, max=65535),
    ] = 8000,
    token: Annotated[
        str | None, typer.Option(help="What others must show; also BOARDZERO_TOKEN.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder for games; BOARDZERO_HOME or the user's data folder."),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PLAYER",
            help="A program that may be chosen on the page by this name, such as "
            """'scan=hub:cmd="/opt/scan/scan hub"'; may be given several times.""",
        ),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play, study, compare and watch it learn, in the browser."""
    with needs_extra("web", "the page"):
        import websockets  # noqa: F401  # uvicorn's, for the sockets

        from boardzero.server import Settings, check_data, create_app, listener
    from boardzero.models import runs_home

    own_socket = _listen(host, port)
    settings = Settings(
        data or data_home(),
        runs=runs_home(),
        host=host,
        port=own_socket.getsockname()[1],
        token=token or os.environ.get("BOARDZERO_TOKEN"),
        engines={name: spec for name, _, spec in (text.partition("=") for text in engine or [])},
    )
    application = create_app(settings)  # which may refuse, so before anything is said
    check_data(settings)
    address = _address(settings.host, settings.port)
    tell(f"BoardZero is at {address} (Ctrl-C ends it)", as_json=as_json, address=address)
    if open_page:
        _open(_own_page(settings.host, settings.port, settings.token))
    listener.serve(application, own_socket)


def _listen(host: str, port: int) -> socket.socket:
    """A socket at the port or at one of the next."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in [port, *range(port + 1, min(port + 20, 65536))] if port else [0]:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(256)
        except OSError as error:
            listener.close()
            reason = error
        else:
            return listener
    raise BoardZeroError(f"cannot listen on {host}, port {port}: {reason.strerror or reason}")


def _address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _own_page(host: str, port: int, token: str | None) -> str:
    """The page for a browser on this machine: no browser goes to "every address"."""
    own = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return _address(own, port) + (f"?{urlencode({'token': token})}" if token else "")


def _open(address: str) -> None:
    import webbrowser

    # Elsewhere a machine without a screen would start a browser in the terminal.
    has_screen = sys.platform in ("darwin", "win32")
    if has_screen or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)
