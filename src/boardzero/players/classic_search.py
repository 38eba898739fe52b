"""The player around a classic search of the core, its options, and its budget for a move."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import randbits

from boardzero import _core
from boardzero.base.errors import BoardZeroError
from boardzero.base.processes import machine_megabytes
from boardzero.base.specs import Option, Value
from boardzero.games import Game, State
from boardzero.players.model_options import MODEL_OPTIONS, model_folder, with_version
from boardzero.players.near_best import NearBest
from boardzero.players.player import Candidate, Choice, Limit, Player
from boardzero.players.time_management import seconds_for_move

TIME = Option("time", 0.0, "seconds for each move; 0 is no bound", low=0)
NODES = Option("nodes", 0, "positions looked at for each move; 0 is no bound", low=0, high=10**15)
# How positions are evaluated: by an evaluation of the game, or by a sparse net.
EVALUATION_OPTIONS = (
    Option(
        "eval",
        "auto",
        "how positions are evaluated; auto is material at a fixed depth and hand otherwise, "
        "champion the sparse net that came with the program",
        ("auto", "hand", "material", "strong", "champion"),
    ),
    *MODEL_OPTIONS,
)

TABLEBASE = Option("tablebase", True, "ask the endgame tables on this machine, if there are any")

_UNBOUNDED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Budget:
    """What a player's spec says about one move; a limit overrides it point by point."""

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None

    @classmethod
    def of(cls, options: Mapping[str, Value]) -> Budget:
        """From the options of the same names, where 0 bounds nothing."""
        time, depth, nodes = (options.get(name) or None for name in ("time", "depth", "nodes"))
        return cls(
            None if time is None else float(time),
            None if depth is None else int(depth),
            None if nodes is None else int(nodes),
        )

    def within(self, limit: Limit) -> Budget:
        return Budget(
            seconds_for_move(limit, self.time),
            self.depth if limit.depth is None else limit.depth,
            self.nodes if limit.nodes is None else limit.nodes,
        )


class SearchPlayer(Player):
    """Runs a compiled search. `fallback` bounds a move that neither spec nor limit bounds."""

    def __init__(
        self,
        spec: str,
        searcher: _core.Searcher,
        budget: Budget,
        *,
        fallback: Budget,
        has_values: bool = True,
        fingerprint: str = "",
        near_best: NearBest | None = None,
    ) -> None:
        self.spec = spec
        self.fingerprint = fingerprint
        self._searcher = searcher
        self._budget = budget
        self._fallback = fallback
        self._has_values = has_values
        self._near_best = near_best

    def choose(self, state: State, limit: Limit = Limit()) -> Choice:  # noqa: B008
        budget = self._budget.within(limit)
        if budget == Budget():
            budget = self._fallback
        report = self._searcher.search(
            state.native,
            seconds=math.inf if budget.time is None else budget.time,
            depth=_UNBOUNDED if budget.depth is None else budget.depth,
            nodes=2**64 - 1 if budget.nodes is None else budget.nodes,
            progress=None if self.on_progress is None else self._tell,
        )
        place = 0 if self._near_best is None else self._near_best.pick(state, report.moves)
        return self._choice(report, place)

    def _tell(self, report: _core.Report) -> None:
        if self.on_progress is not None:
            self.on_progress(self._choice(report))

    def _choice(self, report: _core.Report, place: int = 0) -> Choice:
        candidates = [
            Candidate(m.move, value=m.value if m.exact and self._has_values else None)
            for m in report.moves
        ]
        picked = report.moves[place]
        return Choice(
            picked.move,
            value=picked.value if report.depth > 0 else None,
            pv=tuple(picked.pv),
            candidates=candidates,
            nodes=report.nodes,
            depth=report.depth,
            time=report.seconds,
        )

    def new_game(self) -> None:
        self._searcher.clear()

    def stop(self) -> None:
        self._searcher.stop()


def seed(options: Mapping[str, Value]) -> int:
    """The seed option as the searches take it."""
    given = int(options["seed"])
    return randbits(63) if given < 0 else given


def near_best(game: Game, options: Mapping[str, Value]) -> NearBest | None:
    """How a player with a margin picks its moves."""
    margin = float(options["margin"])
    return NearBest(game, margin, seed(options)) if margin else None


def megabytes(options: Mapping[str, Value], name: str) -> int:
    """An option of memory, of which a machine has only so much."""
    wanted, there = int(options[name]), machine_megabytes()
    if wanted > there:
        raise BoardZeroError(f"{name}={wanted} is more than the {there} megabytes of this machine")
    return wanted


@dataclass(frozen=True, slots=True)
class ChosenEvaluation:
    """What a search evaluates positions by, and the spec and the fingerprint of who plays so."""

    spec: str
    choice: str | _core.SparseNet  # one of the game's evaluations, by name, or a net
    fingerprint: str = ""

    @classmethod
    def chosen(
        cls, spec: str, game: Game, options: Mapping[str, Value], *, auto: str
    ) -> ChosenEvaluation:
        """As the options say; a game without the evaluation `auto` takes the one that it has."""
        name, folder = str(options["eval"]), None
        family = spec.partition(":")[0]
        if options["model"] or options["run"]:
            if name != "auto":
                raise BoardZeroError(f"{family} takes eval={name} or a net, not both")
            folder = model_folder(family, options)
        elif name == "champion":
            folder = _champion(game)
        elif name != "auto":
            return cls(spec, named_evaluation(game, name))
        if folder is not None:
            return cls._of_model(with_version(spec, folder, options), family, folder, game)
        known = _core.evaluations(game.start().native)
        usual = known[0][0] if known else ""
        return cls(spec, next((names[0] for names in known if auto in names), usual))

    @classmethod
    def _of_model(cls, spec: str, family: str, folder: Path, game: Game) -> ChosenEvaluation:
        from boardzero.models import fingerprint
        from boardzero.models.sparse import open_sparse_model

        card, net = open_sparse_model(family, folder, game)
        return cls(spec, net, fingerprint(folder, card))


def _champion(game: Game) -> Path:
    from boardzero.models import champion

    found = champion(game)
    if found is None:
        raise BoardZeroError(f"{game.spec} has no champion; give a net with model= or run=")
    return found


def named_evaluation(game: Game, name: str, *, what: str = "evaluation") -> str:
    """The usual name of an evaluation that the game has by this one."""
    known = _core.evaluations(game.start().native)
    for names in known:
        if name in names:
            return names[0]
    has = " and ".join(names[0] for names in known) or "none to choose from"
    raise BoardZeroError(f"{game.name} has no {what} '{name}'; it has {has}")
