"""What works without the packages of the extras, and what is said where one is missing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = {
    "arena": ("matplotlib", "openskill", "scipy"),
    "web": ("fastapi", "uvicorn", "websockets"),
    "train": ("onnx", "safetensors", "tensorboard", "torch"),
    "ray": ("ray",),
    "openspiel": ("pyspiel",),
    "pettingzoo": ("gymnasium", "pettingzoo"),
}


def run_without(
    *packages: str, command: tuple[str, ...], home: Path
) -> subprocess.CompletedProcess[str]:
    """A command in a process where these packages cannot be imported."""
    program = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({packages!r}))\n"
        "from boardzero.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    homes = {"BOARDZERO_HOME": str(home), "BOARDZERO_RUNS": str(home / "runs")}
    return subprocess.run(
        [sys.executable, "-c", program, *command],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | homes,
    )


@pytest.fixture
def home(run, tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("BOARDZERO_HOME", str(tmp_path))
    options = ("--game", "english", "--max-plies", "10", "--games", "2")
    assert run("match", "random", "random:seed=1", *options).code == 0
    return tmp_path


RATINGS = ("ratings", "--game", "english")
PAIR = ("random", "greedy", "--game", "english")
TRAIN = ("train", "gomoku8-zero", "--minutes", "0")


@pytest.mark.parametrize(
    ("extra", "package", "command"),
    [
        ("arena", "scipy", RATINGS),
        ("arena", "openskill", (*RATINGS, "--method", "openskill")),
        ("arena", "matplotlib", (*RATINGS, "--plot", "ratings.svg")),
        ("arena", "openskill", ("tournament", *PAIR)),
        (
            "arena",
            "matplotlib",
            ("gauntlet", *PAIR, "--plot", "x.svg"),
        ),
        ("web", "fastapi", ("serve", "--port", "0")),
        ("web", "uvicorn", ("serve", "--port", "0")),
        ("web", "websockets", ("serve", "--port", "0")),
        ("train", "torch", TRAIN),
        ("train", "safetensors", TRAIN),
        ("train", "tensorboard", TRAIN),
        ("train", "torch", ("sweep", "gomoku8-zero", "--grid", "learn.lr=0.1,0.2")),
        ("ray", "ray", (*TRAIN, "--cluster", "auto")),
        ("openspiel", "pyspiel", ("play", "openspiel:tic_tac_toe")),
    ],
)
def test_a_missing_package_is_named_with_what_installs_it(home, extra, package, command):
    ended = run_without(package, command=command, home=home)
    assert ended.returncode == 2
    (sentence,) = ended.stderr.splitlines()
    assert f"needs '{package}', which is not installed" in sentence
    assert sentence.endswith(f"pip install 'boardzero[{extra}]'")
    assert ended.stdout == ""


def test_a_missing_package_is_named_to_python_too():
    program = (
        "import sys\n"
        "sys.modules['pettingzoo'] = sys.modules['torch'] = None\n"
        "import boardzero\n"
        "for do in ('import boardzero.protocols.pettingzoo', 'boardzero.train(\"wang-gomoku\")'):\n"
        "    try:\n"
        "        exec(do)\n"
        "    except boardzero.BoardZeroError as error:\n"
        "        print(error)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    environment, training = ended.stdout.splitlines()
    assert environment.endswith("pip install 'boardzero[pettingzoo]'")
    assert training.endswith("pip install 'boardzero[train]'")


@pytest.mark.parametrize(
    "command",
    [
        ("play", "english", "--seat", "zero:sims=2", "--seat", "random", "--fen", "B:W32:B1,K27"),
        ("games",),
        ("perft", "international", "2"),
        ("train",),
        ("doctor",),
    ],
    ids=lambda command: command[0],
)
def test_playing_needs_no_package_of_an_extra(tmp_path, command):
    every = [package for packages in PACKAGES.values() for package in packages]
    ended = run_without(*every, command=command, home=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
