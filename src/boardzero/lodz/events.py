"""What happens in runs of nets that pick a piece, then its move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

from boardzero.arena.plots import Curve
from boardzero.runs.events import Event, Figure, Notice, Scalar, event

_POINTS = 500  # of a curve of test games, of which a long run has many more


@event("data", "{done:,} of {total:,} games, {positions:,} positions", live=True)
class DataMade(Event):
    """So many games of the data set are there."""

    done: int
    total: int
    positions: int


@event("samples")
class SamplesSplit(Event):
    """Which positions of a data set are learned, and which are held back."""

    learned: int
    held: int
    there: int  # in all


@event("fit")
class EpochFitted(Event):
    """A pass over the data set is done."""

    losses: Mapping[str, float]  # by net
    epoch: int
    epochs: int
    piece_match: float | None = None  # how often the net would have moved the players' piece,
    move_match: float | None = None  # and to where they did, in positions held back

    @property
    def matches(self) -> dict[str, float]:
        """Those that were measured, by net."""
        found = {"piece": self.piece_match, "move": self.move_match}
        return {name: share for name, share in found.items() if share is not None}

    def scalars(self) -> Iterator[Scalar]:
        for name, loss in self.losses.items():
            yield Scalar(f"fit/{name}", loss, self.epoch)
        for name, share in self.matches.items():
            yield Scalar(f"fit/{name}_match", share, self.epoch)

    def notices(self) -> Iterator[Notice]:
        losses = ", ".join(f"{name} {loss:.5f}" for name, loss in self.losses.items())
        matches = f"; the players' piece {self.piece_match:.1%}" if self.matches else ""
        text = f"epoch {self.epoch} of {self.epochs}: loss {losses}{matches}"
        yield Notice("learn", text, live=True)

    @classmethod
    def figures(cls, events: Sequence[Self]) -> Iterator[Figure]:
        losses = [(event.epoch, event.losses) for event in events]
        matches = [(event.epoch, event.matches) for event in events]
        for name, curves in (("loss", _by_net(losses)), ("matches", _by_net(matches))):
            if curves:
                yield Figure(name, name, "epoch", name, curves)


@event("cycles")
class CyclesDone(Event):
    """How far Q-learning is, told again every few seconds."""

    done: int
    total: int
    cycles_per_second: float
    explore: float  # share of random moves
    legal: float  # share of choices in recent test games whose first try was legal
    piece: float  # losses of the nets
    move: float

    def scalars(self) -> Iterator[Scalar]:
        for name in ("legal", "explore", "cycles_per_second", "piece", "move"):
            yield Scalar(f"cycles/{name}", getattr(self, name), self.done)

    def notices(self) -> Iterator[Notice]:
        text = f"cycle {self.done:,} of {self.total:,}, {self.cycles_per_second:.1f} a second"
        yield Notice("play", f"{text}, {self.explore:.0%} at random", live=True)
        losses = f"loss piece {self.piece:.5f}, move {self.move:.5f}"
        yield Notice("learn", f"legal at first choice {self.legal:.1%}, {losses}", live=True)


@event("test")
class ChoicesTested(Event):
    """A test game, in which the nets choose without chance; its cycle is the iteration."""

    decisions: int
    first: int  # whose first choice was legal
    wrong: int  # tries that were illegal

    @classmethod
    def figures(cls, events: Sequence[Self]) -> Iterator[Figure]:
        """Test games in groups, so that there are not more than so many points."""
        size = max(1, -(-len(events) // _POINTS))
        groups = [events[start : start + size] for start in range(0, len(events), size)]
        cycles = [group[-1].iteration for group in groups]
        sums = [
            (
                sum(e.decisions for e in group),
                sum(e.first for e in group),
                sum(e.wrong for e in group),
            )
            for group in groups
        ]
        lines = ["cycle,decisions,legal at first choice,illegal tries"]
        lines += [f"{cycle},{d},{f},{w}" for cycle, (d, f, w) in zip(cycles, sums, strict=True)]
        curves = [
            Curve("legal at first choice", cycles, [first / all_ for all_, first, _ in sums]),
            Curve("legal, of all tries", cycles, [d / (d + wrong) for d, _, wrong in sums]),
        ]
        title, table = "choices in test games", "\n".join(lines) + "\n"
        if events:
            yield Figure("choices", title, "cycle", "share", curves, table)


def _by_net(found: Sequence[tuple[int, Mapping[str, float]]]) -> list[Curve]:
    """A curve for each net, over epochs."""
    curves = []
    for net in dict.fromkeys(net for _, values in found for net in values):
        own = [(epoch, values[net]) for epoch, values in found if net in values]
        curves.append(Curve(net, [epoch for epoch, _ in own], [value for _, value in own]))
    return curves
