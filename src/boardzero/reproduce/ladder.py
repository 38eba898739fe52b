"""Why a document's players stayed weak: from its recipe made small to the modern one, rung by rung.

Every rung trains for the same time on one core, with two seeds. Two rungs beside the ladder try
what Meng 2020 names as the cause: a larger net, and more simulations. All others add a group of
changes to the one before; the last is the modern recipe to the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boardzero.arena.competition import Competition, CompetitionPlan
from boardzero.arena.ratings import pair_elo
from boardzero.reproduce.page import Page
from boardzero.reproduce.parts import MeasuringPart, Part, Training, Workshop
from boardzero.runs.recipe import load_recipe

MINUTES = 15.0
SEEDS = (1, 2)
_SIMULATIONS = 50  # of all players, so that what was learned is compared


@dataclass(frozen=True, slots=True)
class Rung:
    """A recipe by what it adds; one beside the ladder adds to the first rung alone."""

    name: str
    changes: tuple[str, ...]
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Ladder:
    """From one recipe to another."""

    name: str
    recipe: str
    modern: str
    opponent: str
    rungs: tuple[Rung, ...]

    def changes(self, rung: Rung) -> tuple[str, ...]:
        """All that tells a rung from the recipe at the foot."""
        if rung.beside:
            return rung.changes
        below = self.rungs[: self.rungs.index(rung) + 1]
        return tuple(change for one in below if not one.beside for change in one.changes)

    def run(self, rung: Rung, seed: int) -> str:
        return f"ladder-{self.name}-{self.rungs.index(rung)}-seed{seed}"

    def parts(self, *, minutes: float, games: int) -> list[Part]:
        """The trainings, and the matches after them."""
        trainings: list[Part] = [
            Training(
                self.recipe,
                minutes,
                changes=(*self.changes(rung), "run.iterations=60000", f"seed={seed}"),
                run=self.run(rung, seed),
                limit=minutes,
                one_core=True,
            )
            for rung in self.rungs
            for seed in SEEDS
        ]

        def measure(shop: Workshop) -> None:
            self._measure(shop, games)

        name, about = f"measure ladder-{self.name}", "every rung against the same opponents"
        return [*trainings, MeasuringPart(name, about, games / 2, measure)]

    def _measure(self, shop: Workshop, games: int) -> None:
        columns = (
            "rung",
            "seed",
            "games of self-play",
            "minutes",
            "against",
            "won",
            "drawn",
            "lost",
        )
        rows: list[tuple[object, ...]] = []
        game = load_recipe(self.recipe).game
        for rung in self.rungs:
            for seed in SEEDS:
                for run in shop.runs_of([self.run(rung, seed)]):
                    foot = shop.runs_of([self.run(self.rungs[0], seed)])
                    rivals = {self.opponent: self.opponent}
                    if rung is not self.rungs[0] and foot:
                        rivals[self.rungs[0].name] = _spec(foot[0].path.resolve())
                    for label, rival in rivals.items():
                        plan = CompetitionPlan(
                            kind="match",
                            game=game,
                            players=(_spec(run.path.resolve()), rival),
                            games=games,
                            seed=seed,
                        )
                        match = Competition(plan, shop.store)
                        shop.tell(f"{run.name} against {label}")
                        shop.play(match)
                        score = match.score(0)
                        made = (rung.name, seed, run.model()[1].games)
                        spent = f"{run.progress().seconds / 60:.1f}"
                        found = (score.wins, score.draws, score.losses)
                        rows.append((*made, spent, label, *found))
        shop.save(f"ladder-{self.name}.csv", columns, rows)

    def write(self, page: Page) -> None:
        """The table of rungs."""
        rows = page.rows(f"ladder-{self.name}.csv")
        table = []
        for rung in self.rungs:
            own = [row for row in rows if row["rung"] == rung.name]
            if not own:
                continue
            played = ", ".join(
                f"{row['games of self-play']}" for row in own if row["against"] == self.opponent
            )
            cells: list[str] = []
            for rival in (self.opponent, self.rungs[0].name):
                met = [row for row in own if row["against"] == rival]
                cells.append(", ".join(f"{r['won']} : {r['drawn']} : {r['lost']}" for r in met))
                sums = [sum(int(row[key]) for row in met) for key in ("won", "drawn", "lost")]
                elo = pair_elo(*sums) if sum(sums) else None
                cells.append("" if elo is None else f"{elo[0]:+.0f}".replace("inf", "∞"))
            what = " ".join(f"`{change}`" for change in rung.changes)
            table.append((rung.name, what or f"`{self.recipe}`", played, *cells))
        columns = (
            "rung",
            "changes",
            "games of self-play",
            f"against `{self.opponent}`, seeds 1 and 2",
        )
        further = ("Elo", f"against {self.rungs[0].name}", "Elo")
        page.table(f"The ladder of {self.name}", (*columns, *further), table)


def _spec(path: object) -> str:
    return f"zero:run={path},sims={_SIMULATIONS}"


def _rungs(*rungs: tuple[str, Sequence[str], bool]) -> tuple[Rung, ...]:
    return tuple(Rung(name, tuple(changes), beside) for name, changes, beside in rungs)


INTERNATIONAL = Ladder(
    name="international",
    recipe="meng-baseline-small",
    modern="meng-baseline-modern",
    opponent="alphabeta:depth=2",
    rungs=_rungs(
        ("as published, small", (), False),
        ("net of full size", ("net.blocks=10", "net.channels=64"), True),
        ("four times the simulations", ("search.simulations=200",), True),
        (
            "mover's view and shared weights",
            (
                "format.encoding=mover",
                "format.policy=planes",
                "replay.symmetries=none",
                "net.policy.style=planes",
                "net.value.style=pooled",
                "net.value.channels=16",
                "net.value.hidden=64",
                "net.pooling_every=2",
                "net.dropout=0.0",
            ),
            False,
        ),
        (
            "search",
            (
                "search.formula=alphazero",
                "search.c_puct=1.25",
                "search.forced=skip",
                "search.depth_limit=512",
                "search.transpositions=false",
                "search.proven=true",
                "search.simulations=30",
                "selfplay.reuse_tree=true",
            ),
            False,
        ),
        (
            "variety",
            (
                "search.noise_weight=0.25",
                "search.noise_alpha=0.5",
                "selfplay.temperature_steps=30",
                "selfplay.late_temperature=0.2",
                "selfplay.opening_steps=8",
                "gate.opening_steps=6",
            ),
            False,
        ),
        (
            "targets",
            ("selfplay.sharpen_targets=false", "learn.search_value=0.3"),
            False,
        ),
        (
            "learning",
            (
                "learn.optimizer=adamw",
                "learn.lr=0.002",
                "learn.batch_size=256",
                "learn.epochs=",
                "learn.uses=4",
                "replay.iterations=",
                "replay.games=1500",
                "selfplay.games=128",
                "gate.on_fail=keep",
            ),
            False,
        ),
    ),
)

GOMOKU = Ladder(
    name="gomoku",
    recipe="wang-gomoku-small",
    modern="wang-gomoku-modern",
    opponent="alphabeta:depth=2",
    rungs=_rungs(
        ("as published, small", (), False),
        ("net of full size", ("net.blocks=5", "net.channels=64"), True),
        ("four times the simulations", ("search.simulations=80",), True),
        (
            "leaves evaluated alone",
            ("search.child_values=false", "search.random_ties=false"),
            False,
        ),
        (
            "mover's view and shared weights",
            (
                "format.encoding=mover",
                "format.policy=flat",
                "net.stem_kernel=3",
                "net.activation=relu",
                "net.slope=0.01",
                "net.activate=after",
                "net.pooling_every=2",
                "net.policy.style=planes",
                "net.value.style=pooled",
                "net.value.channels=16",
                "replay.symmetries=random",
            ),
            False,
        ),
        (
            "search",
            (
                "search.formula=alphazero",
                "search.c_puct=1.25",
                "search.forced=skip",
                "search.proven=true",
                "search.simulations=64",
                "selfplay.target=visits",
                "selfplay.full_share=0.5",
                "selfplay.fast_simulations=16",
                "selfplay.int8=true",
            ),
            False,
        ),
        (
            "variety",
            (
                "search.noise_weight=0.25",
                "search.noise_alpha=0.2",
                "selfplay.temperature_steps=8",
                "selfplay.late_temperature=0.2",
                "selfplay.opening_steps=4",
            ),
            False,
        ),
        (
            "learning",
            (
                "learn.optimizer=adamw",
                "learn.lr=0.002",
                "learn.average=0.995",
                "learn.steps=",
                "learn.uses=4",
                "replay.positions=",
                "learn.policy_weight=1.0",
                "learn.value_weight=1.0",
                "learn.search_value=0.25",
                "replay.games=4000",
                "selfplay.games=250",
                "gate.games=0",
            ),
            False,
        ),
    ),
)
