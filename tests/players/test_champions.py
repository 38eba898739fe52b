"""The champions that come with the program."""

from pathlib import Path

import pytest

from boardzero import make
from boardzero.models import champion, read_model
from boardzero.models.champions import CHAMPIONS
from boardzero.players import levels, make_player

FOLDERS = sorted(path.parent for path in CHAMPIONS.glob("*/card.json"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_champion_is_small_and_says_how_it_was_made(folder: Path) -> None:
    card = read_model(folder)
    assert champion(make(card.game)) == folder
    assert sum(file.stat().st_size for file in folder.iterdir()) < 5_000_000
    assert card.games > 0
    assert card.minutes > 0
    assert card.reproduce.startswith(f"boardzero train {card.recipe}")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_its_levels_rise_from_a_first_game_to_the_champion_and_play(folder: Path) -> None:
    game = make(read_model(folder).game)
    found = levels(game)
    assert [found[0].name, found[-1].name] == ["first", "champion"]
    ratings = [level.rating for level in found if level.rating is not None]
    assert ratings == sorted(ratings)
    state = game.start()
    for level in found:
        assert make_player(level.spec, game).choose(state).move in state.moves()


def test_the_gomoku_champion_extends_the_diagonal_three_that_wang_s_net_missed() -> None:
    """Wang 2018, figure 6.10, where the best net saw no threat of c6, d5 and e4."""
    game = make("gomoku")
    state = game.start()
    for move in ["d6", "c6", "e6", "d5", "c4", "e4", "d4", "d3", "e3"]:
        state.play(move)
    assert make_player("zero:sims=100", game).choose(state).move.text in {"b7", "f3"}
