"""A version of a run becomes the champion of its game, with levels of measured strength.

The levels are the champion itself with fewer simulations and more chance. They meet each other and
players that never change; what they score is written beside the model.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path

from boardzero.arena import Competition, Plan, RandomOpenings, Terms, fit_elo
from boardzero.arena.tournament import duels
from boardzero.games import Game, make
from boardzero.infer import ChampionLevel, read_model
from boardzero.infer.champions import CHAMPIONS, Levels
from boardzero.learn.files import write_file, write_folder
from boardzero.store import GameResult, Store

__all__ = ["LADDER", "crown", "measure_levels"]

LADDER = {
    "beginner": "zero:sims=60,temperature=10",  # looks at many moves and plays nearly any
    "easy": "zero:sims=12,temperature=4",
    "casual": "zero:sims=12,temperature=2",
    "club": "zero:sims=16",
    "expert": "zero:sims=100",
    "champion": "zero:sims=400",
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


def measure_levels(folder: Path, store: Store, *, games: int, seed: int = 0) -> Iterator[str]:
    """Play the levels of the champion in `folder` and write what they are worth.

    Each meets the next one and the players that never change; every match is told. `random` has
    rating 0. In games of three, a side has won if one of its seats has.
    """
    game = make(read_model(folder).game)
    levels = [f'{player},model="{folder.resolve()}"' for player in LADDER.values()]
    others = _unchanging(game)
    pairs = [*pairwise(levels), *product(levels, others), *pairwise(others)]
    results: list[GameResult] = []
    names: dict[str, str] = {}
    for pair in pairs:
        plan = Plan(
            kind="match",
            game=game.spec,
            players=pair,
            games=games,
            openings=RandomOpenings(4),
            terms=Terms(max_plies=_LONGEST),
            seed=seed,
        )
        competition = Competition(plan, store)
        for _ in competition.play():
            pass
        results += duels(competition)
        names.update(zip(pair, competition.plan.players, strict=True))
        one, other = (player.partition(",model")[0] for player in pair)
        yield f"{one} against {other}: {competition.score(0)}"
    rating = {r.player: round(r.value) for r in fit_elo(results, anchor=names["random"]).ratings}
    found = Levels(
        levels=tuple(
            ChampionLevel(name=name, player=LADDER[name], rating=rating[names[level]])
            for name, level in zip(LADDER, levels, strict=True)
        )
    )
    write_file(folder / "levels.json", f"{found.model_dump_json(indent=2)}\n")


def _unchanging(game: Game) -> tuple[str, ...]:
    if game.players > 2:
        return ("random", "greedy", "alphachexers:time=0.05")
    if game.geometry.kind == "squares":
        return ("random", "alphabeta:depth=2", "alphabeta:depth=6")
    return ("random", "mcts:rollouts=100", "mcts:rollouts=1000")
