"""How many probes a player answers rightly, in all, by theme, and by theme and label."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from boardzero.base.errors import BoardZeroError
from boardzero.games import Game, make, plays_alike
from boardzero.players import Limit, Player, make_player, player_spec
from boardzero.players.registry import with_seed
from boardzero.probes.probe import Probe, probes_of

# A small search, where nobody says another: of PUCT and UCT simulations, of the others nodes.
SMALL = Limit(simulations=100, nodes=5000)
_BUDGETS = ("sims", "nodes", "time", "depth", "rollouts")  # options by which a spec has its own


class Slice(NamedTuple):
    """Probes of one theme, or of one label in it."""

    theme: str
    label: str = ""

    def __str__(self) -> str:
        return f"{self.theme}, {self.label}" if self.label else self.theme

    @classmethod
    def parse(cls, text: str) -> Slice:
        """The slice that is written so."""
        theme, _, label = text.partition(", ")
        return cls(theme, label)


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """Probes asked, and of those the ones that were answered rightly."""

    game: str
    player: str
    counts: Mapping[Slice, tuple[int, int]]  # right and asked
    right: int
    asked: int
    seconds: float

    @property
    def shares(self) -> dict[Slice, float]:
        """Of right answers, by slice."""
        return {slice_: right / asked for slice_, (right, asked) in self.counts.items()}

    @property
    def themes(self) -> list[str]:
        """What was asked for."""
        return [slice_.theme for slice_ in self.counts if not slice_.label]

    def labels(self, theme: str) -> list[str]:
        """Those of a theme's probes."""
        return [s.label for s in self.counts if s.theme == theme and s.label]


def measure_player(
    spec: str, game: Game, *, limit: Limit | None = None, probes: Sequence[Probe] | None = None
) -> ProbeReport:
    """Ask a player, by spec or level, the probes of a game; says so if there are none.

    Without a limit the player's own budget counts, and `SMALL` if its spec has none.
    """
    asked = probes_of(game) if probes is None else probes
    if not asked:
        raise BoardZeroError(f"there are no probes of {game.spec}")
    for probe in asked:
        if not plays_alike(probe.game, game.spec):
            raise BoardZeroError(f"these are probes of {probe.game}, not of {game.spec}")
    known = player_spec(spec, game)
    if limit is None:
        has_own = any(name in known.options for name in _BUDGETS)
        limit = Limit() if has_own else SMALL
    with closing(make_player(with_seed(str(known), 1), game)) as player:
        return measure(player, asked, limit)


def measure(
    player: Player, probes: Sequence[Probe], limit: Limit = SMALL, *, seconds: float | None = None
) -> ProbeReport:
    """Ask a player these probes, of one game; after so many seconds the rest is left out."""
    game = make(probes[0].game)
    begun = time.monotonic()
    rights: Counter[Slice] = Counter()
    totals: Counter[Slice] = Counter()
    asked = right = 0
    for probe in probes:
        if asked and seconds is not None and time.monotonic() - begun >= seconds:
            break
        player.new_game()  # nothing is known from the probe before
        is_right = probe.is_right(player.choose(game.parse_fen(probe.fen), limit).move.text)
        totals.update(_slices(probe))
        rights.update(_slices(probe) if is_right else ())
        asked, right = asked + 1, right + is_right
    counts = {found: (rights[found], totals[found]) for found in _in_order(probes, totals)}
    return ProbeReport(game.spec, player.spec, counts, right, asked, time.monotonic() - begun)


def _slices(probe: Probe) -> Iterator[Slice]:
    yield Slice(probe.theme)
    for label in probe.labels:
        yield Slice(probe.theme, label)


def _in_order(probes: Iterable[Probe], asked: Mapping[Slice, int]) -> Iterator[Slice]:
    """Each theme with its labels."""
    known = list(dict.fromkeys(slice_ for probe in probes for slice_ in _slices(probe)))
    for theme in (slice_.theme for slice_ in known if not slice_.label):
        yield from (slice_ for slice_ in known if slice_.theme == theme and asked[slice_])
