"""One random game of each kind, kept in a file, so that only a deliberate change moves the rules.

    BOARDZERO_REGENERATE=1 python -m pytest tests/games/test_golden.py

writes the files anew; look at the difference before you commit it.
"""

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardzero import State, make
from tests.games import variants

FOLDER = Path(__file__).parent / "golden"

SPECS = [
    *variants.GAMES,
    "gomoku:size=15,rule=renju",
    *(f"{variants.EXAMPLES}/{name}.py" for name in ("connect_four", "othello")),
]


def _line(state: State, ply: int, move: str) -> str:
    return f"{ply}\t{move}\t{state.fen()}\t{state.key():016x}\t{len(state.moves())}"


def _play_through(spec: str) -> Iterator[str]:
    """Ply, move, FEN, key and number of legal moves, then how it ended."""
    state = make(spec).start()
    rng = random.Random(7)
    yield "ply\tmove\tfen\tkey\tmoves"
    yield _line(state, 0, "-")
    ply = 0
    while (outcome := state.outcome()) is None:
        moves = state.moves()
        move = moves[int(rng.random() * len(moves))]  # random() is the same in every Python
        state.play(move)
        ply += 1
        yield _line(state, ply, move.text)
    yield f"outcome\t{outcome.values}\t{outcome.winner}\t{outcome.reason}"


@pytest.mark.parametrize("spec", SPECS, ids=variants.name)
def test_the_rules_play_as_they_always_did(spec: str) -> None:
    file = FOLDER / (re.sub(r"\W+", "-", variants.name(spec).removesuffix(".py")) + ".tsv")
    played = "\n".join(_play_through(spec)) + "\n"
    if os.environ.get("BOARDZERO_REGENERATE"):
        FOLDER.mkdir(exist_ok=True)
        file.write_text(played)
    assert played.splitlines() == file.read_text().splitlines()
