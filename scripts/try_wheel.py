"""Install a wheel into an empty environment, and play, serve and train from there.

    python scripts/try_wheel.py dist/boardzero-*.whl

Without a compiler, Node or the repository: commands see only the environment's own programs, in a
folder of their own. Prints what was done, how long it took and how much each install takes.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
import zipfile
from pathlib import Path

CONSTRAINTS = Path(__file__).parent / "constraints.txt"
MOST_BYTES = 25_000_000
PERFT = ("international", 6, 167140)
SLOWEST = 0.9  # of the speed of a build for this machine
# Seconds of CPU for counting and for two searches, the least of some; other programs disturb.
SPEED = """
import json, time, boardzero
game = boardzero.make("international")
def seconds(work):
    begun = time.process_time()
    work()
    return time.process_time() - begun
def search(spec):
    return lambda: boardzero.make_player(spec, game).choose(game.start())
works = {
    "perft": lambda: game.start().perft(8),
    "alpha-beta": search("alphabeta:depth=14,seed=1"),
    "mcts": search("mcts:rollouts=20000,seed=1"),
}
print(json.dumps({name: min(seconds(work) for _ in range(5)) for name, work in works.items()}))
"""


class Place:
    """An environment and a folder to work in, both empty at first."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        self.work = folder / "work"
        self.work.mkdir()
        venv.create(folder / "env", with_pip=True)
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
            "PATH": str(self.programs),
            "BOARDZERO_HOME": str(folder / "home"),
        }

    def install(self, wheel: Path, extra: str = "") -> None:
        """The wheel with an extra, and how large everything is then."""
        wanted = f"{wheel.resolve()}[{extra}]" if extra else str(wheel.resolve())
        pip = ["python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        begun = time.monotonic()
        self.run(*pip, "-c", str(CONSTRAINTS.resolve()), wanted)
        took = time.monotonic() - begun
        print(f"installed {extra or 'the wheel alone':20} {self.megabytes():7.0f} MB {took:6.1f} s")

    def megabytes(self) -> float:
        files = self.programs.parent.rglob("*")
        return sum(file.lstat().st_size for file in files if not file.is_dir()) / 1e6

    def run(self, program: str, *arguments: str, stdin: str = "") -> str:
        """What the program says; whoever fails ends everything."""
        done = subprocess.run(
            [self.programs / program, *arguments],
            cwd=self.work,
            env=self.env,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        if done.returncode != 0:
            words = " ".join([program, *arguments])
            sys.exit(f"'{words}' failed with {done.returncode}:\n{done.stdout}\n{done.stderr}")
        return done.stdout


def try_playing(place: Place) -> None:
    """Rules with both builds of the core, a match of a champion, a game in the terminal."""
    game, depth, nodes = PERFT
    package = Path(place.run("python", "-c", "import boardzero; print(boardzero.__file__)").strip())
    faster = package.parent / "_x86_64_v3"
    cores = [True, False] if faster.is_dir() else [True]
    for whole in cores:
        if not whole:
            faster.rename(faster.with_suffix(".away"))
        found = json.loads(place.run("boardzero", "perft", game, str(depth), "--json"))
        assert found["nodes"] == nodes, found
        ask = "from boardzero._core import instruction_set; print(instruction_set())"
        print(f"perft is right with the core for {place.run('python', '-c', ask).strip()}")
        if not whole:
            faster.with_suffix(".away").rename(faster)
    match = ["match", "zero:sims=32", "random", "--game", "gomoku", "--games", "4", "--json"]
    score = json.loads(place.run("boardzero", *match))
    assert score["wins"] == 4, score
    print(f"the champion of gomoku won {score['wins']} games of {score['games']} against random")
    seats = ["--seat", "human", "--seat", "random"]
    told = place.run("boardzero", "play", game, *seats, "--json", stdin="32-28\nquit\n")
    assert json.loads(told.splitlines()[-1])["plies"] == 2, told


def try_speed(place: Place) -> None:
    """Next to the build for this machine, taking turns."""
    sources = {**os.environ, "PYTHONPATH": str(CONSTRAINTS.parent.parent / "src")}
    own, wheel = [], []
    for _ in range(3):
        native = [sys.executable, "-c", SPEED]
        found = subprocess.run(native, env=sources, capture_output=True, text=True, check=True)
        own.append(json.loads(found.stdout))
        wheel.append(json.loads(place.run("python", "-c", SPEED)))
    for name in own[0]:
        ratio = min(one[name] for one in own) / min(one[name] for one in wheel)
        print(f"{name} runs at {ratio:.0%} of the speed of a build for this machine")
        assert ratio > SLOWEST, f"{name} is too slow in the wheel"


def try_serving(place: Place) -> None:
    """The page, what it loads, and its licences."""
    serve = [place.programs / "boardzero", "serve", "--port", "0", "--json"]
    server = subprocess.Popen(
        serve, cwd=place.work, env=place.env, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["address"]
        page = _get(address, "/")
        files = re.findall(r'(?:src|href)="\.?/?([^"]+\.(?:js|css))"', page)
        assert files, page
        sizes = {file: len(_get(address, f"/{file}")) for file in files}
        assert "SIL OPEN FONT" in _get(address, "/licences.txt").upper()
        games = json.loads(_get(address, "/api/catalog"))
        print(f"served {', '.join(sizes)} and {len(games)} games")
    finally:
        server.terminate()
        server.wait(20)


def _get(address: str, path: str) -> str:
    with urllib.request.urlopen(address.rstrip("/") + path, timeout=30) as answer:
        text: bytes = answer.read()
    return text.decode()


def try_training(place: Place, recipe: str, player: str, minutes: str) -> None:
    """Some training, and games of what came of it."""
    begun = time.monotonic()
    place.run("boardzero", "train", recipe, "--minutes", minutes, "--json")
    match = ["match", f"{player}:run={recipe}", "random", "--game", "gomoku", "--games", "4"]
    score = json.loads(place.run("boardzero", *match, "--json"))
    torch = place.run("python", "-c", "import importlib.util as u; print(u.find_spec('torch'))")
    with_torch = torch.strip() != "None"
    took, won = time.monotonic() - begun, score["wins"]
    print(
        f"trained {recipe} for {minutes} minutes {'with' if with_torch else 'without'} torch, "
        f"{took:.0f} s with a match: it won {won} games of 4 against random"
    )
    assert with_torch == recipe.endswith("-zero"), "sparse nets train in the core"


def check_files(wheel: Path) -> None:
    """Whatever the package has in the repository, and the page, is in the wheel."""
    folder = CONSTRAINTS.parent.parent / "src"
    listed = ["git", "-C", str(folder), "ls-files", "boardzero"]
    ours = set(subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split())
    ours |= {"boardzero/server/static/index.html", "boardzero/server/static/licences.txt"}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert not ours - names, f"the wheel lacks {sorted(ours - names)}"
    assert any(name.endswith("licenses/LICENSE") for name in names)


def main(wheel: Path) -> None:
    check_files(wheel)
    size = wheel.stat().st_size
    print(f"{wheel.name}: {size / 1e6:.1f} MB")
    assert size < MOST_BYTES, "the wheel has grown too large"
    with tempfile.TemporaryDirectory() as folder:
        alone = Place(Path(folder) / "alone")
        alone.install(wheel)
        try_playing(alone)
        try_speed(alone)
        try_training(alone, "gomoku8-nnue", "alphabeta", "1")
        web = Place(Path(folder) / "web")
        web.install(wheel, "web")
        try_serving(web)
        train = Place(Path(folder) / "train")
        train.install(wheel, "train")
        try_training(train, "gomoku8-zero", "zero", "0.5")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
