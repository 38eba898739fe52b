"""What happens in a run: one small class per kind of event.

The trainer of a run tells its events; the log keeps them, and the command line, TensorBoard, curves
and the page show them. All of these derive from the classes here. A recipe of another kind declares
events of its own (`AnyRecipe.events`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self, TypeVar, dataclass_transform

from boardzero.workers.messages import message

if TYPE_CHECKING:
    from boardzero.arena.plots import Curve

Field = float | int | bool | str


class Scalar(NamedTuple):
    """A number worth a curve."""

    tag: str
    value: float
    step: int | None  # None: the next one of its tag


class Notice(NamedTuple):
    """A line for a person who watches."""

    label: str
    text: str
    live: bool = False  # it takes the place of the last one with its label
    warning: bool = False


class Figure(NamedTuple):
    """Curves in one picture."""

    name: str  # of its file
    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    table: str = ""  # the same as CSV, where somebody may want the numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a run. When, is filled in by who tells it."""

    kind: ClassVar[str]  # its name in the log
    notice: ClassVar[Notice | None] = None
    iteration: int = 0
    minutes: float = 0.0  # of training

    @property
    def logged(self) -> bool:
        """Whether the log keeps it."""
        return True

    def fields(self) -> dict[str, Field]:
        """Its own fields as the log has them: a mapping lies flat among the others."""
        found: dict[str, Field] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Mapping):
                found |= value
            elif value is not None and field.name not in _COMMON:
                found[field.name] = value
        return found

    def scalars(self) -> Iterable[Scalar]:
        """What TensorBoard shows of it."""
        return ()

    def notices(self) -> Iterator[Notice]:
        """What the command line shows of it."""
        if self.notice is not None:
            yield self.notice._replace(text=self.notice.text.format_map(self.fields()))

    @classmethod
    def figures(cls, events: Sequence[Self]) -> Iterable[Figure]:  # noqa: ARG003
        """What can be drawn of all events of a run that are of this class."""
        return ()


E = TypeVar("E", bound=Event)


@dataclass_transform(frozen_default=True)
def event(
    kind: str, notice: str = "", *, label: str = "", live: bool = False, warning: bool = False
) -> Callable[[type[E]], type[E]]:
    """Makes a class of events of a class of fields; `kind` is its name in the log.

    `notice` is what the command line shows of it, with its fields in braces.
    """

    def make(fields_of: type[E]) -> type[E]:
        made = dataclass(frozen=True, slots=True)(fields_of)
        made.kind = kind
        made.notice = Notice(label or kind, notice, live, warning) if notice else None
        return message(made)

    return make


_COMMON = frozenset(field.name for field in fields(Event))

Observer = Callable[[Event], None]


def of_type(events: Iterable[Event], kind: type[E]) -> list[E]:
    """Those events that are of this class."""
    return [event for event in events if isinstance(event, kind)]


@event("start", "with the net in {model}")
class StartedFromModel(Event):
    """`run.start_from` was a model."""

    model: str


@event("start")
class StartedFromGames(Event):
    """`run.start_from` was a collection of games."""

    games: int
    positions: int
    left_out: int  # games that could not be used

    def notices(self) -> Iterator[Notice]:
        left_out = f", {self.left_out:,} left out" if self.left_out else ""
        yield Notice(
            "start", f"with {self.positions:,} positions of {self.games:,} games{left_out}"
        )


@event("resumed", "{games:,} games, version {version}")
class Resumed(Event):
    """A run goes on that was stopped or killed."""

    games: int
    version: int


@event("damaged", "{file}: it is damaged", label="set aside", warning=True)
class ShardSetAside(Event):
    """A file of stored games was damaged."""

    file: str


@event("missing")
class GamesMissing(Event):
    """Files of stored games have been lost or emptied since the run was stopped."""

    found: int
    noted: int

    def notices(self) -> Iterator[Notice]:
        text = f"{self.noted - self.found:,} of {self.noted:,} games are not there any more"
        yield Notice("missing", text, warning=True)


@event("games")
class GamesPlayed(Event):
    """So many of the iteration's games are stored."""

    done: int
    total: int
    positions_per_second: float
    evaluations_per_second: int

    @property
    def logged(self) -> bool:
        return self.done == self.total  # single games would fill the log

    def scalars(self) -> Iterator[Scalar]:
        if self.done == self.total:
            tag = "selfplay/positions_per_second"
            yield Scalar(tag, self.positions_per_second, self.iteration)

    def notices(self) -> Iterator[Notice]:
        text = (
            f"iteration {self.iteration}: {self.done:,} of {self.total:,} games, "
            f"{self.positions_per_second:,.0f} positions/s, "
            f"{self.evaluations_per_second:,.0f} evaluations/s"
        )
        yield Notice("play", text, live=True)


# Heads of nets whose losses everybody shows: moves, how games end, and what searches think of that.
MAIN_HEADS = ("policy", "result", "value")


@event("loss")
class LossMeasured(Event):
    """Mean losses over the latest batches."""

    losses: Mapping[str, float]  # by head: value, policy or result, and auxiliary ones
    step: int
    net: str | None = None  # where a method has several

    def scalars(self) -> Iterator[Scalar]:
        name = f"loss/{self.net}" if self.net else "loss"
        for head, loss in self.losses.items():
            yield Scalar(f"{name}/{head}", loss, self.step)

    def notices(self) -> Iterator[Notice]:
        net = f"{self.net} net, " if self.net else ""
        losses = ", ".join(
            f"{head} loss {self.losses[head]:.3f}" for head in MAIN_HEADS if head in self.losses
        )
        yield Notice("learn", f"{net}step {self.step:,}: {losses}", live=True)


@event("learning")
class StillLearning(Event):
    """A net is at this batch: told where nothing is measured, so that the clock is looked at."""

    step: int

    @property
    def logged(self) -> bool:
        return False


@event("gate")
class GateDecided(Event):
    """A candidate's match with the best version is over."""

    wins: int
    draws: int
    losses: int
    accepted: bool

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def scalars(self) -> Iterator[Scalar]:
        if self.games:
            score = (self.wins + self.draws / 2) / self.games
            yield Scalar("gate/score", score, self.iteration)

    def notices(self) -> Iterator[Notice]:
        if self.games:
            verdict = "accepted" if self.accepted else "not better"
            score = f"+{self.wins} ={self.draws} -{self.losses}"
            text = f"iteration {self.iteration}: {score}, {verdict}"
            yield Notice("gate", text, warning=not self.accepted)


@event("version", "{version} after {games:,} games")
class VersionArchived(Event):
    """A net became a version, after so many games of the run."""

    version: int
    games: int

    def scalars(self) -> Iterator[Scalar]:
        yield Scalar("version", self.version, self.iteration)


@event("probes", "version {version}: {right:.0%} of {asked} answered rightly")
class ProbesMeasured(Event):
    """How many probes a version answered rightly, with a search as small as `search` says."""

    shares: Mapping[str, float]  # by theme, and by theme and label: `stop three`, `stop three, row`
    version: int
    right: float  # share of all that were asked
    asked: int
    search: str

    def scalars(self) -> Iterator[Scalar]:
        yield Scalar("probes/all", self.right, self.version)
        for name, share in self.shares.items():
            tag = name.replace(", ", "/")  # a comma would end it in a table
            yield Scalar(f"probes/{tag}", share, self.version)

    @classmethod
    def figures(cls, events: Sequence[Self]) -> Iterator[Figure]:
        """A curve for each theme, and one for each label that several themes have."""
        from boardzero.arena.plots import Curve

        # Who was killed before it was noted measures a version again.
        found = list({event.version: event for event in events}.values())
        names = list(dict.fromkeys(name for event in found for name in event.shares))
        labels = [name.partition(", ")[2] for name in names if ", " in name]
        groups = {
            "probes": {name: [name] for name in names if ", " not in name},
            "probes-where": {
                label: [name for name in names if name.endswith(f", {label}")]
                for label in dict.fromkeys(labels)
                if labels.count(label) > 1
            },
        }
        for figure, curves in groups.items():
            drawn = []
            for label, parts in curves.items():
                own = [event for event in found if any(name in event.shares for name in parts)]
                means = [fmean(e.shares[n] for n in parts if n in e.shares) for e in own]
                drawn.append(Curve(label, [event.version for event in own], means))
            if drawn:
                title = "probes answered rightly" + (", by label" if "-" in figure else "")
                yield Figure(figure, title, "version", "share", drawn)


@event("stopped")
class Stopped(Event):
    """Training ends for now."""

    reason: str  # "done", "time" or "interrupted"


@event("refused", "from {worker} on {node}: {reason}", warning=True)
class MessageRefused(Event):
    """A worker sent what cannot be used, which makes so many in all."""

    worker: str
    node: str
    count: int
    reason: str


@event("dismissed", "{worker} on {node}: {reason}", warning=True)
class WorkerStopped(Event):
    """A worker cannot be used, and was stopped for good."""

    worker: str
    node: str
    reason: str = ""  # of an older log it is not known


@event("odd", "games of {worker} on {node}: {reason}", warning=True)
class GamesOdd(Event):
    """A worker's games are legal, and unlike those of the other workers."""

    worker: str
    node: str
    reason: str


@event("workers", "{workers} on {nodes} nodes")
class ClusterResized(Event):
    """Workers or nodes of a cluster have come or gone."""

    workers: int
    nodes: int
    dashboard: str

    def scalars(self) -> Iterator[Scalar]:
        yield Scalar("cluster/workers", self.workers, None)
        yield Scalar("cluster/nodes", self.nodes, None)


@dataclass(frozen=True, slots=True)
class WorkerStats:
    """How one worker is doing."""

    name: str
    node: str
    evaluations_per_second: int
    games: int
    refused: int
    steps: float = 0.0  # of its newest games, on average
    draws: float = 0.0  # their share
    odd: bool = False  # they are unlike those of the others


@event("worker")
class WorkerMeasured(Event):
    """How a worker of a cluster is doing, told again every few seconds."""

    stats: WorkerStats

    @property
    def logged(self) -> bool:
        return False  # beats of single workers would fill the log

    def fields(self) -> dict[str, Field]:
        return asdict(self.stats)

    def scalars(self) -> Iterator[Scalar]:
        tag = f"workers/{self.stats.name} on {self.stats.node}/evaluations_per_second"
        yield Scalar(tag, self.stats.evaluations_per_second, self.stats.games)


# All that the log of any run may hold.
EVENTS: tuple[type[Event], ...] = (
    StartedFromModel,
    StartedFromGames,
    Resumed,
    ShardSetAside,
    GamesMissing,
    GamesPlayed,
    LossMeasured,
    GateDecided,
    VersionArchived,
    ProbesMeasured,
    Stopped,
    MessageRefused,
    WorkerStopped,
    GamesOdd,
    ClusterResized,
)
