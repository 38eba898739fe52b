"""Options that several commands take, each declared once, and groups of them.

A group is a dataclass whose fields are options. A command takes it as one parameter and
`grouped_options` puts the fields in its place.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, get_type_hints

import typer

AsJson = Annotated[
    bool, typer.Option("--json", help="Write JSON to standard output, the rest to standard error.")
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Let a Ray cluster work: HOST:PORT, or auto."),
]
GameName = Annotated[str, typer.Option("--game", "-g", help="The game, such as english.")]
OpeningPlies = Annotated[
    int, typer.Option(help="Random moves at the start; or how many of a game in PDN.", min=0)
]
Seed = Annotated[int, typer.Option(help="Of the openings and of the players.")]
StorePath = Annotated[
    Path | None,
    typer.Option("--store", metavar="FILE", help="The database, if not the usual one."),
]
Workers = Annotated[
    int | None, typer.Option(help="Games at a time; as many as cores, if not given.", min=1)
]


def grouped_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with the fields of each dataclass among its parameters as options of its own."""
    parameters: list[inspect.Parameter] = []
    groups: dict[str, tuple[type, list[str]]] = {}
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        kind = parameter.annotation
        if isinstance(kind, type) and is_dataclass(kind):
            options = _options(kind)
            groups[name] = kind, [option.name for option in options]
            parameters += options
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**given: object) -> None:
        for name, (kind, options) in groups.items():
            given[name] = kind(**{option: given.pop(option) for option in options})
        command(**given)

    run.__annotations__ = {}  # or they would be looked up by the names that the group replaced
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def _options(group: type) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
