"""Levels that are chosen and measured."""

import json
from pathlib import Path

import pytest

from boardzero import BoardZeroError, Game, levels, make, make_player
from boardzero.experiments.ladder import (
    Bounds,
    Measurement,
    climb,
    measure_levels,
    rate,
)
from boardzero.games.traits import LEVEL_NAMES
from boardzero.models import champions, read_levels
from boardzero.models.champions import Difference, Levels
from tests.games.variants import GAMES

WEAK, STRONG = "alphabeta:depth=1,hash=1,margin=9", "alphabeta:depth=2,hash=1,margin=0.1"


def measurement(path: Path, game: Game | None = None, **bounds: float) -> Measurement:
    return Measurement(game or make("english"), path / "kept.json", bounds=Bounds(**bounds))  # type: ignore[arg-type]


class Table(Measurement):
    """Players whose names are their ratings: nothing is played."""

    def probe(self, stronger: str, weaker: str) -> Difference:
        return self.difference(stronger, weaker)

    def difference(self, stronger: str, weaker: str) -> Difference:
        elo = float(stronger) - float(weaker)
        return Difference(elo=elo, low=elo - 30, high=elo + 30, games=400)

    def seconds(self, player: str) -> float:
        return float(player) / 1e6


def climbed(tmp_path: Path, *ratings: int) -> list[int]:
    table = Table(make("english"), tmp_path / "kept.json")
    return [int(player) for player in climb(table, tuple(map(str, ratings)))]


def test_a_ladder_takes_the_players_that_lie_evenly(tmp_path: Path) -> None:
    ratings = (0, 40, 90, 160, 240, 290, 330, 420, 500, 610, 690, 780, 900)
    assert climbed(tmp_path, *ratings) == [0, 160, 330, 500, 690, 900]


def test_players_out_of_order_are_passed_by(tmp_path: Path) -> None:
    assert climbed(tmp_path, 0, 170, 90, 60, 350, 340, 530) == [0, 170, 350, 530]


def test_a_level_too_near_to_the_champion_gives_way(tmp_path: Path) -> None:
    assert climbed(tmp_path, 0, 170, 330, 390) == [0, 170, 390]


def test_a_gap_without_players_stays_a_large_step(tmp_path: Path) -> None:
    assert climbed(tmp_path, 0, 20, 600, 780) == [0, 600, 780]


def test_there_are_never_more_levels_than_names(tmp_path: Path) -> None:
    found = climbed(tmp_path, *range(0, 4000, 150))
    assert len(found) == len(LEVEL_NAMES)
    assert (found[0], found[-1]) == (0, 3900)
    assert found == sorted(found)


def test_ratings_are_sums_of_steps_from_random(tmp_path: Path) -> None:
    class Anchored(Table):
        def difference(self, stronger: str, weaker: str) -> Difference:
            names = {"random": "-250"}
            return super().difference(names.get(stronger, stronger), names.get(weaker, weaker))

    table = Anchored(make("english"), tmp_path / "kept.json")
    found = rate(table, ("0", "160", "330"), ("random", "100"))
    assert [level.rating for level in found.levels] == [250, 410, 580]
    assert [level.step and level.step.elo for level in found.levels] == [None, 160, 170]
    assert [(other.player, other.rating) for other in found.others] == [("random", 0), ("100", 350)]


def test_what_was_played_is_kept_and_not_played_again(tmp_path: Path) -> None:
    first = measurement(tmp_path)
    first.play(STRONG, WEAK, 8)
    found = first.difference(STRONG, WEAK)
    assert found.games == 8
    assert found.elo > 0
    again = measurement(tmp_path)
    spent = again.cpu_seconds
    again.play(WEAK, STRONG, 8)
    assert again.cpu_seconds == pytest.approx(spent, abs=0.5)
    assert again.difference(STRONG, WEAK) == found
    assert again.difference(WEAK, STRONG).elo == -found.elo
    again.play(STRONG, WEAK, 10)
    assert measurement(tmp_path).difference(STRONG, WEAK).games == 10


def test_the_same_games_are_played_again_from_the_same_seed(tmp_path: Path) -> None:
    for name in ("one", "other"):
        Measurement(make("english"), tmp_path / name).play(STRONG, WEAK, 6)
    one, other = (json.loads((tmp_path / name).read_text()) for name in ("one", "other"))
    assert one["pairs"] == other["pairs"]


def test_a_step_is_played_until_its_interval_is_narrow_enough(tmp_path: Path) -> None:
    measured = measurement(tmp_path, within=60.0, games=400)
    found = measured.refine(
        "alphabeta:depth=1,hash=1,margin=1", "alphabeta:depth=1,hash=1,margin=2"
    )
    assert found.within(60)
    assert 60 <= found.games < 400


def test_measuring_ends_when_its_time_is_used_up_and_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(champions, "CHAMPIONS", tmp_path / "champions")
    game = make("gomoku:size=6,line=4")
    told: list[str] = []
    results = tmp_path / "kept.json"
    measure_levels(game, bounds=Bounds(cpu_minutes=0.001), results=results, tell=told.append)
    assert "goes on" in told[-1]
    assert read_levels(game) is None
    played = json.loads(results.read_text())["pairs"]
    assert played
    measure_levels(game, bounds=Bounds(cpu_minutes=0.001), results=results, tell=told.append)
    assert len(json.loads(results.read_text())["pairs"]) >= len(played)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("{}", "holds no results of levels"), ('{"game": "russian", "seed": 0}', "is about russian")],
)
def test_results_of_something_else_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "kept.json").write_text(text)
    with pytest.raises(BoardZeroError, match=sentence):
        measurement(tmp_path)
    assert (tmp_path / "kept.json").read_text() == text


# The levels that come with the program.

MEASURED = sorted(champions.CHAMPIONS.glob("*/levels.json"))


@pytest.mark.parametrize("path", MEASURED, ids=lambda path: path.parent.name)
def test_shipped_levels_are_at_least_eight_rise_and_play(path: Path) -> None:
    found = Levels.model_validate_json(path.read_text())
    assert len(found.levels) >= 8
    assert found.others[0].player == "random"
    assert found.others[0].rating == 0
    ratings = [level.rating for level in found.levels if level.rating is not None]
    assert len(ratings) >= len(found.levels) - 1  # the champion's step may be the last to be played
    assert ratings == sorted(ratings)
    for level in found.levels[:-1]:
        assert level.seconds is not None
        assert level.seconds <= 0.1


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_at_least_eight_levels_that_can_be_made(name: str) -> None:
    game = make(name)
    found = levels(game)
    assert len(found) >= 8
    assert (found[0].name, found[-1].name) == ("first", "champion")
    for level in found:
        make_player(level.spec, game).close()
