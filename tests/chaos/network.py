"""Machines that share nothing but a network: namespaces of this one, made and removed by itself.

A machine has its own network card with an address, its own processes and host name, and its own
/tmp and /dev/shm; a cable leads to a switch, which is a namespace as well, so that nothing of the
host's network is touched. Cables can be cut, and machines lose their power. Needs root, iproute2
and util-linux.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

_TOOLS = ("ip", "unshare", "nsenter", "mount", "hostname")


def why_not() -> str:
    """Why there can be no such machines here; empty if there can."""
    if sys.platform != "linux":
        return "namespaces are Linux's"
    if os.geteuid() != 0:
        return "only root makes namespaces"
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        return f"{', '.join(missing)} is missing (Debian: iproute2, util-linux)"
    tried = subprocess.run(
        ["unshare", "--net", "--mount", "--pid", "--fork", "true"], capture_output=True, check=False
    )
    return "" if tried.returncode == 0 else "this machine lets nobody make namespaces"


class Machine:
    """One of them, switched on or off."""

    def __init__(self, name: str, address: str, switch: str, port: str, folder: Path) -> None:
        self.name = name
        self.address = address
        self.cut = False
        self._switch = switch
        self._port = port
        self._folder = folder
        self._power: subprocess.Popen[bytes] | None = None
        for part in ("tmp", "out"):
            (folder / part).mkdir(parents=True)
        (folder / "hosts").write_text(f"127.0.0.1 localhost\n{address} {name}\n")

    @property
    def tmp(self) -> Path:
        """Its /tmp, seen from here."""
        return self._folder / "tmp"

    @property
    def on(self) -> bool:
        return self._power is not None and self._power.poll() is None

    def switch_on(self) -> None:
        """Its first process, below which all others are: with it, all of them end."""
        inside = " && ".join(
            [
                f"hostname {self.name}",
                f"mount --bind {shlex.quote(str(self._folder / 'hosts'))} /etc/hosts",
                f"mount --bind {shlex.quote(str(self.tmp))} /tmp",
                "mount -t tmpfs tmpfs /dev/shm",
                "exec sleep infinity",
            ]
        )
        own = ["--mount", "--pid", "--uts", "--ipc", "--fork", "--kill-child", "--mount-proc"]
        self._power = subprocess.Popen(
            ["ip", "netns", "exec", self.name, "unshare", *own, "sh", "-c", inside],
            stderr=subprocess.DEVNULL,  # it complains when it is killed
        )
        for _ in range(600):
            if self._is_up():
                return
            time.sleep(0.1)
        raise TimeoutError(f"{self.name} does not come up")

    def lose_power(self) -> None:
        """All of its processes at once."""
        if self._power is not None:
            with_init = self._init()
            if with_init:
                os.kill(with_init, signal.SIGKILL)
            self._power.kill()
            self._power.wait()
            self._power = None

    def start(
        self, command: Sequence[str], *, output: str, environment: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        """A program on it; what it says is added to a file of this name, its errors to another."""
        with self._file(f"{output}.out") as out, self._file(f"{output}.err") as err:
            return subprocess.Popen(
                ["nsenter", f"--target={self._init()}", "--all", *command],
                env={**environment, "HOME": "/tmp", "TMPDIR": "/tmp"},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )

    def said(self, output: str) -> str:
        file = self._folder / "out" / output
        return file.read_text(errors="replace") if file.exists() else ""

    def processes(self) -> Iterator[tuple[int, str]]:
        """All on it, by number here, with their command lines."""
        own = _namespace(self._init())
        for entry in Path("/proc").iterdir():
            if own and entry.name.isdecimal() and _namespace(int(entry.name)) == own:
                try:
                    command = (entry / "cmdline").read_bytes()
                except OSError:  # it is gone
                    continue
                yield int(entry.name), command.replace(b"\0", b" ").decode(errors="replace")

    def plug(self, connected: bool) -> None:
        self.cut = not connected
        state = "up" if connected else "down"
        _ip("-n", self._switch, "link", "set", self._port, state)

    def _file(self, name: str) -> IO[bytes]:
        return (self._folder / "out" / name).open("ab")

    def _init(self) -> int:
        """The number, seen from here, of its first process; 0 if it has none."""
        at, here = (self._power.pid, _namespace(os.getpid())) if self._power else (0, "")
        while at and _namespace(at) == here:  # `ip`, and then `unshare`
            try:
                children = Path(f"/proc/{at}/task/{at}/children").read_text().split()
            except OSError:
                return 0
            at = int(children[0]) if children else 0
        return at

    def _is_up(self) -> bool:
        try:
            return Path(f"/proc/{self._init()}/comm").read_text().strip() == "sleep"
        except OSError:
            return False


class Network:
    """A switch, and machines at it."""

    def __init__(self, count: int, folder: Path) -> None:
        label = f"bz{os.getpid()}"
        self._switch = f"{label}-switch"
        self.machines: list[Machine] = []
        self._spaces = [self._switch]
        _ip("netns", "add", self._switch)
        _ip("-n", self._switch, "link", "add", "br0", "type", "bridge")
        _ip("-n", self._switch, "link", "set", "br0", "up")
        for number in range(1, count + 1):
            self.machines.append(self._add(f"{label}-pc{number}", number, folder))

    def _add(self, name: str, number: int, folder: Path) -> Machine:
        port, address = f"port{number}", f"10.77.0.{number}"
        _ip("netns", "add", name)
        self._spaces.append(name)
        cable = ["eth0", "type", "veth", "peer", "name", port, "netns", self._switch]
        _ip("-n", name, "link", "add", *cable)
        _ip("-n", self._switch, "link", "set", port, "master", "br0")
        _ip("-n", self._switch, "link", "set", port, "up")
        _ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
        for card in ("lo", "eth0"):
            _ip("-n", name, "link", "set", card, "up")
        _ip("-n", name, "route", "add", "default", "dev", "eth0")  # it leads nowhere else
        return Machine(name, address, self._switch, port, folder / f"pc{number}")

    def close(self) -> None:
        for machine in self.machines:
            machine.lose_power()
        for space in reversed(self._spaces):
            subprocess.run(["ip", "netns", "del", space], capture_output=True, check=False)


def _ip(*arguments: str) -> None:
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(arguments)}: {done.stderr}"


def _namespace(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/ns/pid")
    except OSError:
        return ""
