import json
from pathlib import Path

import pytest

from boardzero.base.errors import BoardZeroError
from boardzero.games import make
from boardzero.models import champions
from boardzero.server.catalog import analysts, check_player, offered_levels
from tests.games.variants import GAMES

LEVELS = [
    {"name": "beginner", "player": "random", "rating": 0},
    {"name": "champion", "player": "zero:sims=200", "rating": 1840.5},
]


@pytest.fixture
def champion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(champions, "CHAMPIONS", tmp_path)
    folder = tmp_path / "english"
    folder.mkdir()
    net = {"file": "net.onnx", "encoding": "mover", "policy": "flat"}
    (folder / "card.json").write_text(json.dumps({"game": "english", "nets": [net]}))
    (folder / "net.onnx").write_bytes(b"")
    (folder / "levels.json").write_text(json.dumps({"levels": LEVELS}))
    return folder


def test_levels_go_from_a_first_game_to_the_champion_where_none_is_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(champions, "CHAMPIONS", tmp_path)
    for game in GAMES:
        names = [level.name for level in offered_levels(make(game))]
        assert (names[0], names[-1]) == ("first", "champion")


@pytest.mark.usefixtures("champion")
def test_a_shipped_champion_brings_its_own_levels() -> None:
    found = offered_levels(make("english"))
    assert [(level.name, level.spec, level.rating) for level in found] == [
        ("beginner", "random", 0),
        ("champion", "zero:sims=200", 1840.5),
    ]
    assert analysts(make("english"))[0] == "zero"


@pytest.mark.usefixtures("champion")
def test_a_champion_is_for_the_moves_that_it_learned_however_games_end() -> None:
    assert offered_levels(make("english:endings=ocheretian")) == offered_levels(make("english"))
    assert offered_levels(make("russian"))[3].name == "casual"
    assert "zero" not in analysts(make("russian"))


@pytest.mark.usefixtures("champion")
def test_a_player_with_a_net_needs_one() -> None:
    assert check_player("zero:sims=8", make("english")) == "zero:sims=8"
    for spec in ("zero:sims=8", "net"):
        with pytest.raises(BoardZeroError, match="name a run"):
            check_player(spec, make("gomoku:size=11"))
    for spec in ("zero:run=first", "net:run=first,version=2"):
        assert check_player(spec, make("russian")) == spec


def test_levels_that_cannot_be_read_are_named(champion: Path) -> None:
    (champion / "levels.json").write_text('{"levels": [{"name": "club"}]}')
    with pytest.raises(BoardZeroError, match="is not a list of levels"):
        offered_levels(make("english"))
