"""The reference pages of the documentation, written from the program itself.

Python names come from docstrings (Sphinx does that), commands from their help, recipes from their
models, and the wire from the server's schema.
"""

import ast
import contextlib
import inspect
import io
import os
import re
import sys
import textwrap
import tokenize
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

PACKAGES = [
    "",
    "games",
    "players",
    "arena",
    "study",
    "probes",
    "methods",
    "models",
    "store",
    "server",
]
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

| module | what it is for |
| --- | --- |
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
        **_python(),
        "commands.md": _commands(),
        "recipes.md": _recipes(),
        "server.md": _server(),
    }


def _python() -> dict[str, str]:
    """A page for each module, and one that lists them."""
    names = [f"boardzero.{name}".rstrip(".") for name in [*PACKAGES, *MODULES]]
    about = {name: (import_module(name).__doc__ or "").split("\n")[0] for name in names}
    rows = "\n".join(f"| [`{name}`]({name}.md) | {told} |" for name, told in about.items())
    listed = "\n".join(names)
    pages = {f"{name}.md": _module(name) for name in names}
    return {"python.md": f"{PYTHON}{rows}\n\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n", **pages}


def home(name: str) -> str:
    """Where a public name is documented: what the front door offers, in the package that has it."""
    package, _, last = name.rpartition(".")
    if package != "boardzero":
        return name
    offered = getattr(import_module(package), last)
    for module in (import_module(f"boardzero.{one}") for one in [*PACKAGES[1:], *MODULES]):
        own = getattr(offered, "__module__", "") == module.__name__
        if (own or last in getattr(module, "__all__", ())) and getattr(module, last) is offered:
            return f"{module.__name__}.{last}"
    return name


def _module(name: str) -> str:
    if name == "boardzero":
        return _front_door()
    module = import_module(name)
    data = [one for one in getattr(module, "__all__", ()) if _is_data(getattr(module, one))]
    more = "".join(f"\n.. py:data:: {one}\n\n   {_said_of(module, one)}\n" for one in data)
    return f"# `{name}`\n\n```{{eval-rst}}\n.. automodule:: {name}\n{more}```\n"


def _front_door() -> str:
    """The page of the package itself: a table of links, and what is documented nowhere else."""
    package = import_module("boardzero")
    rows, own = [], []
    for name in package.__all__:
        place = home(f"boardzero.{name}")
        about = (inspect.getdoc(getattr(package, name)) or "").split("\n")[0]
        if place != f"boardzero.{name}":
            rows.append(f"| {{py:obj}}`{name} <{place}>` | {about} |")
        elif name != "__version__":
            own.append(f".. autoclass:: boardzero.{name}")
    table = "\n".join(["| name | what it is |", "| --- | --- |", *rows])
    rest = "\n\n".join(own)
    return f"# `boardzero`\n\n{package.__doc__}\n\n{table}\n\n```{{eval-rst}}\n{rest}\n```\n"


def _is_data(one: object) -> bool:
    return not (inspect.isclass(one) or inspect.isroutine(one))


def _said_of(package: ModuleType, name: str) -> str:
    """The text below a value where it is defined, somewhere in a package, and the value."""
    value = getattr(package, name)
    shown = get_args(value) or value
    for module in [one for key, one in sys.modules.items() if key.startswith(package.__name__)]:
        body = ast.parse(inspect.getsource(module)).body
        for one, below in pairwise(body):
            targets = one.targets if isinstance(one, ast.Assign) else [getattr(one, "target", None)]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                assert isinstance(below, ast.Expr), f"{package.__name__}.{name} says nothing"
                return f"{ast.literal_eval(below.value)} One of ``{shown}``."
    raise AssertionError(f"{package.__name__}.{name} is defined nowhere")


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
    app = import_module(f"boardzero.cli.{name}").app
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
        words = [comments.get(key, ""), _bounds(field.metadata)]
        shown = "; ".join(filter(None, words)).replace("|", "\\|")
        rows.append(f"| `{key}` | {_kind(kind)} | {_default(field.get_default())} | {shown} |")
    table = ["| value | kind | default | meaning |", "| --- | --- | --- | --- |", *rows]
    parts = [f"{'#' * level} `{title}`\n\n{about}\n", "\n".join(table) + "\n" if rows else ""]
    return "\n".join([*parts, *inner])


def _comments(model: type[BaseModel]) -> dict[str, str]:
    """What the source says behind each value, and in the lines below it."""
    found: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if not issubclass(owner, BaseModel) or owner is BaseModel:
            continue
        source = textwrap.dedent(inspect.getsource(owner))
        said = _comment_lines(source)
        (tree,) = ast.parse(source).body
        assert isinstance(tree, ast.ClassDef)
        for one in tree.body:
            if not isinstance(one, ast.AnnAssign) or not isinstance(one.target, ast.Name):
                continue
            end = one.end_lineno or one.lineno
            while end + 1 in said and source.splitlines()[end].lstrip().startswith("#"):
                end += 1
            lines = [said[line] for line in range(one.lineno, end + 1) if line in said]
            found[one.target.id] = _joined(lines) or found.get(one.target.id, "")
    return found


def _comment_lines(source: str) -> dict[int, str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {one.start[0]: one.string for one in tokens if one.type == tokenize.COMMENT}
    return {line: re.sub(r"^#\s*|\s*# noqa.*", "", text) for line, text in comments.items()}


def _joined(lines: list[str]) -> str:
    """One sentence; lines such as `wins: wins / (wins + losses)` explain a choice each."""
    text = ""
    for line in lines:
        choice = re.match(r"([\w-]+): +", line)
        parts = "; " if choice and text else " "
        told = f"`{choice[1]}`: {line[choice.end() :]}" if choice and len(lines) > 1 else line
        text = f"{text}{parts}{told}".strip()
    return text


def _bounds(metadata: list[object]) -> str:
    """What numbers may be: `1 to 100`, `above 0`."""
    least, above, most, below, step, longest = (
        next((getattr(one, name) for one in metadata if hasattr(one, name)), None)
        for name in ("ge", "gt", "le", "lt", "multiple_of", "max_length")
    )
    parts = []
    if least is not None and most is not None:
        parts, least, most = [f"{least:,} to {most:,}"], None, None
    told = {"at least": least, "above": above, "at most": most, "below": below, "in steps of": step}
    parts += [f"{word} {bound:,}" for word, bound in told.items() if bound is not None]
    parts += [] if longest is None else [f"at most {longest} of them"]
    return ", ".join(parts)


def _kind(annotation: object) -> str:
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(annotation))
    text = annotation.__name__ if inspect.isclass(annotation) else str(annotation)
    text = re.sub(r"\b(?:typing|pathlib|collections\.abc|boardzero(?:\.\w+)*)\.", "", text)
    return f"`{text}`".replace("|", "\\|")


def _default(value: object) -> str:
    if value is PydanticUndefined:
        return "required"
    text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return f"`{text}`".replace("|", "\\|") if text else "empty"


def _server() -> str:
    from pathlib import Path

    from boardzero.server import Settings, create_app

    schema = create_app(Settings(Path("."))).openapi()
    parts = [WIRE, "## Requests\n", "| request | what it does | takes | answers |"]
    parts.append("| --- | --- | --- | --- |")
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            about = " ".join((operation.get("description") or operation["summary"]).split())
            asked = _mentioned(operation.get("requestBody", {}))
            answered = _mentioned(operation["responses"])
            told = f"{about.rstrip('.')}."
            parts.append(f"| `{method.upper()} {path}` | {told} | {asked} | {answered} |")
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


def _mentioned(holder: dict) -> str:
    """The messages that a part of the schema speaks of, as links."""
    names = re.findall(r"#/components/schemas/(\w+)", str(holder))
    known = [name for name in dict.fromkeys(names) if "ValidationError" not in name]
    return ", ".join(f"[{name}](#{name.lower()})" for name in known)


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
