"""Levels: players by the names that people choose them by."""

import pytest

from boardzero import BoardZeroError, levels, make, make_player


def test_a_level_is_a_player_wherever_one_is_named() -> None:
    game = make("english")
    club = next(level for level in levels(game) if level.name == "club")
    player, same = make_player("club", game), make_player(club.spec, game)
    assert player.spec == same.spec
    assert player.choose(game.start()).move in game.start().moves()


def test_a_game_without_a_champion_has_levels_of_classic_players() -> None:
    found = levels(make("russian"))
    assert found[0].name == "beginner"
    assert found[-1].name == "champion"
    assert make_player("expert", make("russian")).spec == found[-2].spec


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
