"""A trained version becomes the champion of its game."""

from pathlib import Path

import pytest

from boardzero import make
from boardzero.experiments import ladder
from boardzero.experiments.promote import make_champion
from boardzero.models import champion, champions, read_model
from boardzero.players import level
from boardzero.training.train import train
from tests.training.tiny import tiny


def test_a_champion_is_found_for_its_game_and_its_levels_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = train(tiny(run__iterations=1, selfplay__int8=True), run=tmp_path / "run", cores=1)
    monkeypatch.setattr(champions, "CHAMPIONS", tmp_path / "champions")
    game = make("gomoku:size=5,line=4")
    assert champion(game) is None

    folder = make_champion(run.version_folder(max(run.versions())), home=tmp_path / "champions")

    assert champion(game) == folder
    assert champion(make("gomoku:size=5,line=5")) is None
    assert {file.name for file in folder.iterdir()} == {
        "card.json",
        "net.int8.onnx",
        "net.onnx",
    }
    assert read_model(folder).run == "run"

    told: list[str] = []
    monkeypatch.setattr(level, "_TOP_SIMULATIONS", "8")
    bounds = ladder.Bounds(games=12, cpu_minutes=0.02)
    ladder.measure_levels(game, bounds=bounds, results=tmp_path / "kept.json", tell=told.append)
    kept = (tmp_path / "kept.json").read_text()
    assert '"zero:sims=8"' in kept  # the champion has met the best player by hand
    assert str(tmp_path) not in kept  # nothing of this machine is written down
