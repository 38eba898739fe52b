"""What all subcommands share: a quiet screen for people, JSON lines for machines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from boardzero.arena.tables import Table

Json = str | int | float | bool | None | Sequence["Json"] | Mapping[str, "Json"]
T = TypeVar("T")


def command_line() -> typer.Typer:
    """An empty subcommand; plain help and plain errors, for a fast start."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def emit(**fields: Json) -> None:
    """One JSON object on a line of its own, at once."""
    print(json.dumps(fields), flush=True)


def tell(sentence: str, *, as_json: bool, markup: bool = False, **fields: Json) -> None:
    """A result: a sentence for a person, or the fields for a machine."""
    if as_json:
        emit(**fields)
    else:
        screen(markup=markup).print(sentence)


def print_entry(entry: Mapping[str, str], *, as_json: bool, **more: Json) -> None:
    """One of a list: its name, its game and what it is about."""
    told = f"[bold]{entry['name']:24}[/] [dim]{entry['game']}[/]  {entry['about']}"
    tell(told, as_json=as_json, markup=True, **entry, **more)


def screen(*, json_too: bool = False, markup: bool = False) -> Console:
    """Where people look: standard output, unless JSON goes there.

    `markup` is for texts of our own only: what others write may hold brackets.
    """
    from rich.console import Console

    return Console(stderr=json_too, highlight=False, soft_wrap=True, markup=markup)


def shows_color(console: Console) -> bool:
    """Whether coloured discs will look right."""
    unicode = console.encoding.lower().startswith("utf")
    return console.color_system is not None and not console.no_color and unicode


def row(console: Console, *columns: tuple[str, int, str]) -> None:
    """One line of a table: texts with their widths (negative aligns right) and styles."""
    from rich.text import Text

    line = Text()
    for text, width, style in columns:
        line.append(f"{text:>{-width}}" if width < 0 else f"{text:{width}}", style)
        line.append("  ")
    line.rstrip()
    console.print(line)


def print_table(console: Console, table: Table) -> None:
    """With all its columns, however narrow the screen is."""
    drawn = table.rich()
    width = max(console.width, console.measure(drawn).maximum)
    console.print(drawn, width=width, crop=False)


def interruptible(work: Callable[[], T]) -> T:
    """Do the work in a thread, because Ctrl-C does not reach the main thread inside the core."""
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)

    Thread(target=run, daemon=True).start()
    return result.result()
