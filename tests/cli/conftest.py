"""Runs the command line in this process, as fast as a function call."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from boardzero.cli import main


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict]:
        """Standard output as JSON lines; fails if anything else is there."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str, typed: str = "") -> Result:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = main(arguments)
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return call
