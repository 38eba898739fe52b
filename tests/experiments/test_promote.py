"""A trained version becomes the champion of its game."""

from pathlib import Path

import pytest

from boardzero import make
from boardzero.experiments import promote
from boardzero.experiments.promote import make_champion, measure_levels
from boardzero.models import champion, champion_levels, champions, read_model
from boardzero.store import Store
from boardzero.training.train import train
from tests.training.tiny import tiny


def test_a_champion_is_found_for_its_game_with_every_level_measured(
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

    monkeypatch.setattr(promote, "RUNGS", tuple(f"sims={sims}" for sims in range(2, 8)))
    with Store(tmp_path / "games.db") as store:
        told = list(measure_levels(folder, store, games=2))
    # Six players with the next one and with the three others, and these in a row.
    assert len(told) == 5 + 6 * 3 + 2
    assert told[0].startswith("zero:sims=2 against zero:sims=3")
    found = champion_levels(game)
    assert [found[0].name, found[-1].name] == ["beginner", "champion"]
    assert {level.player for level in found} == {f"zero:{options}" for options in promote.RUNGS}
    ratings = [level.rating for level in found if level.rating is not None]
    assert len(ratings) == 6
    assert ratings == sorted(ratings)
    # Nothing of this machine is written down: the levels name no folder.
    assert str(tmp_path) not in (folder / "levels.json").read_text()


def test_levels_lie_evenly() -> None:
    between = {"a": 110, "b": 290, "c": 420, "d": 615, "e": 880}
    rungs = [("weak", 100), *between.items(), ("club", 1000), ("expert", 1500), ("best", 1600)]
    assert [name for name, _ in promote._even(rungs)] == [
        "weak",
        "c",
        "d",
        "club",
        "expert",
        "best",
    ]
