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
from typing import Any


def load(place: str) -> Any:
    """The class at a place; `Player` if none is named."""
    where, _, name = place.partition(":")
    if where.endswith(".py"):
        path = Path(where).resolve()
        sys.path.insert(0, str(path.parent))  # where it will look for its own modules
        spec = importlib.util.spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None or not path.exists():
            raise FileNotFoundError(f"there is no file {where}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
    else:
        sys.path.insert(0, os.getcwd())
        module = importlib.import_module(where)
    return getattr(module, name or "Player")


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
