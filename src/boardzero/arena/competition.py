"""Matches, tournaments, gauntlets and sequential tests: schedules that are played and kept.

Each game is stored as it finishes. A competition with the settings of an earlier one is that
one: it goes on where it was, and if it was complete nothing is played again.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from boardzero import __version__
from boardzero.arena.openings import Openings, RandomOpenings
from boardzero.arena.play_game import FAULTS
from boardzero.arena.pool import play_all
from boardzero.arena.schedule import Pairing, Schedule, derived_seed, gauntlet, round_robin
from boardzero.arena.score import Score
from boardzero.arena.sprt import Sprt
from boardzero.arena.terms import Terms
from boardzero.arena.worker import GameTask
from boardzero.base.errors import BoardZeroError
from boardzero.base.processes import cores, leave_unguarded_script
from boardzero.games import Game, make
from boardzero.players import make_player
from boardzero.store import GameResult, MatchKind, MatchRecord, PlayedGame, Store
from boardzero.workers.launcher import Launcher


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionPlan:
    """What is to be played. Names of games and players are checked, and written in one way."""

    kind: MatchKind
    game: str
    players: tuple[str, ...]
    games: int  # of each pair, or each group of three
    openings: Openings = field(default_factory=RandomOpenings)
    terms: Terms = field(default_factory=Terms)
    seed: int = 0
    sprt: tuple[float, float] | None = None  # Elo of the two hypotheses
    nets: tuple[str, ...] = field(init=False)  # fingerprints of what the players have learned

    def __post_init__(self) -> None:
        rules = make(self.game)
        known = [_canonical(player, rules) for player in self.players]
        object.__setattr__(self, "game", rules.spec)
        object.__setattr__(self, "players", tuple(spec for spec, _ in known))
        object.__setattr__(self, "nets", tuple(net for _, net in known))
        self._check(rules)

    def _check(self, rules: Game) -> None:
        if len(self.players) < 2:
            raise BoardZeroError(f"a {self.kind} needs at least two players")
        if self.games < 1:
            raise BoardZeroError(f"a {self.kind} needs at least one game, not {self.games}")
        if self.kind in ("match", "sprt"):
            if len(self.players) > 2:
                raise BoardZeroError(f"a match has two players, not {len(self.players)}")
        elif len(set(self.players)) < len(self.players):
            twice = next(p for p in self.players if self.players.count(p) > 1)
            raise BoardZeroError(f"{twice} is in the {self.kind} twice")
        if self.sprt is not None:
            Sprt(*self.sprt)  # refuses bounds that make no sense
            if rules.players != 2:
                seats = f"{rules.name} has {rules.players} seats"
                raise BoardZeroError(f"a sequential test needs a game of two, and {seats}")

    def pairings(self) -> Iterator[Pairing]:
        """Every game to be played: who sits where, and how it begins."""
        rules = make(self.game)
        players = len(self.players)
        everybody = round_robin(players, rules.players)
        groups = gauntlet(players) if self.kind == "gauntlet" else everybody
        return Schedule(groups, self.games).pairings(rules, self.openings, seed=self.seed)

    def settings(self) -> str:
        """All that the games depend on, but not how many there are: more can be asked for later."""
        settings = {
            "boardzero": __version__,
            "players": self.players,
            "openings": self.openings.settings(),
            "terms": self.terms.settings(),
            "seed": self.seed,
            "sprt": self.sprt,
        }
        return json.dumps(settings | ({"nets": self.nets} if any(self.nets) else {}))


class Competition:
    """A plan and the games that were played of it, in this run or earlier ones."""

    def __init__(self, plan: CompetitionPlan, store: Store, *, fresh: bool = False) -> None:
        """`fresh` starts anew even if there is an earlier one to go on with."""
        leave_unguarded_script()
        self.plan = plan
        self.pairings = {pairing.number: pairing for pairing in plan.pairings()}
        self.games: dict[int, PlayedGame] = {}
        self.sprt = Sprt(*plan.sprt) if plan.sprt else None
        self._store = store
        find = store.start_match if fresh else store.resume_match
        match = find(plan.kind, game=plan.game, settings=plan.settings())
        self.match: MatchRecord = store.plan_match(match.id, len(self.pairings))
        self.reload()

    @property
    def seats(self) -> int:
        """How many sit at one board."""
        return make(self.plan.game).players

    @property
    def over(self) -> bool:
        """Whether no game is left to play: all are, or the test has decided."""
        return len(self.games) == len(self.pairings) or self._decided

    def play(
        self,
        *,
        workers: int | None = None,
        niceness: int = 0,
        stop: Callable[[], bool] = lambda: False,
        launcher: Launcher | None = None,
    ) -> Generator[int]:
        """Play what is missing, and yield the number of each game as soon as that is safe.

        It ends early once `stop` says so, and in processes that are `niceness` less urgent. The
        launcher of a cluster lets that play.
        """
        if self.over:
            return
        missing = (p for p in self.pairings.values() if p.number not in self.games)
        tasks = (self._task(pairing) for pairing in missing)
        if launcher is None:
            playing = play_all(tasks, workers=workers or cores(), niceness=niceness, stop=stop)
        else:
            # Only here: it needs numpy, and the arena must load quickly.
            from boardzero.arena.cluster import play_on_cluster

            playing = play_on_cluster(
                tasks,
                launcher=launcher,
                game=self.plan.game,
                players=self.plan.players,
                workers=workers,
                stop=stop,
            )
        with closing(playing) as finished:
            for task, record in finished:
                if self._store.add_game(record, match=self.match.id, number=task.number) is None:
                    self.reload()  # another process plays the same match, and was faster
                else:
                    self.games[task.number] = record
                    self._test()
                yield task.number
                if self.over:
                    return

    def finish(self, *, workers: int | None = None, launcher: Launcher | None = None) -> None:
        """Play all that is missing."""
        with closing(self.play(workers=workers, launcher=launcher)) as played:
            deque(played, maxlen=0)

    def score(self, player: int, *others: int) -> Score:
        """Of one of the players, in all games or only those in which nobody else sat.

        In a game of three it may have several seats, and has won if one of them has.
        """
        return sum(
            (
                seat_score(self.games[number], self.pairings[number].seating, player)
                for number in self.games
                if player in self.pairings[number].seating
                and (not others or set(self.pairings[number].seating) == {player, *others})
            ),
            Score(),
        )

    def seconds_per_move(self, player: int) -> float | None:
        """Mean over all moves of a player; None if none was timed."""
        seconds, turns = 0.0, 0
        for number, game in self.games.items():
            for seat, who in enumerate(self.pairings[number].seating):
                if who == player:
                    seconds += game.seconds[seat]
                    turns += game.turns[seat]
        return seconds / turns if turns else None

    def faults(self, player: int) -> Counter[str]:
        """By what, and how often, a player has forfeited."""
        found: Counter[str] = Counter()
        for number, game in self.games.items():
            fault = next((fault for fault in FAULTS if game.reason.startswith(fault)), None)
            if fault and player == self.pairings[number].seating[game.values.index(-1)]:
                found[fault] += 1
        return found

    def reload(self) -> None:
        """Look again at what is stored."""
        for game in self._store.games(match=self.match.id):
            if game.number in self.pairings:
                self.games[game.number] = game
        self._test()

    @property
    def _decided(self) -> bool:
        return self.sprt is not None and self.sprt.verdict is not None

    def _test(self) -> None:
        """Give the sequential test the pairs that are complete, in their order and none twice."""
        while self.sprt is not None and not self._decided:
            numbers = [2 * self.sprt.units + place for place in range(2)]
            if not all(number in self.games for number in numbers):
                return
            self.sprt.update(
                *(self.games[n].points(self.pairings[n].seating.index(0)) for n in numbers)
            )

    def _task(self, pairing: Pairing) -> GameTask:
        return GameTask(
            number=pairing.number,
            game=self.plan.game,
            seats=tuple(self.plan.players[player] for player in pairing.seating),
            opening=pairing.opening,
            terms=self.plan.terms,
            seed=derived_seed(self.plan.seed, pairing.number),
        )


def duels(competition: Competition) -> Iterator[GameResult]:
    """The games of a match as games of two: of three seats, a side has won if one of its has."""
    for place, game in competition.games.items():
        if competition.seats == 2:
            yield game
            continue
        score = seat_score(game, competition.pairings[place].seating, 0)
        value = float(score.wins - score.losses)  # for the first of the two players
        sides = competition.plan.players, (value, -value)
        if place % 2:  # nobody moves first: the sides change places
            sides = sides[0][::-1], sides[1][::-1]
        winner = None if value == 0 else sides[1].index(1.0)
        yield GameResult(seats=sides[0], values=sides[1], winner=winner)


def seat_score(game: PlayedGame, seating: Sequence[int], player: int) -> Score:
    if game.winner is not None:
        return Score(wins=1) if seating[game.winner] == player else Score(losses=1)
    # Of three players, one that forfeits loses while nobody wins, unless only one other is there.
    lost = {who for who, value in zip(seating, game.values, strict=True) if value == -1}
    if player in lost:
        return Score(losses=1)
    return Score(wins=1) if lost and set(seating) - lost == {player} else Score(draws=1)


def _canonical(spec: str, rules: Game) -> tuple[str, str]:
    """A player's spec as it writes it itself, and its fingerprint."""
    player = make_player(spec, rules)
    try:
        return player.spec, player.fingerprint
    finally:
        player.close()
