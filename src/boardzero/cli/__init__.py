"""The command line: one file per subcommand, loaded only when it is called.

Results go to standard output, everything else to standard error. Exit codes: 0 all is well, 1
something on this machine is broken, 2 the user asked for something that does not exist, 130 Ctrl-C.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module

from boardzero import __version__

__all__ = ["COMMANDS", "RENAMED", "main"]

# A command is a module of this folder with an `app`; its help is here so that the overview needs
# none of them.
COMMANDS = {
    "play": "play in the terminal, against people or programs",
    "match": "play two players against each other, and say which is stronger",
    "tournament": "play everybody against everybody",
    "gauntlet": "play one player against each of several others",
    "ratings": "rate players by the games that they played",
    "train": "learn a game by self-play",
    "sweep": "find the values of a recipe that learn fastest",
    "reproduce": "repeat the experiments of the five documents",
    "dataset": "make games of other players to learn from",
    "evaluate": "say how often a net picks a legal move, and what it does wrong",
    "runs": "list training runs, and move them as one file",
    "plot": "draw the curves of a training run",
    "diagnose": "say what keeps a training run from learning, and what to change",
    "probe": "say which positions with known answers a player answers rightly",
    "compare": "compare training runs: losses, and Elo against the same opponents",
    "promote": "make a trained version the champion of its game",
    "review": "find the mistakes in the games of a file, and say why",
    "serve": "play, study and compare in the browser",
    "players": "list the players and their options, and the levels of a game",
    "levels": "show the levels of a game with their ratings, and measure them again",
    "games": "list the games and their options; list, show and export stored games",
    "tablebase": "make, show and verify endgame tables",
    "perft": "count the move sequences from a position",
    "engine": "be an engine in other programs: lidraughts-bot, Piskvork",
    "dxp": "play draughts against other programs over the network",
    "bench": "measure speed, next to a peer on the same machine",
    "doctor": "check that this machine has all that is needed",
}

# Commands by an earlier name, which works on and tells the new one.
RENAMED = {"crown": "promote"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    warnings.formatwarning = _sentence
    try:
        code = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has left; Python would complain again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        code = 130
    if code == 130:
        # The core may still be at work in a thread; waiting for it would not be leaving.
        sys.stderr.flush()
        os._exit(code)
    return code


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("--help", "-h", "help"):
        print(_overview(bold=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
        return 0
    name, *rest = arguments
    if name == "--version":
        print(f"boardzero {__version__}")
        return 0
    if name in RENAMED:
        _say(f"'{name}' is now called '{RENAMED[name]}'")
        name = RENAMED[name]
    try:
        return _command(name, rest)
    except ImportError as error:
        if error.name == "boardzero._core":
            return _complain(
                f"the compiled core does not load; see 'boardzero doctor' ({error})", 1
            )
        if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("boardzero"):
            return _complain(f"'{error.name}' is missing; 'pip install boardzero' brings it", 1)
        raise


def _command(name: str, arguments: list[str]) -> int:
    import typer

    if name not in COMMANDS:
        from boardzero.base.errors import nearest

        return _complain(str(nearest("command", name, COMMANDS)))
    try:
        app: typer.Typer = import_module(f"boardzero.cli.{name}").app
        code = app(args=arguments, prog_name=f"boardzero {name}", standalone_mode=False)
    except typer.TyperException as error:
        text = " ".join(error.format_message().split()).rstrip(".")
        text = re.sub(r"No such option: (-\d\S*).*", r"\1 is too small a number here", text)
        return _complain(f"{text[:1].lower()}{text[1:]}; see 'boardzero {name} --help'")
    except Exception as error:
        if isinstance(error, OSError) and error.filename is not None:
            return _complain(f"{error.filename}: {error.strerror}")  # a folder in a file's place
        if not _is_users(error):
            raise
        return _complain(str(error))
    return code if isinstance(code, int) else 0


def _is_users(error: Exception) -> bool:
    """Whether the user caused it; a look at the core only where there was an error."""
    from boardzero.base.errors import BoardZeroError

    return isinstance(error, BoardZeroError)


def _sentence(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    line: str | None = None,
) -> str:
    """Our own warnings are for the user, and say nothing of where in the code they arose."""
    if category.__module__.startswith("boardzero."):
        return f"boardzero: {message}\n"
    return f"{filename}:{lineno}: {category.__name__}: {message}\n{line or ''}"


def _complain(sentence: str, code: int = 2) -> int:
    _say(sentence)
    return code


def _say(sentence: str) -> None:
    print(f"boardzero: {sentence}", file=sys.stderr)


def _overview(*, bold: bool) -> str:
    on, off = ("\x1b[1m", "\x1b[0m") if bold else ("", "")
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {on}{name:{width}}{off}  {text}" for name, text in COMMANDS.items())
    return f"""\
{on}boardzero{off} {__version__}: board games learned from their rules alone

Usage: boardzero COMMAND [ARGUMENTS]

{commands}

Every command takes --help, and --json for machines. For example:

  boardzero play english --seat human --seat random"""
