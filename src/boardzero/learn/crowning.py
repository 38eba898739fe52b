"""A version of a run becomes the champion of its game, with levels of measured strength.

The levels are the champion itself with fewer simulations and more chance. They meet each other and
players that never change; what they score is written beside the model.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from boardzero.arena import Competition, Plan, Terms, fit_elo, multiplayer_ratings
from boardzero.games import Game, make
from boardzero.infer import ChampionLevel, read_model
from boardzero.infer.champions import CHAMPIONS, Levels
from boardzero.learn.files import write_file, write_folder
from boardzero.store import Store

__all__ = ["LADDER", "crown", "measure_levels"]

LADDER = {
    "beginner": "zero:sims=12,temperature=4",
    "easy": "zero:sims=12,temperature=1",
    "casual": "zero:sims=4,temperature=0.4",
    "club": "zero:sims=16",
    "expert": "zero:sims=100",
    "champion": "zero:sims=800",
}
_LONGEST = 300  # plies


def crown(version: Path, *, home: Path = CHAMPIONS) -> Path:
    """Copy a version's nets and card to where the program looks for its champions."""
    card = read_model(version)
    nets = tuple(net.model_copy(update={"int8": ""}) for net in card.nets)
    folder = home / make(card.game).spec.replace(":", "-").replace("=", "").replace(",", "-")

    def fill(draft: Path) -> None:
        for net in nets:
            shutil.copy(version / net.file, draft)
        text = card.model_copy(update={"nets": nets}).model_dump_json(indent=2)
        (draft / "card.json").write_text(f"{text}\n")

    write_folder(folder, fill)
    return folder


def measure_levels(folder: Path, store: Store, *, games: int, seed: int = 0) -> Iterator[int]:
    """Play the levels of the champion in `folder` and write what they are worth; yields games left.

    `random` has rating 0 in games of two; in others the scale is openskill's.
    """
    game = make(read_model(folder).game)
    levels = tuple(f'{player},model="{folder.resolve()}"' for player in LADDER.values())
    plan = Plan(
        kind="tournament",
        game=game.spec,
        players=(*levels, *_unchanging(game)),
        games=games,
        terms=Terms(max_plies=_LONGEST),
        seed=seed,
    )
    competition = Competition(plan, store)
    for _ in competition.play():
        yield len(competition.pairings) - len(competition.games)
    played = competition.games.values()
    two = game.players == 2
    rated = fit_elo(played, anchor="random").ratings if two else multiplayer_ratings(played)
    rating = {one.player: round(one.value, 0 if two else 1) for one in rated}
    found = Levels(
        levels=tuple(
            ChampionLevel(name=name, player=LADDER[name], rating=rating[measured])
            for name, measured in zip(LADDER, competition.plan.players, strict=False)
        )
    )
    write_file(folder / "levels.json", f"{found.model_dump_json(indent=2)}\n")


def _unchanging(game: Game) -> tuple[str, ...]:
    if game.players > 2:
        return ("random", "greedy")
    if game.geometry.kind == "squares":
        return ("random", "alphabeta:depth=2", "alphabeta:depth=6")
    return ("random", "mcts:rollouts=100", "mcts:rollouts=1000")
