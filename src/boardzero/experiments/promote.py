"""A version of a run becomes the champion of its game; `ladder` measures its levels."""

from __future__ import annotations

import shutil
from pathlib import Path

from boardzero.base.files import write_folder
from boardzero.games import make
from boardzero.models import read_model
from boardzero.models.card import ModelCard, write_card
from boardzero.models.champions import CHAMPIONS, folder_name


def make_champion(version: Path, *, home: Path = CHAMPIONS, card: ModelCard | None = None) -> Path:
    """Copy a version's nets and card, or another card, to where champions are looked for."""
    card = read_model(version) if card is None else card
    folder = home / folder_name(make(card.game).spec)

    def fill(draft: Path) -> None:
        for file in (file for net in card.nets for file in net.files):
            shutil.copy(version / file, draft)
        write_card(draft, card)

    write_folder(folder, fill)
    return folder
