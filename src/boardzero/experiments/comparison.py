"""Runs compared as Meng 2020 compares methods (figures 8.1 to 8.7), and over time.

Losses come from the runs' logs. Strength is measured anew: accepted versions of each run play short
matches against the same opponents. An opponent that is itself a run answers each version with the
one that it had after as many minutes of training. All games together also give every version one
rating, whoever it met. They are kept in one database, so that an interrupted comparison goes on
where it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from boardzero.arena.competition import Competition, CompetitionPlan, duels
from boardzero.arena.openings import RandomOpenings
from boardzero.arena.plots import Curve
from boardzero.arena.ratings import Estimate, fit_elo, meng_update, pair_elo
from boardzero.arena.score import Score
from boardzero.arena.tables import Table
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_file
from boardzero.base.specs import Spec
from boardzero.games import plays_alike
from boardzero.models import spread
from boardzero.runs.curves import draw
from boardzero.runs.events import MAIN_HEADS, Figure, LossMeasured, VersionArchived, of_type
from boardzero.runs.recipe import AnyRecipe
from boardzero.runs.run_folder import RunFolder
from boardzero.store import GameResult, Rating, Store


@dataclass(frozen=True, slots=True)
class Version:
    """An accepted version of a run, and when it was accepted."""

    run: str
    spec: str
    version: int
    iteration: int
    minutes: float


@dataclass(frozen=True, slots=True)
class Loss:
    """Means of one net over one iteration."""

    run: str
    net: str
    iteration: int
    heads: Mapping[str, float]  # those of `MAIN_HEADS` that the net has


@dataclass(frozen=True, slots=True)
class Thinking:
    """How long versions think of a move: so many seconds or simulations, else as recipes say."""

    seconds: float | None = None
    simulations: int | None = None

    def options(self, recipe: AnyRecipe) -> dict[str, str]:
        """Of a version's player."""
        if self.seconds is not None:
            return {"time": f"{self.seconds:g}"}
        return recipe.versions_as_players(self.simulations)


@dataclass(frozen=True, slots=True)
class Opponent:
    """A player, or a run of which the version of the same time plays."""

    name: str
    run: RunFolder | None = None

    @property
    def label(self) -> str:
        return self.run.name if self.run is not None else self.name

    def version(self, minutes: float, thinking: Thinking) -> Version | None:
        """Of a run, the one that it had after so long."""
        if self.run is None:
            return None
        there = _versions(self.run, thinking)
        return [v for v in there if v.minutes <= minutes or v is there[0]][-1]


@dataclass(frozen=True, slots=True)
class Measured:
    """A version's match against one opponent.

    `elo` is as in Meng 2020: it goes on from version to version, as does the opponent's. `match` is
    what this match alone says, with its 95 % interval.
    """

    version: Version
    against: str
    score: Score
    elo: float
    match: Estimate

    def concerns(self, run: RunFolder, opponent: Opponent) -> bool:
        return (self.version.run, self.against) == (run.name, opponent.label)


@dataclass(frozen=True, slots=True)
class Rated:
    """A player by all games of the comparison; of a run, one of its versions."""

    name: str
    version: Version | None
    rating: Rating


def opponents(text: str) -> list[Opponent]:
    """Runs and players, separated by commas; a player's options stay with it."""
    parts: list[str] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        key, equals, _ = part.partition("=")
        if parts and equals and ":" not in key and "/" not in key:
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return [_opponent(part) for part in parts]


def _opponent(name: str) -> Opponent:
    try:
        return Opponent(name, RunFolder.find(name))
    except BoardZeroError:
        return Opponent(name)


@dataclass
class Comparison:
    """Runs of one game and their opponents.

    Where runs learned with different rules of how games end, those of the first are played.
    """

    runs: Sequence[RunFolder]
    against: Sequence[Opponent]
    folder: Path
    games: int = 20
    versions: int = 10
    thinking: Thinking = Thinking()
    opening_plies: int = 4
    seed: int = 0

    def __post_init__(self) -> None:
        learned = list(dict.fromkeys(run.recipe().game for run in self._all_runs()))
        self.game = learned[0]
        if not all(plays_alike(game, self.game) for game in learned):
            raise BoardZeroError(f"these runs play different games: {', '.join(learned)}")
        names = [run.name for run in self.runs]
        if len(set(names)) < len(names):
            raise BoardZeroError("two of the runs have the same name")

    def competitions(self, store: Store) -> Iterator[tuple[Version, Opponent, Competition]]:
        """Every match, to be played or already there."""
        for run in self.runs:
            for opponent in self.against:
                if opponent.run is not None and opponent.run.path.samefile(run.path):
                    continue
                for version in spread(_versions(run, self.thinking), self.versions):
                    answer = opponent.version(version.minutes, self.thinking)
                    plan = CompetitionPlan(
                        kind="match",
                        game=self.game,
                        players=(version.spec, answer.spec if answer else opponent.name),
                        games=self.games,
                        openings=RandomOpenings(self.opening_plies),
                        seed=self.seed,
                    )
                    yield version, opponent, Competition(plan, store)

    def measured(self, store: Store) -> list[Measured]:
        """The results, in the order of training; versions that have not played are left out."""
        found: list[Measured] = []
        elo: defaultdict[tuple[str, str], tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
        for version, opponent, competition in self.competitions(store):
            score = competition.score(0)
            if score.games == 0:
                continue
            pair = (version.run, opponent.label)
            elo[pair] = meng_update(*elo[pair], score)
            estimate = pair_elo(score.wins, score.draws, score.losses)
            found.append(Measured(version, opponent.label, score, elo[pair][0], estimate))
        return found

    def rated(self, store: Store) -> list[Rated]:
        """Elo of every version and opponent by all games together; the first opponent has 0.

        In a game of three, a side has won if one of its seats has.
        """
        games: list[GameResult] = []
        players: dict[str, tuple[str, Version | None]] = {}
        for version, opponent, competition in self.competitions(store):
            games += duels(competition)
            mine, theirs = competition.plan.players
            answer = opponent.version(version.minutes, self.thinking)
            players |= {mine: (version.run, version), theirs: (opponent.label, answer)}
        seen = {player for game in games for player in game.seats}
        anchor = next((p for p, (_, version) in players.items() if not version and p in seen), None)
        elo = {rating.player: rating for rating in fit_elo(games, anchor=anchor).ratings}
        return [Rated(name, v, elo[p]) for p, (name, v) in players.items() if p in elo]

    def losses(self) -> list[Loss]:
        """Of every run and net, iteration by iteration, rejected ones too."""
        return [loss for run in self.runs for loss in losses_of(run)]

    def tables(self, store: Store) -> dict[str, Table]:
        """All results, by the names of their files."""
        return {
            "losses.csv": _loss_table(self.losses()),
            "elo.csv": _elo_table(self.measured(store)),
            "ratings.csv": _rating_table(self.rated(store)),
        }

    def write(self, store: Store, command: str) -> list[Path]:
        """Figures, tables and the page that shows them; the files written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        losses, results = self.losses(), self.measured(store)
        ratings = self.rated(store)
        figures = [
            _rating_figure(ratings),
            *(self._loss_figure(run, losses) for run in self.runs),
            *(self._elo_figure(opponent, results) for opponent in self.against),
        ]
        drawn = (draw(figure, self.folder, "png", "svg") for figure in figures if figure.curves)
        pictures = [path for paths in drawn for path in paths]
        texts = {"README.md": self._page(results, pictures, command)}
        texts |= {name: table.csv() for name, table in self.tables(store).items()}
        for name, text in texts.items():
            write_file(self.folder / name, text)
        return [*(self.folder / name for name in texts), *pictures]

    def _loss_figure(self, run: RunFolder, losses: Sequence[Loss]) -> Figure:
        own = [loss for loss in losses if loss.run == run.name]
        curves = []
        for net in dict.fromkeys(loss.net for loss in own):
            of_net = [loss for loss in own if loss.net == net]
            total = [sum(loss.heads.values()) for loss in of_net]
            label = f"{net} net" if net != "net" else net
            curves.append(Curve(label, [loss.iteration for loss in of_net], total))
        title = f"Training loss of {run.name}"
        return Figure(f"loss-{run.name}", title, "iteration", "loss", curves)

    def _elo_figure(self, opponent: Opponent, results: Sequence[Measured]) -> Figure:
        curves = []
        for run in self.runs:
            if own := [m for m in results if m.concerns(run, opponent)]:
                iterations = [m.version.iteration for m in own]
                curves.append(Curve(run.name, iterations, [m.elo for m in own]))
        name = f"elo-{_file_name(opponent.label)}"
        return Figure(name, f"Elo against {opponent.label}", "iteration", "Elo", curves)

    def _page(self, results: Sequence[Measured], pictures: Sequence[Path], command: str) -> str:
        shown = [path.name for path in pictures if path.suffix == ".png"]
        images = "\n\n".join(f"![{Path(name).stem}]({name})" for name in shown)
        return (
            f"# Comparison of {', '.join(run.name for run in self.runs)}\n\n"
            f"Made by `{command}`. Game: `{self.game}`. Each version played {self.games} games "
            f"against each opponent, after {self.opening_plies} random moves, every opening with "
            "both seats. Elo is that of Meng 2020 (eq. 2.4 to 2.6, both sides from 0, on from "
            "version to version); `elo.csv` has what each match says by itself, `ratings.csv` what "
            "all games together say. An opponent that is a run played the version that it had "
            "after as many minutes.\n\n"
            f"{self._summary(results).markdown()}\n{images}\n"
        )

    def _summary(self, results: Sequence[Measured]) -> Table:
        columns = ["run", "method", "iterations", "gates passed", "games", "minutes"]
        for opponent in self.against:
            columns += [f"last Elo against {opponent.label}", "best", "points of the last"]
        rows = []
        for run in self.runs:
            progress = run.progress()
            row = [
                run.name,
                run.recipe().method,
                str(progress.iteration - 1),
                str(len(run.versions()) - 1),
                str(max((e.games for e in of_type(run.read_log(), VersionArchived)), default=0)),
                f"{progress.seconds / 60:.1f}",
            ]
            for opponent in self.against:
                own = [m for m in results if m.concerns(run, opponent)]
                if own:
                    last, best = own[-1], max(own, key=lambda m: m.elo)
                    row += [f"{last.elo:+.0f}", f"{best.elo:+.0f} (version {best.version.version})"]
                    row.append(f"{last.score.points:g} of {last.score.games}")
                else:
                    row += ["", "", ""]
            rows.append(tuple(row))
        return Table("Runs", tuple(columns), tuple(rows))

    def _all_runs(self) -> list[RunFolder]:
        return [*self.runs, *(o.run for o in self.against if o.run is not None)]


def losses_of(run: RunFolder) -> list[Loss]:
    """Of every net, iteration by iteration, rejected ones too."""
    seen: dict[tuple[int, str], list[Mapping[str, float]]] = {}
    for event in of_type(run.read_log(), LossMeasured):
        seen.setdefault((event.iteration, event.net or "net"), []).append(event.losses)
    found = []
    for (iteration, net), measured in seen.items():
        heads = {
            head: fmean(losses[head] for losses in measured)
            for head in MAIN_HEADS
            if head in measured[0]
        }
        found.append(Loss(run.name, net, iteration, heads))
    return found


def _versions(run: RunFolder, thinking: Thinking) -> list[Version]:
    """Those that are archived, with what the log says about them."""
    events = of_type(run.read_log(), VersionArchived)
    accepted = {event.version: event for event in reversed(events)}
    recipe = run.recipe()
    found = []
    for version in run.versions():
        event = accepted.get(version, VersionArchived(version, 0))
        options = {"run": str(run.path.resolve()), "version": str(version)}
        spec = str(Spec(recipe.player, options | thinking.options(recipe)))
        iteration = 0 if version == 0 else event.iteration
        found.append(Version(run.name, spec, version, iteration, event.minutes))
    if not found:
        raise BoardZeroError(f"{run.path} has no version yet")
    return found


def _rating_figure(ratings: Sequence[Rated]) -> Figure:
    curves = []
    last = max((r.version.minutes for r in ratings if r.version), default=0.0)
    for name in dict.fromkeys(r.name for r in ratings):
        own = [r for r in ratings if r.name == name]
        own.sort(key=lambda r: r.version.minutes if r.version else 0.0)
        elo = [r.rating.value for r in own]
        if own[0].version is None:  # learns nothing: a level line
            curves.append(Curve(name, [0.0, last], elo * 2, reference=True))
        else:
            minutes = [r.version.minutes for r in own if r.version]
            low, high = [r.rating.low for r in own], [r.rating.high for r in own]
            curves.append(Curve(name, minutes, elo, low, high))
    title = "Elo by all games, over minutes of training"
    return Figure("elo-over-minutes", title, "minutes", "Elo", curves)


def _loss_table(losses: Sequence[Loss]) -> Table:
    heads = [head for head in MAIN_HEADS if any(head in loss.heads for loss in losses)]
    rows = tuple(
        (
            loss.run,
            loss.net,
            str(loss.iteration),
            *(f"{loss.heads[head]:.5f}" if head in loss.heads else "" for head in heads),
        )
        for loss in losses
    )
    return Table("Losses", ("run", "net", "iteration", *heads), rows)


def _elo_table(results: Sequence[Measured]) -> Table:
    columns = ["run", "against", "version", "iteration", "minutes", "wins", "draws", "losses"]
    columns += ["elo", "match_elo", "low", "high"]
    rows = []
    for m in results:
        v, score = m.version, m.score
        row = [v.run, m.against, str(v.version), str(v.iteration), f"{v.minutes:.2f}"]
        row += [str(score.wins), str(score.draws), str(score.losses)]
        rows.append((*row, *(f"{x:.1f}" for x in (m.elo, *m.match))))
    return Table("Matches", tuple(columns), tuple(rows))


def _rating_table(ratings: Sequence[Rated]) -> Table:
    rows = []
    for r in ratings:
        of_run = (str(r.version.version), f"{r.version.minutes:.2f}") if r.version else ("", "")
        elo = (f"{x:.1f}" for x in (r.rating.value, r.rating.low, r.rating.high))
        rows.append((r.name, *of_run, *elo, str(r.rating.games)))
    columns = ("player", "version", "minutes", "elo", "low", "high", "games")
    return Table("Ratings", columns, tuple(rows))


def _file_name(label: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in label)
