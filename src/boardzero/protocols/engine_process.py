"""Engines as child processes that speak in lines, with a deadline for every answer."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from time import perf_counter

from boardzero.base.errors import BoardZeroError
from boardzero.base.processes import machine_megabytes

_FLOOD = 1_000  # lines that wait to be read; a program that writes more has to wait
_LONGEST = 65_536  # bytes of a line; what is behind them is left out
_INTERPRETER = re.compile(
    r"(?:python|pypy|java|node|mono|dotnet|wine|bash|sh|perl)[\d.]*(?:\.exe)?"
)
_MOST_WRITTEN = 1 << 30  # bytes of any file, its complaints among them


class EngineError(BoardZeroError):
    """A program that does not start, ends, hangs, or says what makes no sense."""


class LateError(EngineError):
    """A program that does not answer in time."""


class EngineProcess:
    """A running program in a process group of its own, so that what it starts ends with it."""

    def __init__(self, command: str | Sequence[str], *, cwd: str = "") -> None:
        """It runs in the folder `cwd`, or where the engine lies: there it finds its own files."""
        words = _words(command)
        if cwd:
            if not os.path.isdir(cwd):
                raise EngineError(f"there is no folder '{cwd}' to start '{words[0]}' in")
        else:
            words, cwd = _at_home(words)
        self.name = os.path.basename(words[0])
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the program
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
                cwd=cwd or None,
            )
        except OSError as error:
            raise EngineError(f"'{words[0]}' does not start: {error.strerror}") from None
        _restrain(self._process.pid)
        self._lines: Queue[str | None] = Queue(_FLOOD)
        Thread(target=_read, args=(self._process, self._lines), daemon=True).start()
        self._end = weakref.finalize(self, _end, self._process)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def send(self, line: str) -> None:
        """May be called from any thread."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def receive(self, until: float) -> str:
        """The next line, if it comes before `perf_counter()` reaches this time."""
        late = LateError(f"{self.name} does not answer in time")
        left = until - perf_counter()
        if left <= 0:  # also for a program that floods us with other lines
            raise late
        try:
            line = self._lines.get(timeout=left)
        except Empty:
            raise late from None
        if line is None:
            self._lines.put(None)  # for whoever asks again
            raise self._ended()
        return line

    def kill(self) -> None:
        """End it and all that it started, at once."""
        self._end()

    def _ended(self) -> EngineError:
        try:
            code: object = self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            code = "none"
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 1000))
        last = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2]
        return EngineError(
            f"{self.name} has ended, with exit code {code}" + (f": {last}" if last else "")
        )


def _words(command: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise EngineError(f"the command of the engine cannot be read: {error}") from None
    if not words:
        raise EngineError("the command of the engine is empty")
    return words


def _at_home(words: Sequence[str]) -> tuple[list[str], str]:
    """The command as it is said in the engine's own folder, and that folder.

    An engine that some interpreter runs lies where its file does. There is no folder to go to for
    `python -m engine`, nor for a program that the system finds by its name alone.
    """
    engine = words[0] if os.sep in words[0] else ""
    if _INTERPRETER.fullmatch(os.path.basename(words[0])):
        engine = next((word for word in words[1:] if os.path.isfile(word)), "")
    home = os.path.dirname(os.path.abspath(engine)) if engine else ""
    if not os.path.isdir(home):
        return list(words), ""
    return [os.path.abspath(w) if w == engine or _is_path(w) else w for w in words], home


def _is_path(word: str) -> bool:
    """Whether it says where a file is, seen from the folder that we are in."""
    return os.sep in word and os.path.exists(word)


def _read(process: subprocess.Popen[bytes], lines: Queue[str | None]) -> None:
    assert process.stdout is not None
    while line := process.stdout.readline(_LONGEST):
        lines.put(line.decode(errors="replace").strip())
        while not line.endswith(b"\n") and (line := process.stdout.readline(_LONGEST)):
            pass
    lines.put(None)


def _restrain(process: int) -> None:
    """Keep a program from taking the machine with it: half of its memory is enough for anybody."""
    if sys.platform != "linux":  # nobody else lets a program be restrained from outside
        return
    import resource

    memory = machine_megabytes() << 19
    with suppress(OSError, ProcessLookupError):  # it has ended, or is restrained already
        resource.prlimit(process, resource.RLIMIT_AS, (memory, memory))
        resource.prlimit(process, resource.RLIMIT_FSIZE, (_MOST_WRITTEN, _MOST_WRITTEN))


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # it leads a group, which may outlive it
    process.wait()
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()
