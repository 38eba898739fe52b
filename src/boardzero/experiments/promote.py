"""A version of a run becomes the champion of its game, with levels of measured strength.

The levels are the champion itself with less search, and more chance where it plays with PUCT.
Candidates for them meet each other and players that never change; those that lie evenly are written
beside the model, with what they are worth.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import combinations, pairwise, product
from operator import itemgetter
from pathlib import Path

from boardzero.arena import Competition, CompetitionPlan, RandomOpenings, Terms, fit_elo
from boardzero.arena.competition import duels
from boardzero.base.files import write_file, write_folder
from boardzero.games import make
from boardzero.games.traits import LEVEL_NAMES
from boardzero.models import ChampionLevel, read_model
from boardzero.models.card import write_card
from boardzero.models.champions import CHAMPIONS, Levels
from boardzero.models.kinds import SEARCHED, player_of
from boardzero.store import GameResult, Store

# Options of the champion's player, from weak to strong in every game, at distances that each game
# has of its own: of one that plays with PUCT, and of a sparse net that others search with.
RUNGS = (
    "sims=60,temperature=10",  # looks at many moves and plays nearly any
    *(f"sims=12,temperature={temperature}" for temperature in (4, 2, 1.4, 1, 0.7, 0.5)),
    "sims=16",
    "sims=100",
    "sims=400",
)
SPARSE_RUNGS = tuple(
    f"eval=champion,nodes={nodes}" for nodes in (1, 2, 5, 10, 20, 50, 100, 300, 3000, 100_000)
)
_LONGEST = 300  # plies


def make_champion(version: Path, *, home: Path = CHAMPIONS) -> Path:
    """Copy a version's nets and card to where the program looks for its champions."""
    card = read_model(version)
    folder = home / make(card.game).spec.replace(":", "-").replace("=", "").replace(",", "-")

    def fill(draft: Path) -> None:
        for file in (file for net in card.nets for file in net.files):
            shutil.copy(version / file, draft)
        write_card(draft, card)

    write_folder(folder, fill)
    return folder


def measure_levels(folder: Path, store: Store, *, games: int, seed: int = 0) -> Iterator[str]:
    """Measure candidates for the levels of the champion in `folder`, and write down six of them.

    Each meets the next one and the players that never change; every match is told. `random` has
    rating 0. In games of three, a side has won if one of its seats has.
    """
    card = read_model(folder)
    game, family = make(card.game), player_of(card)
    with_puct = family == SEARCHED.player
    levels = [f"{family}:{options}" for options in (RUNGS if with_puct else SPARSE_RUNGS)]
    model = f'model="{folder.resolve()}"'
    rungs = [f"{level.replace('eval=champion,', '')},{model}" for level in levels]
    others = game.traits.players.unchanging
    pairs = [*pairwise(rungs), *product(rungs, others), *pairwise(others)]
    results: list[GameResult] = []
    names: dict[str, str] = {}
    for pair in pairs:
        plan = CompetitionPlan(
            kind="match",
            game=game.spec,
            players=pair,
            games=games,
            openings=RandomOpenings(4),
            terms=Terms(max_plies=_LONGEST),
            seed=seed,
        )
        competition = Competition(plan, store)
        competition.finish()
        results += duels(competition)
        names.update(zip(pair, competition.plan.players, strict=True))
        one, other = (player.partition(",model")[0] for player in pair)
        yield f"{one} against {other}: {competition.score(0)}"
    rating = {r.player: round(r.value) for r in fit_elo(results, anchor=names["random"]).ratings}
    rated = [(level, rating[names[rung]]) for level, rung in zip(levels, rungs, strict=True)]
    found = Levels(
        levels=tuple(
            ChampionLevel(name=name, player=player, rating=value)
            for name, (player, value) in zip(LEVEL_NAMES, _even(rated), strict=True)
        )
    )
    write_file(folder / "levels.json", f"{found.model_dump_json(indent=2)}\n")


def _even(rungs: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The first and the last three, and of those between the two that divide the way best."""
    first, *between, club, expert, champion = rungs
    wanted = [first[1] + share * (club[1] - first[1]) / 3 for share in (1, 2)]
    middle = min(
        combinations(sorted(between, key=itemgetter(1)), 2),
        key=lambda pair: sum(
            abs(value - goal) for (_, value), goal in zip(pair, wanted, strict=True)
        ),
    )
    return sorted([first, *middle, club, expert, champion], key=itemgetter(1))
