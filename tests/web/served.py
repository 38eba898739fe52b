"""The server as people start it."""

import json
import os
import subprocess
import sys
from pathlib import Path

__all__ = ["Server"]


class Server:
    """`boardzero serve` in its own process, which can be stopped and started again."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._port = "0"
        self.address = ""
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "boardzero", "serve", "--port", self._port, "--json"]
        environment = os.environ | {
            "BOARDZERO_HOME": str(self._data),
            "BOARDZERO_RUNS": str(self._data / "runs"),
        }
        self._process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.address = json.loads(self._process.stdout.readline())["address"]
        self._port = self.address.rstrip("/").rpartition(":")[2]

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)
