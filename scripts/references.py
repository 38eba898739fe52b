"""The reference pages of the documentation, written from the program itself.

Python names come from docstrings (Sphinx does that), commands from their help, recipes from their
models, and the wire from the server's schema.
"""

import contextlib
import importlib
import inspect
import io
import os
import re

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

PACKAGES = ["", "games", "players", "arena", "study", "methods", "models", "store", "server"]
MODULES = [
    "games.conformance",
    "games.tablebase",
    "runs.events",
    "runs.run_folder",
    "runs.diagnosis",
    "training.train",
    "protocols.chexers",
    "protocols.pettingzoo",
]
PYTHON = """\
# Python

The names that stay: everything else may change without notice.
"""
COMMANDS = """\
# Commands

What `boardzero COMMAND --help` says. [The command line](../cli.md) tells what `--json` prints.
"""
RECIPES = """\
# Recipes

Every value of a recipe with its default, by section. [Training](../training.md) explains how they
are used; `boardzero train RECIPE --set learn.lr=0.01` changes one.
"""
WIRE = """\
# The server

What the page and its server say to each other. A refusal is an object with `detail`, one sentence.
Addresses other than this machine's need a token: [the page](../web.md).
"""


def references() -> dict[str, str]:
    """File name -> page."""
    return {
        "python.md": _python(),
        "commands.md": _commands(),
        "recipes.md": _recipes(),
        "server.md": _server(),
    }


def _python() -> str:
    parts = [PYTHON]
    for name in [*PACKAGES, *MODULES]:
        module = f"boardzero.{name}" if name else "boardzero"
        parts.append(f"## `{module}`\n\n```{{eval-rst}}\n.. automodule:: {module}\n```\n")
    return "\n".join(parts)


def _commands() -> str:
    from boardzero.cli import COMMANDS as KNOWN

    os.environ["COLUMNS"] = "100"
    parts = [COMMANDS]
    for name in KNOWN:
        parts.append(f"## `boardzero {name}`\n")
        parts += [f"```text\n{text}\n```\n" for text in _helps(name)]
    return "\n".join(parts)


def _helps(name: str) -> list[str]:
    """The help of a command, then of each of its own commands."""
    app = importlib.import_module(f"boardzero.cli.{name}").app
    below = [one.name or one.callback.__name__ for one in app.registered_commands]
    wanted = [[], *([inner] for inner in below)] if len(below) > 1 else [[]]
    return [_said(app, f"boardzero {name}", [*inner, "--help"]) for inner in wanted]


def _said(app: object, program: str, arguments: list[str]) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        app(args=arguments, prog_name=program, standalone_mode=False)
    return said.getvalue().strip()


def _recipes() -> str:
    from boardzero.lodz.recipes import DqnRecipe, SupervisedRecipe
    from boardzero.runs.recipe import Recipe
    from boardzero.runs.sparse_recipe import SparseRecipe

    parts = [RECIPES, _section("", Recipe), "\n## Recipes of sparse nets\n"]
    parts += [_section("", SparseRecipe, level=3)]
    parts += ["\n## Recipes that pick a piece, then its move\n"]
    parts += [_section("", recipe, level=3) for recipe in (SupervisedRecipe, DqnRecipe)]
    return "\n".join(parts)


def _section(name: str, model: type[BaseModel], level: int = 2) -> str:
    """A table of the model's values, then its sections."""
    about = inspect.getdoc(model) or ""
    title = f"[{name}]" if name else model.__name__
    rows, inner = [], []
    comments = _comments(model)
    for key, field in model.model_fields.items():
        kind = field.annotation
        if inspect.isclass(kind) and issubclass(kind, BaseModel):
            inner.append(_section(f"{name}.{key}" if name else key, kind, level))
            continue
        bounds = ", ".join(str(bound) for bound in field.metadata)
        words = [comments.get(key, ""), f"({bounds})" if bounds else ""]
        shown = " ".join(filter(None, words)).replace("|", "\\|")
        rows.append(f"| `{key}` | `{_kind(kind)}` | {_default(field.get_default())} | {shown} |")
    table = ["| value | kind | default | meaning |", "| --- | --- | --- | --- |", *rows]
    parts = [f"{'#' * level} `{title}`\n\n{about}\n", "\n".join(table) + "\n" if rows else ""]
    return "\n".join([*parts, *inner])


def _comments(model: type[BaseModel]) -> dict[str, str]:
    """What the source says behind each value."""
    found: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if not issubclass(owner, BaseModel) or owner is BaseModel:
            continue
        for line in inspect.getsource(owner).splitlines():
            if said := re.match(r"    (\w+):.*?  # (?!noqa|type:)(.*)", line):
                found[said[1]] = said[2].split("  # noqa")[0]
    return found


def _kind(annotation: object) -> str:
    text = annotation.__name__ if inspect.isclass(annotation) else str(annotation)
    text = re.sub(r"\b(?:typing|pathlib|collections\.abc|boardzero(?:\.\w+)*)\.", "", text)
    return text.removeprefix("Literal").replace("|", "\\|")


def _default(value: object) -> str:
    return "required" if value is PydanticUndefined else f"`{value!r}`".replace("|", "\\|")


def _server() -> str:
    from pathlib import Path

    from boardzero.server import Settings, create_app

    schema = create_app(Settings(Path("."))).openapi()
    parts = [WIRE, "## Requests\n", "| request | what it does |", "| --- | --- |"]
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            about = " ".join((operation.get("description") or operation["summary"]).split())
            asked = _mentioned(operation.get("requestBody", {}), "takes")
            answered = _mentioned(operation["responses"], "answers")
            parts.append(f"| `{method.upper()} {path}` | {about}{asked}{answered} |")
    parts += ["\n## Sockets\n", "| socket | the page sends | the server sends |"]
    parts.append("| --- | --- | --- |")
    for path, socket in schema["x-sockets"].items():
        sends, hears = _mentioned(socket["receives"]), _mentioned(socket["sends"])
        parts.append(f"| `{path}` | {sends} | {hears} |")
    parts.append("\n## Messages\n")
    for name, message in sorted(schema["components"]["schemas"].items()):
        if name not in ("HTTPValidationError", "ValidationError"):
            parts.append(_message(name, message))
    return "\n".join(parts)


def _mentioned(holder: dict, verb: str = "") -> str:
    """The messages that a part of the schema speaks of, as links."""
    names = re.findall(r"#/components/schemas/(\w+)", str(holder))
    known = [name for name in dict.fromkeys(names) if "ValidationError" not in name]
    links = ", ".join(f"[{name}](#{name.lower()})" for name in known)
    return (f"; {verb} {links}" if verb else links) if links else ""


def _message(name: str, message: dict) -> str:
    about = " ".join(message.get("description", "").split())
    parts = [f"### {name}\n", f"{about}\n" if about else ""]
    if choices := _mentioned({key: message.get(key) for key in ("anyOf", "oneOf")}):
        parts.append(f"One of {choices}.\n")
    if fields := message.get("properties"):
        needed = set(message.get("required", ()))
        parts += ["| field | kind | |", "| --- | --- | --- |"]
        for key, field in fields.items():
            always = "" if key in needed else "may be absent"
            parts.append(f"| `{key}` | {_json_kind(field)} | {always} |")
    return "\n".join([*parts, ""])


def _json_kind(field: dict) -> str:
    match field:
        case {"$ref": reference}:
            name = reference.rpartition("/")[2]
            return f"[{name}](#{name.lower()})"
        case {"const": value}:
            return f"`{value!r}`"
        case {"enum": values}:
            return ", ".join(f"`{value!r}`" for value in values)
        case {"anyOf": choices} | {"oneOf": choices}:
            return " or ".join(dict.fromkeys(map(_json_kind, choices)))
        case {"type": "array", "items": items}:
            return f"list of {_json_kind(items)}"
        case {"additionalProperties": dict() as values}:
            return f"object of {_json_kind(values)}"
    return str(field.get("type", "anything"))
