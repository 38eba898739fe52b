"""The kinds of draughts. What differs between them is said by the rules in the core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from boardzero import _core
from boardzero.base.specs import Option, Value
from boardzero.games.game import Game
from boardzero.games.geometry import draughts_board
from boardzero.games.notation.fen import DraughtsComposer
from boardzero.games.registry import Family, register
from boardzero.games.traits import GameTraits, PdnType, classic_players

_PLAYERS = replace(
    classic_players(2),
    unchanging=("random", "alphabeta:depth=2", "alphabeta:depth=4", "alphabeta:depth=6"),
)


def _register(name: str, title: str, summary: str, *more_endings: str) -> None:
    rules = _core.draughts_rules(name)
    geometry = draughts_board(rules.width, algebraic=rules.algebraic)
    traits = GameTraits(
        seats=("white", "black") if rules.white_begins else ("black", "white"),
        numbered=not rules.algebraic,
        must_capture=True,
        largest_capture=rules.largest_capture,
        pdn=PdnType(rules.pdn.type, rules.pdn.capture, rules.pdn.win, rules.pdn.tag_only),
        composer=DraughtsComposer(),
        pieces=("man", "king"),
        players=_PLAYERS,
    )

    def build(spec: str, options: Mapping[str, Value]) -> Game:
        start = _core.draughts_start(name, str(options["endings"]), int(options["king"]))
        return Game(spec, title=title, traits=traits, geometry=geometry, start=start)

    endings = Option(
        "endings",
        "official",
        "which rules end a game without a winner",
        ("official", *more_endings),
        ends_only=True,
    )
    king = Option(
        "king", 2, "worth of a king in the material balance", low=2, high=3, ends_only=True
    )
    register(Family(name, title, summary, (endings, king), build))


_register(
    "international",
    "International draughts",
    "10x10, flying kings, the largest capture is mandatory",
    "meng",
)
_register(
    "english",
    "English draughts",
    "8x8 (checkers), short kings, men capture forwards",
    "meng",
    "ocheretian",
    "ocheretian-each",
    "ocheretian-own",
    "openspiel",
)
_register("russian", "Russian draughts", "8x8, flying kings, free choice of capture")
_register("brazilian", "Brazilian draughts", "international rules on 8x8", "meng")
_register("pool", "Pool checkers", "8x8, black begins, flying kings, free choice of capture")
