"""A recipe that trains in seconds, and runs of it in processes of their own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from boardzero import _core, make
from boardzero.models import read_model
from boardzero.runs.recipe import Recipe, validate
from boardzero.runs.run_folder import RunFolder

ROOT = Path(__file__).parents[2]


def tiny(**changes: object) -> Recipe:
    """Gomoku on 5x5: a net of one block, 8 games an iteration, 8 simulations."""
    data: dict[str, dict[str, object]] = {
        "net": {"blocks": 1, "channels": 8, "value": {"hidden": 16}},
        "search": {"simulations": 8, "noise_weight": 0.25},
        "selfplay": {"games": 8, "parallel": 4},
        "replay": {},
        "learn": {"batch_size": 32, "uses": 2},
        "gate": {"games": 4, "opening_steps": 2, "threshold": 0.4},
        "run": {"iterations": 2, "workers": 1},
    }
    top: dict[str, object] = {"name": "tiny", "game": "gomoku:size=5,line=4"}
    for key, value in changes.items():
        section, _, name = key.partition("__")
        if name:
            data[section][name] = value
        else:
            top[key] = value
    return validate({**top, **data}, source="tiny")


_SCRIPT = """
import sys
from pathlib import Path
if __name__ == "__main__":
    from boardzero.base.errors import BoardZeroError
    from boardzero.runs.recipe import load_recipe
    from boardzero.training.train import train
    try:
        run = train(load_recipe(sys.argv[1]), run=Path(sys.argv[2]), cores=1)
    except BoardZeroError as error:
        sys.exit(f"refused: {error}")
"""


class Training:
    """A run in a process group of its own, which can be killed whole."""

    def __init__(self, folder: Path, recipe: Recipe) -> None:
        self.folder = folder
        self._recipe = folder.with_name(f"{folder.name}-recipe.toml")
        self._recipe.write_text(recipe.toml())
        self._script = folder.with_name("train.py")
        self._script.write_text(_SCRIPT)
        environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"}
        self.process = subprocess.Popen(
            [sys.executable, str(self._script), str(self._recipe), str(folder)],
            env=environment,
            start_new_session=True,
            stderr=subprocess.PIPE,
            text=True,
        )

    def kill(self) -> None:
        """Everything at once, as a loss of power would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def finish(self, timeout: float = 900) -> str:
        """What it said at the end; fails if it fails."""
        _, error = self.process.communicate(timeout=timeout)
        assert self.process.returncode == 0, error
        return error


def check(folder: Path) -> tuple[list[int], dict[int, bytes]]:
    """The versions and games of a run, after checking every file of it."""
    run = RunFolder(folder)
    sampler = _core.make_sampler(make(run.recipe().game).start().native, ("mover", "flat", 0))
    replay = run.replay()
    assert replay.set_aside == []
    games = {game.number: replay.read(game) for game in replay.games}
    replay.close()
    for record in games.values():
        sampler.verify(record)
    for version in run.versions():
        path, card = run.model(version)
        assert card.version == version
        assert card == read_model(path)
        files = {net.file for net in card.nets}
        files |= {file.replace(".onnx", ".safetensors") for file in files}
        assert {file.name for file in path.iterdir()} == {"card.json", *files}
    run.progress()
    run.read_log()
    return run.versions(), games
