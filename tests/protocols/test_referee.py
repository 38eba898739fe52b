"""Our player in the Chexers course's referee, within its rules, its time and its memory."""

from random import Random

import pytest

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.bench import referee
from boardzero.games import make
from boardzero.protocols.chexers import Player, as_action


class Quick(Player):
    SPEC = "alphachexers:memory=2"
    SECONDS = 0.5


@pytest.mark.parametrize("colour", ["red", "green", "blue"])
def test_it_plays_a_whole_game_in_every_colour_within_its_time(colour):
    state, random = make("chexers").start(), Random(1)
    player = Quick(colour)
    while state.outcome() is None:
        mover = state.game.seats[state.to_move]
        if mover == colour:
            action = player.action()
        else:
            action = as_action(random.choice(state.moves()).text)
        assert str(action).replace(" ", "") in {
            str(as_action(move.text)).replace(" ", "") for move in state.moves()
        }
        state.play(str(action))
        player.update(mover, action)
    assert player.used < Quick.SECONDS
    assert player.action() == ("PASS", None)  # after the end nothing else is possible
    player.update("red", ("PASS", None))


def test_three_of_us_play_together():
    state = make("chexers").start()
    players = {colour: Quick(colour) for colour in state.game.seats}
    for _ in range(90):
        if state.outcome() is not None:
            break
        mover = state.game.seats[state.to_move]
        action = players[mover].action()
        state.play(str(action))
        for player in players.values():
            player.update(mover, action)
    assert len(state.history) > 20


def test_actions_are_tuples_as_the_referee_has_them():
    kind, hexes = Quick("red").action()
    assert kind in ("MOVE", "JUMP")
    assert all(isinstance(number, int) for place in hexes for number in place)
    assert as_action('("EXIT", (3,-1))') == ("EXIT", (3, -1))


def test_bad_colours_and_actions_out_of_turn_are_sentences():
    with pytest.raises(BoardZeroError, match="colour"):
        Player("purple")
    player = Quick("green")
    with pytest.raises(BoardZeroError, match="turn of red"):
        player.action()
    with pytest.raises(BoardZeroError, match="turn of red"):
        player.update("blue", ("PASS", None))
    with pytest.raises(BoardZeroError):
        player.update("red", ("MOVE", ((0, 0), (1, 0))))


def test_the_plan_of_the_clock_lasts_for_all_256_turns():
    native, left = make("chexers").start().native, Player.SECONDS - 2
    for _ in range(256):
        seconds = _core.chexers_thinking_time(native, left)
        assert 0 < seconds < left
        left -= seconds


def test_a_game_costs_less_than_the_referee_allows():
    (seconds, megabytes, *_) = referee.measure(games=1)
    assert seconds.ratio < 1
    assert megabytes.ratio < 1
