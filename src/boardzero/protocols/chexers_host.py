"""The process around somebody's `Player` class: requests in, answers out, JSON in lines.

Runs as a script with the place of the class, `path/to/module.py:Class` or `package.module:Class`,
and the colour. What the class prints goes to standard error. It imports nothing of ours, so that
the class has the process to itself.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


def load(place: str) -> Any:
    """The class at a place; `Player` if none is named."""
    where, _, name = place.partition(":")
    if where.endswith(".py"):
        module = _load_file(Path(where))
    else:
        sys.path.insert(0, os.getcwd())
        module = importlib.import_module(where)
    return getattr(module, name or "Player")


def package_of(file: Path) -> tuple[Path, str]:
    """The folder from which a file is imported, and by what name: `team.player` in a package."""
    folder, names = file.resolve().parent, [file.stem]
    while (folder / "__init__.py").exists():
        names.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(names)


def _load_file(file: Path) -> ModuleType:
    """Its modules are found by their own names, and by that of the folder that they are in."""
    file = file.resolve()
    if not file.exists():
        raise FileNotFoundError(f"there is no file {file}")
    folder, name = package_of(file)
    sys.path.insert(0, str(folder))
    if "." in name:
        sys.path.append(str(file.parent))
        return importlib.import_module(name)
    sys.path.append(str(folder.parent))
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def as_tuples(value: Any) -> Any:
    """JSON knows lists only."""
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value


def main(place: str, colour: str) -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever the class prints

    def answer(value: object) -> None:
        print(json.dumps(value), file=answers, flush=True)

    player = load(place)(colour)
    answer("ready")
    for line in sys.stdin:
        request = json.loads(line)
        if request[0] == "action":
            answer(player.action())
        else:
            player.update(request[1], as_tuples(request[2]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
