"""Chaos on a cluster: a run on three machines that lose processes, power and cables at random.

    python -m tests.chaos.drive --minutes 30

The machines are network namespaces of this one (`network.py`), with nothing in common. The first
has the head of Ray, the driver of the run and its folder, and the trainer; workers are on all of
them. Whatever dies comes back after a while, as people switch machines on again. Afterwards the run
goes on undisturbed to a further version, and its folder is looked through: everything that was told
or seen at any time is there, with the digests that it had, and the numbers agree.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from boardzero import _core
from boardzero.runs.events import VersionArchived, of_type
from boardzero.runs.run_folder import RunFolder
from boardzero.training.inspection import inspect
from tests.chaos.network import Machine, Network
from tests.training.tiny import ROOT, check, tiny

_PORT = 6379
_PAUSE = 6.0  # seconds between two faults, on average
_CUT = (1.0, 40.0)  # seconds that a cable stays cut: a short one is survived, a long one not
_OFF = (2.0, 15.0)  # seconds that a machine stays without power
_ALL_KINDS = ("worker", "trainer", "node", "driver", "link", "head")
_WEIGHTS = (6, 3, 2, 3, 5, 1)
_RAY = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",  # else a busy machine starves them
    # A machine that has not answered for about a quarter of a minute is taken for lost.
    "RAY_health_check_initial_delay_ms": "5000",
    "RAY_health_check_period_ms": "3000",
    "RAY_health_check_timeout_ms": "5000",
    "RAY_health_check_failure_threshold": "3",
    "RAY_raylet_start_wait_time_s": "180",
    "RAY_object_store_memory": "80000000",
}


@dataclass(slots=True)
class Seen:
    """What was there at some time, and must be there ever after."""

    games: dict[int, str] = field(default_factory=dict)  # digest by number
    versions: dict[int, str] = field(default_factory=dict)

    def look(self, folder: Path) -> None:
        """Look again, while nobody writes."""
        if not RunFolder.is_run(folder):
            assert not self.games
            return
        run = RunFolder(folder)
        games = {
            _core.parse_record(record).number: hashlib.sha256(record).hexdigest()
            for record, _ in run.newest_games()
        }
        versions = {number: _digest(run.version_folder(number)) for number in run.versions()}
        for before, now, what in (
            (self.games, games, "game"),
            (self.versions, versions, "version"),
        ):
            for number, digest in before.items():
                assert number in now, f"{what} {number} is lost"
                assert now[number] == digest, f"{what} {number} is another one"
        self.games, self.versions = games, versions


def _digest(folder: Path) -> str:
    whole = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        whole.update(file.name.encode() + file.read_bytes())
    return whole.hexdigest()


class Chaos:
    """The cluster, the run on it, and the hand that breaks both."""

    def __init__(self, network: Network, seed: int, pause: float) -> None:
        self._network = network
        self._pause = pause
        self._random = random.Random(seed)
        self._head = network.machines[0]
        self._nodes: dict[str, subprocess.Popen[bytes]] = {}  # of Ray, by machine
        self._driver: subprocess.Popen[bytes] | None = None
        self._back: list[tuple[float, Callable[[], None]]] = []  # what is mended when
        self.faults: Counter[str] = Counter()
        self.endings: Counter[str] = Counter()  # of drivers that nobody killed
        self.seen = Seen()
        self._recipe()

    @property
    def run(self) -> Path:
        return self._head.tmp / "run"

    def begin(self, seconds: float) -> None:
        """Start everything, until there is a first version."""
        end = time.monotonic() + seconds
        while not self._told("version"):
            assert time.monotonic() < end, f"the run does not begin: {self._last_words()}"
            self._supervise()
            time.sleep(0.5)

    def rage(self, seconds: float) -> None:
        """Keep everything running, and break something now and then."""
        end = time.monotonic() + seconds
        next_fault = time.monotonic()
        while (now := time.monotonic()) < end:
            self._mend(now)
            self._supervise()
            if now >= next_fault:
                self._break()
                next_fault = time.monotonic() + self._random.uniform(0.3, 1.7) * self._pause
            time.sleep(0.3)

    def finish(self, seconds: float) -> None:
        """Mend all, wait for one more version, and end the run as a person does."""
        self._mend(float("inf"))
        before, end = self._told("version"), time.monotonic() + seconds
        while self._told("version") <= before:
            assert time.monotonic() < end, f"no further version: {self._last_words()}"
            self._supervise()
            time.sleep(0.5)
        assert self._driver is not None
        (main,) = (pid for pid, line in self._head.processes() if " train " in line)
        os.kill(main, signal.SIGINT)
        assert self._driver.wait(timeout=seconds) == 0, self._last_words()
        self._driver = None

    def verdict(self) -> dict[str, object]:
        """Whether all numbers agree; what there was."""
        self.seen.look(self.run)
        versions, games = check(self.run)
        inspect(self.run)
        run = RunFolder(self.run)
        progress, log = run.progress(), run.read_log()
        told = Counter(self._events())
        assert versions == list(range(len(versions)))
        assert progress.version == versions[-1]
        assert progress.games == len(games) == len(self.seen.games)
        assert sorted(self.seen.versions) == versions
        # A version may be told again by a driver that follows one that was killed meanwhile.
        assert {event.version for event in of_type(log, VersionArchived)} == set(versions)
        assert told["games"] <= len(games), "games were told that are not there"
        assert told["refused"] == told["dismissed"] == told["odd"] == told["damaged"] == 0, told
        assert "Traceback" not in self._head.said("driver.err"), self._last_words()
        return {
            "games": len(games),
            "games_told": told["games"],
            "versions": len(versions),
            "faults": dict(self.faults),
            "driver_endings": dict(self.endings),
        }

    # What is broken.

    def _break(self) -> None:
        (kind,) = self._random.choices(_ALL_KINDS, _WEIGHTS)
        if {
            "worker": self._kill_worker,
            "trainer": self._kill_trainer,
            "node": self._kill_node,
            "driver": self._kill_driver,
            "link": self._cut_link,
            "head": self._kill_head,
        }[kind]():
            self.faults[kind] += 1
            told = f"{self._told('games')} games and {self._told('version')} versions told"
            print(f"{kind} ({sum(self.faults.values())}); {told}", file=sys.stderr, flush=True)

    def _kill_worker(self) -> bool:
        machine = self._random.choice(self._network.machines)
        return self._kill_one([pid for pid in _actors(machine) if not _has_torch(pid)])

    def _kill_trainer(self) -> bool:
        return self._kill_one([pid for pid in _actors(self._head) if _has_torch(pid)])

    def _kill_one(self, pids: list[int]) -> bool:
        if not pids:
            return False
        try:
            os.kill(self._random.choice(pids), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def _kill_node(self) -> bool:
        machine = self._random.choice(self._network.machines[1:])
        if not machine.on:
            return False
        machine.lose_power()
        self._later(_OFF, machine.switch_on)
        return True

    def _kill_driver(self) -> bool:
        if self._driver is None or self._driver.poll() is not None:
            return False
        mains = [pid for pid, line in self._head.processes() if " train " in line]
        if not self._kill_one(mains):
            return False
        self._driver.wait()
        self._driver_is_gone(killed=True)
        return True

    def _kill_head(self) -> bool:
        if not self._head.on:
            return False
        self._head.lose_power()
        if self._driver is not None:
            self._driver.wait()
            self._driver_is_gone(killed=True)
        self._later(_OFF, self._head.switch_on)
        return True

    def _cut_link(self) -> bool:
        machine = self._random.choice(self._network.machines)
        if machine.cut:
            return False
        machine.plug(False)
        self._later(_CUT, lambda: machine.plug(True))
        return True

    # What is kept running.

    def _later(self, within: tuple[float, float], mend: Callable[[], None]) -> None:
        self._back.append((time.monotonic() + self._random.uniform(*within), mend))

    def _mend(self, now: float) -> None:
        due = [mend for when, mend in self._back if when <= now]
        self._back = [(when, mend) for when, mend in self._back if when > now]
        for mend in due:
            mend()

    def _supervise(self) -> None:
        for machine in self._network.machines:
            if machine.on and not self._has_node(machine):
                self._start_node(machine)
        if self._driver is not None and self._driver.poll() is not None:
            self._driver_is_gone(killed=False)
        if self._driver is None and self._head.on and _listens(self._head):
            self._start_driver()

    def _has_node(self, machine: Machine) -> bool:
        node = self._nodes.get(machine.name)
        return node is not None and node.poll() is None

    def _start_node(self, machine: Machine) -> None:
        if machine is not self._head and not (self._head.on and _listens(self._head)):
            return
        for pid, line in list(machine.processes()):  # what an earlier one left behind
            if "ray" in line and " train " not in line:
                _end(pid)
        where = [f"--node-ip-address={machine.address}", "--num-cpus=1", "--block"]
        if machine is self._head:
            where += ["--head", f"--port={_PORT}", "--include-dashboard=false"]
        else:
            where += [f"--address={self._head.address}:{_PORT}"]
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", *where]
        self._nodes[machine.name] = machine.start(
            [*command, "--object-store-memory=80000000", "--disable-usage-stats"],
            output="ray",
            environment=_environment(),
        )

    def _start_driver(self) -> None:
        command = [sys.executable, "-m", "boardzero", "train", "/tmp/recipe.toml", "--json"]
        command += ["--run", "/tmp/run", "--cluster", f"{self._head.address}:{_PORT}"]
        self._driver = self._head.start(command, output="driver", environment=_environment())

    def _driver_is_gone(self, *, killed: bool) -> None:
        assert self._driver is not None
        if not killed:
            self.endings[f"exit code {self._driver.returncode}"] += 1
        self._driver = None
        # Its trainer ends with it; nobody may write while the folder is looked at.
        time.sleep(1)
        self.seen.look(self.run)

    def _recipe(self) -> None:
        recipe = tiny(
            run__mode="async",
            run__workers=None,
            run__iterations=65_000,
            gate__threshold=0.01,
            gate__games=2,
        )
        cluster = recipe.cluster.model_copy(update={"restarts": 100_000})
        text = recipe.model_copy(update={"cluster": cluster}).toml()
        (self._head.tmp / "recipe.toml").write_text(text)

    # What was said.

    def _events(self) -> list[str]:
        """The kinds of all events that drivers have told; a line that a kill has cut is none.

        Nothing else is between them: whoever reads `--json` reads all of it.
        """
        kinds = []
        for line in self._head.said("driver.out").splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                assert line.startswith("{"), f"a driver said: {line}"
                continue
            kinds.append(str(event.get("event")))
        return kinds

    def _told(self, kind: str) -> int:
        return self._events().count(kind)

    def _last_words(self) -> str:
        return self._head.said("driver.err")[-3000:]


def _environment() -> dict[str, str]:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return {**os.environ, **_RAY, "PYTHONPATH": path}


def _actors(machine: Machine) -> list[int]:
    return [pid for pid, line in machine.processes() if line.startswith("ray::_Actor")]


def _has_torch(pid: int) -> bool:
    try:
        return "libtorch" in Path(f"/proc/{pid}/maps").read_text()
    except OSError:
        return False


def _end(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _listens(machine: Machine) -> bool:
    """Whether the head of Ray answers on its machine."""
    inside = next((pid for pid, _ in machine.processes()), 0)
    try:
        table = (
            Path(f"/proc/{inside}/net/tcp").read_text()
            + Path(f"/proc/{inside}/net/tcp6").read_text()
        )
    except OSError:
        return False
    return any(
        line.split()[1].endswith(f":{_PORT:04X}") and line.split()[3] == "0A"
        for line in table.splitlines()
        if ":" in line and "local_address" not in line
    )


def chaos(
    folder: Path, *, minutes: float, seed: int, pause: float = _PAUSE, patience: float = 900
) -> dict[str, object]:
    """What came of so many minutes; raises with what was lost."""
    # What is started in the background of a shell ignores an interrupt, and so would the driver.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    network = Network(3, folder)
    try:
        for machine in network.machines:
            machine.switch_on()
        storm = Chaos(network, seed, pause)
        storm.begin(patience)
        begun = time.monotonic()
        storm.rage(60 * minutes)
        raged = time.monotonic() - begun
        storm.finish(patience)
        return {"minutes": round(raged / 60, 1), "seed": seed, **storm.verdict()}
    finally:
        network.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=_PAUSE, help="seconds between two faults")
    parser.add_argument("--folder", type=Path, help="where machines have their disks; kept")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # not without putting all away
    folder = given.folder or Path(tempfile.mkdtemp(prefix="boardzero-chaos-"))
    print(json.dumps(chaos(folder, minutes=given.minutes, seed=given.seed, pause=given.pause)))


if __name__ == "__main__":
    main()
