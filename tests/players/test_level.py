"""Levels: players by the names that people choose them by."""

import json
from pathlib import Path

import pytest

from boardzero import BoardZeroError, levels, make, make_player
from boardzero.games.traits import LEVEL_NAMES, level_names
from boardzero.models import champions


def test_a_level_is_a_player_wherever_one_is_named() -> None:
    game = make("english")
    club = next(level for level in levels(game) if level.name == "club")
    player, same = make_player("club", game), make_player(club.spec, game)
    assert player.spec == same.spec
    assert player.choose(game.start()).move in game.start().moves()


def test_a_game_without_a_champion_has_levels_of_classic_players() -> None:
    found = levels(make("gomoku:size=11"))
    assert found[0].name == "first"
    assert found[-1].name == "champion"
    assert len(found) >= 8
    assert make_player("master", make("gomoku:size=11")).spec == found[-2].spec


@pytest.mark.parametrize("count", range(8, 13))
def test_every_number_of_levels_has_names_of_its_own_in_one_order(count: int) -> None:
    names = level_names(count)
    assert len(set(names)) == count
    assert (names[0], names[-1]) == ("first", "champion")
    assert {"beginner", "easy", "casual", "club", "expert"} < set(names)  # of earlier versions
    assert sorted(names, key=LEVEL_NAMES.index) == list(names)


def test_levels_of_an_earlier_version_still_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six of them, with nothing but names, players and ratings."""
    monkeypatch.setattr(champions, "CHAMPIONS", tmp_path)
    names = ("beginner", "easy", "casual", "club", "expert", "champion")
    old = [
        {"name": n, "player": f"mcts:rollouts={10**i}", "rating": 100.0 * i}
        for i, n in enumerate(names)
    ]
    folder = tmp_path / "english"
    folder.mkdir()
    (folder / "levels.json").write_text(json.dumps({"levels": old}))
    found = levels(make("english"))
    assert [level.name for level in found] == list(names)
    assert found[-1].rating == 500
    assert make_player("club", make("english")).spec == "mcts:rollouts=1000"


def test_a_name_that_is_neither_player_nor_level_is_answered_with_the_nearest() -> None:
    with pytest.raises(BoardZeroError, match="did you mean 'club'"):
        make_player("clup", make("english"))
    with pytest.raises(BoardZeroError, match="unknown player 'club'"):
        make_player("club:depth=3", make("english"))


def test_a_choice_is_short_to_read_and_a_picture_in_a_notebook() -> None:
    game = make("english")
    choice = make_player("alphabeta:depth=4", game).choose(game.start())
    assert repr(choice).startswith(f"<Choice {choice.move.text}, value ")
    assert len(repr(choice)) < 80
    assert choice._repr_html_().count("<tr>") == 1 + len(choice.candidates)


def test_an_outcome_says_who_won_and_why() -> None:
    state = make("gomoku").start()
    for move in ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4"]:
        state.play(move)
    assert not state.is_over
    state.play("a5")
    assert state.is_over
    assert repr(state.outcome()) == "<Outcome seat 0 won: line>"
