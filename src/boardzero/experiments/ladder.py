"""The levels of a game: chosen so that each is a step above the one before, and measured.

A step is the Elo difference of a match between two neighbours; ratings are the sums of steps from
`random`, which has 0. Levels are climbed from the weakest player on: of those that follow, the one
nearest to an even step comes next. Then each step is played on until its interval is narrow enough,
and a step that turns out too small or too large is chosen anew. Results are kept in a file, so that
measuring goes on where it was, and a new champion costs only the games that it plays itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path

from pydantic import ValidationError

from boardzero.arena import RandomOpenings, Score, Terms, pair_elo, play_game
from boardzero.arena.competition import seat_score
from boardzero.arena.play_game import Scoresheet
from boardzero.arena.schedule import Pairing, Schedule, derived_seed
from boardzero.base.data_home import data_home
from boardzero.base.errors import BoardZeroError
from boardzero.base.files import write_file
from boardzero.base.sections import Section, first_problem
from boardzero.base.specs import Spec, parse_spec
from boardzero.games import Game
from boardzero.games.traits import LEAST_LEVELS, LEVEL_NAMES, level_names
from boardzero.models.champions import (
    ChampionLevel,
    Difference,
    Levels,
    RatedPlayer,
    levels_file,
    read_levels,
)
from boardzero.players import Player, make_player
from boardzero.players.level import top_player
from boardzero.players.registry import with_seed

SMALLEST, LARGEST = 100.0, 250.0  # Elo of a step
EVEN = (175.0, 130.0)  # that is aimed at; less where there would be too few levels
WITHIN = 40.0  # Elo to each side of a step, by its 95 % interval
SECONDS = 0.1  # that a level below the champion may think about a move
_PROBE = 60  # games that say roughly how large a step is
_BATCH = 12  # games between two looks at the result: all seatings of two and of three seats
_PLIES = 4  # of random openings
_LONGEST = 300  # plies
_ROUNDS = 4  # of choosing steps anew


class _Pair(Section):
    """Games between two players so far, seen by the first."""

    players: tuple[str, str]
    nets: tuple[str, str] = ("", "")  # fingerprints of what they have learned
    wins: int = 0
    draws: int = 0
    losses: int = 0


class _Kept(Section):
    """The file of results."""

    game: str
    seed: int
    cpu_seconds: float = 0.0
    pairs: tuple[_Pair, ...] = ()


@dataclass(frozen=True, slots=True)
class Bounds:
    """When measuring ends."""

    within: float = WITHIN  # Elo to each side of a step
    games: int = 1000  # of one step at most; few of them leave the choice to chance
    cpu_minutes: float = float("inf")  # of this call


class OutOfTimeError(Exception):
    """The processor time of this call is used up; what was played is kept."""


@dataclass
class Measurement:
    """Matches between players of one game, played in this process and kept in a file."""

    game: Game
    path: Path
    seed: int = 0
    bounds: Bounds = field(default_factory=Bounds)
    tell: Callable[[str], None] = lambda _: None

    def __post_init__(self) -> None:
        self._nets: dict[str, str] = {}
        self._news: set[str] = set()
        self._learned: dict[tuple[str, int], Player] = {}
        self._scores: dict[tuple[tuple[str, str], tuple[str, str]], Score] = {}
        self.cpu_seconds = 0.0
        self._begun = time.process_time()
        self._read()

    def difference(self, stronger: str, weaker: str) -> Difference:
        """What is known of a pair."""
        score = self._score(stronger, weaker)
        value, low, high = pair_elo(score.wins, score.draws, score.losses)
        ends = [None if abs(end) == float("inf") else round(end, 1) for end in (low, high)]
        return Difference(elo=round(value, 1), low=ends[0], high=ends[1], games=score.games)

    def probe(self, stronger: str, weaker: str) -> Difference:
        """Roughly how much stronger one is: more games only while a good step is possible."""
        while True:
            found = self.difference(stronger, weaker)
            low, high = found.low, found.high
            enough = found.games >= _BATCH and (
                (high is not None and high < SMALLEST) or (low is not None and low > LARGEST)
            )
            if enough or found.games >= min(_PROBE, self.bounds.games):
                return self._told(found, stronger, weaker)
            self.play(stronger, weaker, found.games + _BATCH)

    def refine(self, stronger: str, weaker: str) -> Difference:
        """Play until the interval is narrow enough, or the bounds are reached."""
        while True:
            found = self.difference(stronger, weaker)
            narrow = found.within(self.bounds.within) and found.games >= _PROBE
            if narrow or found.games >= self.bounds.games:
                return self._told(found, stronger, weaker)
            self.play(stronger, weaker, self._wanted(found))

    def play(self, one: str, other: str, games: int) -> None:
        """Play on until the pair has met so often; kept every few seconds."""
        done = self._score(one, other).games
        order = (one, other) if self._key(one, other) in self._scores else self._order(one, other)
        before = time.process_time()
        for pairing in islice(self._pairings(games), done, None):
            self._add(order, self._game(order, pairing))
            if time.process_time() - before > 2:
                self._spend(before)
                before = time.process_time()
        self._spend(before)

    def seconds(self, player: str) -> float:
        """The longest of a few thoughts in positions of a game, in processor time."""
        thinker = self._make(player, 0)
        longest = 0.0
        for opening in islice(RandomOpenings(16).of(self.game, seed=self.seed), 8):
            state = opening.state(self.game)
            before = time.process_time()
            thinker.choose(state)
            longest = max(longest, time.process_time() - before)
        thinker.close()
        return longest

    def _told(self, found: Difference, stronger: str, weaker: str) -> Difference:
        news = f"{stronger} above {weaker}: {found.text}"
        if news not in self._news:
            self._news.add(news)
            self.tell(news)
        return found

    # Games

    def _pairings(self, games: int) -> Iterator[Pairing]:
        schedule = Schedule(((0, 1),), games)
        return schedule.pairings(self.game, RandomOpenings(_PLIES), seed=self.seed)

    def _game(self, pair: tuple[str, str], pairing: Pairing) -> Score:
        """One game, seen by the first of the pair."""
        players = [
            self._player(pair[who], seat, derived_seed(self.seed, pairing.number, seat))
            for seat, who in enumerate(pairing.seating)
        ]
        names = tuple(player.spec for player in players)
        sheet = Scoresheet(self.game.spec, names, pairing.opening)
        terms = Terms(max_plies=_LONGEST)
        return seat_score(
            play_game(self.game, players, sheet=sheet, terms=terms), pairing.seating, 0
        )

    def _player(self, spec: str, seat: int, seed: int) -> Player:
        """One for this game; nets are opened once, and search without chance."""
        if not self._net(spec):
            return self._make(spec, seed)
        if (spec, seat) not in self._learned:
            self._learned[spec, seat] = self._make(spec, seat)
        return self._learned[spec, seat]

    def _make(self, player: str, seed: int) -> Player:
        return make_player(with_seed(player, seed), self.game)

    # Results

    def _score(self, one: str, other: str) -> Score:
        known = self._scores.get(self._key(one, other))
        if known is not None:
            return known
        known = self._scores.get(self._key(other, one))
        return Score() if known is None else known.reversed

    def _order(self, one: str, other: str) -> tuple[str, str]:
        return (other, one) if self._key(other, one) in self._scores else (one, other)

    def _key(self, one: str, other: str) -> tuple[tuple[str, str], tuple[str, str]]:
        return (one, other), (self._net(one), self._net(other))

    def _net(self, player: str) -> str:
        if player not in self._nets:
            made = self._make(player, 0)
            self._nets[player] = made.fingerprint
            made.close()
        return self._nets[player]

    def _add(self, pair: tuple[str, str], score: Score) -> None:
        key = self._key(*pair)
        self._scores[key] = self._scores.get(key, Score()) + score

    def _wanted(self, found: Difference) -> int:
        """Games after which the interval should be narrow enough, a little at a time."""
        if found.low is None or found.high is None or found.games < _PROBE:
            return max(_PROBE, found.games + _BATCH)
        reach = (found.high - found.low) / 2
        enough = min(found.games * (reach / self.bounds.within) ** 2, 3 * found.games)
        return min(self.bounds.games, max(found.games + _BATCH, round(enough)))

    def _spend(self, since: float) -> None:
        self.cpu_seconds += time.process_time() - since
        self._write()
        if time.process_time() - self._begun > 60 * self.bounds.cpu_minutes:
            raise OutOfTimeError

    def _read(self) -> None:
        if not self.path.is_file():
            return
        try:
            kept = _Kept.model_validate_json(self.path.read_text())
        except ValidationError as error:
            why = first_problem(error)
            raise BoardZeroError(f"{self.path} holds no results of levels: {why}") from None
        if kept.game != self.game.spec or kept.seed != self.seed:
            has = f"{kept.game} with seed {kept.seed}"
            raise BoardZeroError(f"{self.path} is about {has}; choose another file")
        self.cpu_seconds = kept.cpu_seconds
        for pair in kept.pairs:
            score = Score(pair.wins, pair.draws, pair.losses)
            self._scores[(pair.players, pair.nets)] = score

    def _write(self) -> None:
        pairs = tuple(
            _Pair(players=who, nets=nets, wins=s.wins, draws=s.draws, losses=s.losses)
            for (who, nets), s in self._scores.items()
        )
        kept = _Kept(
            game=self.game.spec,
            seed=self.seed,
            cpu_seconds=round(self.cpu_seconds, 1),
            pairs=pairs,
        )
        write_file(self.path, f"{kept.model_dump_json(indent=1)}\n")


@dataclass(frozen=True, slots=True)
class Candidates:
    """Who may become a level, from weak to strong; the last is the champion."""

    players: tuple[str, ...]
    others: tuple[str, ...]  # players that are put on the same scale, `random` first


def climb(
    measured: Measurement, players: tuple[str, ...], even: float = EVEN[0]
) -> tuple[str, ...]:
    """A ladder of even steps from the first of the players to the last, by rough matches.

    If time runs out on the way, it has the levels found so far and the last player.
    """
    ladder = [players[0]]
    at, last = 0, len(players) - 1
    with suppress(OutOfTimeError):
        while at < last:
            found = _next(measured, players, at, even)
            if found is None:  # the champion is too near
                if len(ladder) > 1:
                    ladder.pop()
                found = last
            ladder.append(players[found])
            at = found
    if ladder[-1] != players[last]:
        ladder.append(players[last])
    return _at_most(measured, ladder)


def _next(measured: Measurement, players: tuple[str, ...], at: int, even: float) -> int | None:
    """The place of the player that is nearest to an even step above the one at a place."""
    best: int | None = None
    nearest = float("inf")
    for place in range(at + 1, len(players)):
        elo = measured.probe(players[place], players[at]).elo
        if elo >= SMALLEST and abs(elo - even) < nearest:
            best, nearest = place, abs(elo - even)
        if elo >= even:
            break
    return best


def _at_most(measured: Measurement, ladder: list[str]) -> tuple[str, ...]:
    """No more levels than there are names: where two steps together are smallest, one goes."""
    while len(ladder) > len(LEVEL_NAMES):
        steps = [measured.difference(high, low).elo for low, high in pairwise(ladder)]
        sums = [one + two for one, two in pairwise(steps)]
        del ladder[1 + sums.index(min(sums))]
    return tuple(ladder)


def climb_evenly(measured: Measurement, players: tuple[str, ...]) -> tuple[str, ...]:
    """With smaller steps, where larger ones would leave too few levels."""
    ladder: tuple[str, ...] = ()
    for even in EVEN:
        ladder = climb(measured, players, even)
        if len(ladder) >= LEAST_LEVELS:
            break
    return ladder


def choose(measured: Measurement, players: tuple[str, ...]) -> tuple[str, ...]:
    """A ladder whose steps are measured; those out of bounds are chosen anew a few times."""
    ladder = climb_evenly(measured, players)
    for _ in range(_ROUNDS):
        for low, high in pairwise(ladder):
            measured.refine(high, low)
        again = climb_evenly(measured, players)
        if again == ladder:
            break
        ladder = again
    return ladder


def rate(measured: Measurement, ladder: tuple[str, ...], others: tuple[str, ...]) -> Levels:
    """What is known of the players as levels; `random` is the first of the others."""
    zero = measured.difference(ladder[0], others[0])
    steps = [measured.difference(high, low) for low, high in pairwise(ladder)]
    ratings: list[float | None] = [zero.elo]
    for step in steps:
        below = ratings[-1]
        ratings.append(None if below is None or not step.games else below + step.elo)
    names = level_names(len(ladder))
    return Levels(
        levels=tuple(
            ChampionLevel(
                name=name,
                player=player,
                rating=None if rating is None else round(rating),
                step=step if step is not None and step.games else None,
                seconds=round(measured.seconds(player), 4),
            )
            for name, player, rating, step in zip(
                names, ladder, ratings, (None, *steps), strict=True
            )
        ),
        others=tuple(
            found
            for other in others
            if (found := _rated(measured, other, ladder, ratings, names)) is not None
        ),
        cpu_seconds=round(measured.cpu_seconds, 1),
    )


def place_others(
    measured: Measurement, ladder: tuple[str, ...], others: tuple[str, ...], games: int
) -> None:
    """Let every other player meet the level that is nearest to it."""
    measured.play(ladder[0], others[0], games)
    for other in others[1:]:
        low, high = 0, len(ladder) - 1
        while low < high:  # the highest level that it is not weaker than
            middle = (low + high + 1) // 2
            measured.play(other, ladder[middle], _BATCH)
            if measured.difference(other, ladder[middle]).elo >= 0:
                low = middle
            else:
                high = middle - 1
        measured.play(other, ladder[low], games)


def _rated(
    measured: Measurement,
    other: str,
    ladder: tuple[str, ...],
    ratings: list[float | None],
    names: tuple[str, ...],
) -> RatedPlayer | None:
    """By the level that it met most; None if it met none that is rated."""
    known = [measured.difference(other, level) for level in ladder]
    place = max(range(len(ladder)), key=lambda at: known[at].games)
    rating = ratings[place]
    if rating is None or not known[place].games:
        return None
    return RatedPlayer(
        player=other,
        rating=round(rating + known[place].elo),
        level=names[place],
        difference=known[place],
    )


def candidates(measured: Measurement, champion: str | None) -> Candidates:
    """Who may become a level of the game, given its champion.

    The strongest of the two summits, the champion and the best player by hand, is the last level;
    whose it is also gives the levels that search without a margin. None below it thinks too long.
    """
    classic = measured.game.traits.players
    summit, own = classic.summit, False
    if champion is not None:
        measured.play(champion, summit, _BATCH)
        own = measured.difference(champion, summit).elo >= 0
    rungs = [
        rung for spec in classic.rungs if (rung := _by(champion, spec) if own else spec) is not None
    ]
    if own and champion is not None:
        summit = champion
        rungs += _fewer_simulations(champion)
    quick = tuple(rung for rung in rungs if measured.seconds(rung) <= SECONDS)
    depths = tuple(f"alphabeta:depth={n}" for n in (2, 4, 6))
    fixed = depths if measured.game.players == 2 else tuple(f"maxn:depth={n}" for n in (1, 2, 3))
    return Candidates((*quick, summit), ("random", *fixed))


def _by(champion: str | None, spec: str) -> str | None:
    """A rung without a margin, by the net of the champion if that searches in the same way."""
    rung = parse_spec(spec)
    best = parse_spec(champion or "")
    if "margin" in rung.options:
        return spec
    if best.name != rung.name:
        return None
    net = {name: best.options[name] for name in ("eval", "model", "run") if name in best.options}
    return str(Spec(rung.name, {**rung.options, **net}))


def _fewer_simulations(champion: str) -> list[str]:
    """The champion with less search, where that is counted in simulations."""
    spec = parse_spec(champion)
    most = int(spec.options.get("sims", 0))
    counts = [2**power for power in range(1, 12) if 2**power * 2 <= most]
    return [str(Spec(spec.name, {**spec.options, "sims": str(count)})) for count in counts]


def measure(
    measured: Measurement, champion: str | None, *, keep: tuple[str, ...] = (), games: int = 100
) -> Levels | None:
    """Choose and measure the levels of a game, or measure the players of an earlier ladder again.

    None if there are too few levels, mostly because the time did not last; steps that were not
    reached are as wide as they are.
    """
    ladder = keep
    others: tuple[str, ...] = ("random",)
    with suppress(OutOfTimeError):
        who = candidates(measured, champion)
        others = who.others
        ladder = keep or climb_evenly(measured, who.players)
        place_others(measured, ladder, others, games)
        if keep:
            for low, high in pairwise(ladder):
                measured.refine(high, low)
        else:
            ladder = choose(measured, who.players)
            place_others(measured, ladder, others, games)
    return rate(measured, ladder, others) if len(ladder) >= LEAST_LEVELS else None


def measure_levels(
    game: Game,
    *,
    anew: bool = True,
    bounds: Bounds,
    seed: int = 0,
    results: Path | None = None,
    tell: Callable[[str], None],
) -> None:
    """Measure the levels of a game and write them beside its champion; `anew` chooses them too."""
    path = levels_file(game)
    kept = results or data_home() / "levels" / f"{path.parent.name}.json"
    measured = Measurement(game, kept, seed=seed, bounds=bounds, tell=tell)
    earlier = None if anew else read_levels(game)
    keep = () if earlier is None else tuple(level.player for level in earlier.levels)
    found = measure(measured, top_player(game), keep=keep)
    if found is None:
        tell(
            f"there are fewer than {LEAST_LEVELS} levels so far; with more time "
            f"'boardzero levels {game.spec} --choose' goes on"
        )
        return
    write_file(path, f"{found.model_dump_json(indent=2)}\n")
    tell(f"{found.cpu_seconds or 0:.0f} s of processor time in all; wrote {path}")
