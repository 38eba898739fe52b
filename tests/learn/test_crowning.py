"""A trained version becomes the champion of its game."""

import json
from pathlib import Path

import pytest

from boardzero import make
from boardzero.infer import champion, champion_levels, champions, read_model
from boardzero.learn import crowning
from boardzero.learn.crowning import crown, measure_levels
from boardzero.learn.train import train
from boardzero.store import Store
from tests.learn.tiny import tiny


def test_a_champion_is_found_for_its_game_with_every_level_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = train(tiny(run__iterations=1, selfplay__int8=True), run=tmp_path / "run", cores=1)
    monkeypatch.setattr(champions, "CHAMPIONS", tmp_path / "champions")
    game = make("gomoku:size=5,line=4")
    assert champion(game) is None

    folder = crown(run.version_folder(0), home=tmp_path / "champions")

    assert champion(game) == folder
    assert champion(make("gomoku:size=5,line=5")) is None
    assert {file.name for file in folder.iterdir()} == {"card.json", "net.onnx"}
    assert read_model(folder).run == "run"

    quick = {"beginner": "zero:sims=2,temperature=4", "champion": "zero:sims=60"}
    monkeypatch.setattr(crowning, "LADDER", quick)
    with Store(tmp_path / "games.db") as store:
        told = list(measure_levels(folder, store, games=2))
    # Two levels, three others: each level with the next and with all others, and these in a row.
    assert len(told) == 1 + 2 * 3 + 2
    assert told[0].startswith("zero:sims=2,temperature=4 against zero:sims=60")
    found = champion_levels(game)
    assert [(level.name, level.player) for level in found] == list(quick.items())
    assert all(level.rating is not None for level in found)
    assert len({level.rating for level in found}) == 2
    # Nothing of this machine is written down: the levels name no folder.
    assert str(tmp_path) not in (folder / "levels.json").read_text()
    assert json.loads((folder / "levels.json").read_text())["levels"][0]["name"] == "beginner"
