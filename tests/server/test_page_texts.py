"""The page has words for whatever the games that come with it send."""

from pathlib import Path

import pytest

from boardzero.games import make
from tests.games.variants import GAMES

TEXTS = Path(__file__).parents[2] / "web" / "src" / "i18n"


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_texts_in_every_language(name: str, language: str) -> None:
    game = make(name)
    text = (TEXTS / f"{language}.ts").read_text()
    keys = [f"game.{name}", f"about.{name}", *(f"seat.{seat}" for seat in game.seats)]
    keys += [f"counter.{counter.name}" for counter in game.traits.counters]
    keys += [f"diagram.{diagram.name}" for diagram in game.traits.diagrams]
    keys += [f"piece.{kind}" for kind in game.traits.pieces]
    assert [key for key in keys if f'"{key}":' not in text] == []
