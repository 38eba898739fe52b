"""A run asks its versions the probes of its game.

With a search so small that it shows what the net sees, and for a few seconds at most. Endgame
tables are not asked: they would answer for the net.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from boardzero.base.specs import Spec
from boardzero.games import make
from boardzero.players import Limit, make_player
from boardzero.players.registry import player_family
from boardzero.probes import Slice, measure, probes_of
from boardzero.runs.events import ProbesMeasured
from boardzero.runs.recipe import AnyRecipe

SEARCH = Limit(simulations=8, nodes=30)  # of PUCT, and of classic searches
SECONDS = 3.0


def measure_probes(model: Path, recipe: AnyRecipe, version: int) -> ProbesMeasured | None:
    """Of a version in this folder; None if nobody has made probes of its game."""
    game = make(recipe.game)
    probes = probes_of(game)
    if not probes:
        return None
    family = player_family(recipe.player)
    more = {"tablebase": "false", "seed": "1"}
    known = {option.name for option in family.options}
    options = {name: value for name, value in more.items() if name in known}
    spec = str(Spec(family.name, {"model": str(model), **options}))
    with closing(make_player(spec, game)) as player:
        found = measure(player, probes, SEARCH, seconds=SECONDS)
    first = {Slice(probe.theme, probe.labels[0]) for probe in probes}
    return ProbesMeasured(
        {
            str(slice_): round(share, 4)
            for slice_, share in found.shares.items()
            if not slice_.label or slice_ in first
        },
        version,
        round(found.right / found.asked, 4),
        found.asked,
        f"{SEARCH.simulations} simulations" if "sims" in known else f"{SEARCH.nodes} nodes",
    )
