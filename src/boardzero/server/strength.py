"""How strong the versions of a run are: the arena lets them meet opponents that never change.

The games lie in the run's own folder and are played one round after the other: a few for every
version first, so that the curve is there soon, then more, so that the intervals shrink.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Literal

from boardzero.arena import Competition, CompetitionPlan, Terms, fit_elo, multiplayer_ratings
from boardzero.base.specs import parse_spec
from boardzero.games import Game
from boardzero.models import spread
from boardzero.runs.run_folder import RunFolder
from boardzero.server.arena import RatingView
from boardzero.server.contests import Contests, Stop
from boardzero.server.messages import Outgoing
from boardzero.server.run_player import measured_player
from boardzero.store import Rating, Store

_ANCHOR = "random"  # has rating 0
_ROUNDS = (2, 6, 12)  # games with each opponent, or at the table of three, after each round
_VERSIONS = 10  # measured of a run
_LONGEST = 300  # plies


class VersionRating(RatingView):
    version: int


class StrengthView(Outgoing):
    scale: Literal["elo", "openskill"]
    measuring: bool
    trouble: str | None
    done: int  # games
    total: int
    versions: list[VersionRating]
    opponents: list[RatingView]  # those that have played


class Strength:
    """Measures runs, one at a time and in one process: whoever plays or trains goes first."""

    def __init__(self) -> None:
        self._contests = Contests(workers=1)
        self._known: dict[RunFolder, tuple[int, list[Rating]]] = {}  # after so many games

    def start(self, run: RunFolder, game: Game) -> None:
        if not self._contests.is_open(run):
            self._contests.start(run, lambda stop: self._measure(run, game, stop))

    def stop(self, run: RunFolder) -> None:
        self._contests.stop(run)

    def close(self) -> None:
        self._contests.close()

    def view(self, run: RunFolder, game: Game) -> StrengthView:
        ratings, done = self._ratings(run, game)
        tables = len(_opponents(game)) if game.players == 2 else 1
        return StrengthView(
            scale="elo" if game.players == 2 else "openskill",
            measuring=self._contests.is_open(run),
            trouble=self._contests.trouble(run),
            done=done,
            total=len(_chosen_versions(run)) * tables * _ROUNDS[-1],
            versions=sorted(
                (_version(rating) for rating in ratings if _number(rating) is not None),
                key=lambda one: one.version,
            ),
            opponents=[
                RatingView.model_validate(rating) for rating in ratings if _number(rating) is None
            ],
        )

    def _measure(self, run: RunFolder, game: Game, stop: Stop) -> None:
        with Store(run.strength_games) as store:
            for plan in _plans(run, game):
                if stop():
                    return
                self._contests.play(Competition(plan, store), stop)

    def _ratings(self, run: RunFolder, game: Game) -> tuple[list[Rating], int]:
        if not run.strength_games.exists():
            return [], 0
        with Store(run.strength_games) as store:
            count = store.count()
            if self._known.get(run, (-1, []))[0] != count:
                games = list(store.games())
                two = game.players == 2
                rated = list(fit_elo(games).ratings if two else multiplayer_ratings(games))
                self._known[run] = count, _from_anchor(rated)
        return self._known[run][1], count


def _chosen_versions(run: RunFolder) -> list[int]:
    return spread(run.versions(), _VERSIONS)


def _plans(run: RunFolder, game: Game) -> Iterator[CompetitionPlan]:
    """Asks anew for each round which versions there are: a run may go on."""
    for games in _ROUNDS:
        for version in _chosen_versions(run):
            yield CompetitionPlan(
                kind="gauntlet" if game.players == 2 else "tournament",
                game=game.spec,
                players=(measured_player(run, version), *_opponents(game)),
                games=games,
                terms=Terms(max_plies=_LONGEST),
            )


def _opponents(game: Game) -> tuple[str, ...]:
    """Weak enough for the first versions, strong enough for the last, and quick."""
    count = 3 if game.players == 2 else game.players - 1  # the others at the table
    return game.traits.players.unchanging[:count]


def _from_anchor(ratings: list[Rating]) -> list[Rating]:
    """The same with the anchor at 0."""
    zero = next((rating.value for rating in ratings if rating.player == _ANCHOR), 0.0)
    return [Rating(r.player, r.value - zero, r.low - zero, r.high - zero, r.games) for r in ratings]


def _number(rating: Rating) -> int | None:
    """The version that played under this name."""
    spec = parse_spec(rating.player)
    return int(spec.options["version"]) if "run" in spec.options else None


def _version(rating: Rating) -> VersionRating:
    return VersionRating(**asdict(rating), version=_number(rating) or 0)
