"""Mann and Han 2019: Chexers; the order of strength of their players, and how deep they look."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean

from boardzero.arena.competition import CompetitionPlan
from boardzero.games import State, make
from boardzero.players import make_player
from boardzero.reproduce.curves import head_figure
from boardzero.reproduce.document import Document
from boardzero.reproduce.page import Page
from boardzero.reproduce.parts import (
    MeasuringPart,
    Part,
    Tournament,
    Training,
    Workshop,
    save_losses,
    save_progress,
)

_NAMES = {
    "random": "AlphaRandom",
    "greedy": "AlphaGreedy",
    "maxn:depth=3": "AlphaMaxN",
    "alphachexers:rollouts=500": "AlphaChexers",
}


def _runs(quick: bool) -> dict[str, str]:
    one = "mann-han-alphaone-small" if quick else "mann-han-alphaone"
    return {one: "AlphaOne", "mann-han-hindsight": "hindsight net"}


def parts(quick: bool) -> Sequence[Part]:
    one, hindsight = _runs(quick)
    games = 3 if quick else 30

    def plan(shop: Workshop) -> CompetitionPlan:
        runs = [f"zero:run={run.path.resolve()},sims=100" for run in shop.runs_of((one, hindsight))]
        players = (*_NAMES, *runs)
        return CompetitionPlan(
            kind="tournament", game="chexers", players=players, games=games, seed=1
        )

    def labels(plan: CompetitionPlan) -> dict[str, str]:
        runs = list(_runs(quick).items())
        found = dict(zip(plan.players, _NAMES.values(), strict=False))
        for player in plan.players[len(_NAMES) :]:
            found[player] = next(label for run, label in runs if f"/{run}," in player)
        return found

    return [
        Training(one, 5, limit=5) if quick else Training(one, 500),
        Training(hindsight, 5, limit=5) if quick else Training(hindsight, 25),
        Tournament("order", "six players in all threes", 5 if quick else 120, plan, labels),
        MeasuringPart(
            "depth", "how deep AlphaChexers looks", 1 if quick else 4, lambda s: _depth(s, quick)
        ),
        MeasuringPart("losses", "losses of both nets", 0.1, lambda s: _losses(s, quick)),
    ]


def _losses(shop: Workshop, quick: bool) -> None:
    save_losses(shop, "losses.csv", tuple(_runs(quick)))
    save_progress(shop, "progress.csv", tuple(_runs(quick)))


def _positions(count: int) -> list[State]:
    """Of games between AlphaChexers and greedy players, evenly over their first sixty plies."""
    rng = Random(1)
    game = make("chexers")
    found: list[State] = []
    while len(found) < count:
        state = game.start()
        players = [
            make_player(f"{name}seed={rng.randrange(1000)}", game)
            for name in ("alphachexers:rollouts=100,", "greedy:", "greedy:")
        ]
        for ply in range(60):
            if state.outcome() is not None or len(found) >= count:
                break
            if ply % 10 == 5:
                found.append(state.copy())
            state.play(players[state.to_move].choose(state.copy()).move)
    return found


def _depth(shop: Workshop, quick: bool) -> None:
    """Depth of the line that the search expects, and of its deepest simulation."""
    game = make("chexers")
    positions = _positions(6 if quick else 60)
    rows = []
    for prune in ("true", "false"):
        for rollouts in (500, 5000):
            spec = f"alphachexers:rollouts={rollouts},prune={prune},seed=1"
            shop.tell(spec)
            choices = [make_player(spec, game).choose(state) for state in positions]
            line = fmean(len(choice.pv) for choice in choices)
            deepest = fmean(choice.depth for choice in choices)
            row = (prune, rollouts, len(positions), f"{line:.2f}", f"{deepest:.2f}")
            rows.append(row)
    columns = ("pruning", "simulations", "positions", "expected line", "deepest")
    shop.save("depth.csv", columns, rows)


def write(page: Page, quick: bool) -> None:
    page.section("Training")
    columns = ("run", "iterations", "versions", "games", "minutes", "end")
    rows = page.rows("progress.csv")
    page.table("How far the runs are", columns, [[row[c] for c in columns] for row in rows])
    page.say(
        "The report's AlphaOne played about 250 games in three nights, 100 with 100 "
        "simulations and the rest with "
        '500, and "failed to learn much". The hindsight net is what its authors wished to '
        "have tried."
    )
    losses = page.rows("losses.csv")
    for run, label in _runs(quick).items():
        head_figure(page, f"losses-{run}", losses, run, title=f"Losses of {label}")
    page.section("Order of strength")
    for file, title in (("ratings", "Plackett-Luce ratings"), ("wins", "Games won")):
        found = page.rows(f"order/{file}.csv")
        page.table(title, list(found[0]) if found else [], [list(r.values()) for r in found])
    page.say(
        "The report: AlphaMCTS, which is AlphaChexers, handily beats AlphaRandom and is "
        "certainly better than "
        "AlphaGreedy; AlphaMaxN was abandoned; AlphaOne failed."
    )
    page.section("Search depth")
    rows = page.rows("depth.csv")
    page.table(
        "Mean depth in plies", list(rows[0]) if rows else [], [list(r.values()) for r in rows]
    )
    page.say("The report: around five on average with its pruning, four at most without.")


MANN_HAN = Document(
    "mann-han",
    "Mann and Han 2019: AlphaChexers",
    "Ben Mann and Simon Jerome Han, 2019: Chexers, a game of three on hexagons; AlphaOne "
    "after AlphaZero failed, and "
    "a search with a hand-written evaluation was handed in.",
    1500,
    parts,
    write,
)
