"""The package for web pages as a process that answers questions."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from boardzero.base.errors import BoardZeroError

ROOT = Path(__file__).parents[2]
DRIVER = Path(__file__).parent / "driver.mjs"
NODE = shutil.which("node") or shutil.which("node", path=str(ROOT / ".venv" / "bin"))
BUILT = [ROOT / "web/boardzero" / part for part in ("assets/core.wasm", "dist/service.js")]


class Package:
    """A process that answers as a page's worker would."""

    def __init__(self) -> None:
        assert NODE is not None
        self._process = subprocess.Popen(
            [NODE, DRIVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(
        self, call: str, game: str, moves: list[str] | tuple[str, ...] = (), **more: object
    ) -> Any:
        """The answer; a refusal raises `BoardZeroError`, as the same question does in Python."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"call": call, "game": game, "moves": list(moves), **more}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise BoardZeroError(answer["error"])
        return answer.get("result")

    def close(self) -> None:
        self._process.communicate(timeout=10)
