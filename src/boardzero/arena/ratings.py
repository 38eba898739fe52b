"""How strong players are, from the games that they played.

`fit_elo` is the rating for any set of two-player games; `pair_elo` is for one match;
`meng_elo` is the sequential update of Meng 2020; `multiplayer_ratings` is for three
or four players. All intervals are 95 % intervals.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from boardzero.arena.score import Score, scores_by_seat
from boardzero.base.errors import BoardZeroError, nearest
from boardzero.base.extras import needs_extra
from boardzero.store import GameResult, Rating

if TYPE_CHECKING:
    from boardzero.arena.likelihood import Fit, Floats, Likelihood

Z95 = NormalDist().inv_cdf(0.975)


class Estimate(NamedTuple):
    """A number with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class EloFit:
    ratings: tuple[Rating, ...]  # strongest first
    first_move: Estimate  # what moving first is worth, in Elo points
    draw_rate: float  # between equals


def expected_score(elo: float) -> float:
    """Points per game of a player who is `elo` points stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """The inverse of `expected_score`; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def fit_elo(
    games: Iterable[GameResult], *, anchor: str | None = None, anchor_elo: float = 0.0
) -> EloFit:
    """Maximum-likelihood ratings, with draws and the advantage of the first move.

    The model and its weak prior are in `likelihood`. Ratings are relative to the mean of all
    players, or to `anchor`, whose rating is `anchor_elo`. An interval holds the ratings that a
    likelihood-ratio test would not reject: near the middle it is the usual one from the Fisher
    information; for a player who lost everything it is long downwards and short upwards.
    """
    scores = scores_by_seat(games)
    players = sorted({player for pair in scores for player in pair})
    if anchor is not None and anchor not in players:
        raise nearest("player", anchor, players)
    if not players:
        return EloFit((), Estimate(0, -math.inf, math.inf), 0.0)

    import numpy as np

    from boardzero.arena.likelihood import ELO, Likelihood

    likelihood = Likelihood(scores, players)
    units = np.eye(likelihood.size)
    mean = units[: len(players)].mean(axis=0)
    best = likelihood.maximise(mean[None], np.zeros(1))
    # The anchor only moves the scale: the fit itself, prior included, is around the mean.
    zero, shift = (mean, 0.0) if anchor is None else (units[players.index(anchor)], anchor_elo)

    def estimate(unknown: Floats) -> Estimate:
        return Estimate(*(ELO * end for end in _interval(likelihood, best, mean, unknown)))

    ratings = []
    for player, unit in zip(players, units[: len(players)], strict=True):
        value, low, high = estimate(unit - zero)
        played = sum(score.games for pair, score in scores.items() if player in pair)
        ratings.append(Rating(player, value + shift, low + shift, high + shift, played))
    draw = math.exp(best.parameters[-1])
    return EloFit(
        ratings=tuple(sorted(ratings, key=lambda rating: (-rating.value, rating.player))),
        first_move=estimate(units[-2]),
        draw_rate=draw / (2 + draw),
    )


def pair_elo(wins: int, draws: int, losses: int) -> Estimate:
    """The Elo difference of one match and its interval, finite or not for a stated reason.

    The interval is Wilson's for the mean score: all means s from which the score seen is at most
    1.96 standard errors away, with the error that games of mean s would have. Draws shrink
    that error; by how much is taken from the games, with half a game of each outcome added so that
    a few equal results do not look certain. After nothing but wins no difference is too large,
    so `high` is infinite; `value` is then that of half a point less in one more game.
    """
    score = Score(wins, draws, losses)
    games = score.games
    if min(wins, draws, losses) < 0:
        raise BoardZeroError(f"no match can end {score}")
    if games == 0:
        return Estimate(0.0, -math.inf, math.inf)
    spread = _relative_variance(wins + 0.5, draws + 0.5, losses + 0.5)
    weight = Z95**2 * spread / games
    centre = (score.mean + weight / 2) / (1 + weight)
    reach = math.sqrt(weight * (score.mean * (1 - score.mean) + weight / 4)) / (1 + weight)
    mean = score.mean if 0 < score.points < games else (score.points + 0.5) / (games + 1)
    low = -math.inf if score.points == 0 else elo_of_score(centre - reach)
    high = math.inf if score.points == games else elo_of_score(centre + reach)
    return Estimate(elo_of_score(mean), low, high)


def meng_update(
    elo: float, opponent: float, score: Score, *, k: float = 32.0
) -> tuple[float, float]:
    """Both players' new ratings after a series of games: Meng 2020, eq. 2.4 to 2.6.

    The result of a series is wins + draws / 2; the second factor n that equation 2.5 prints
    would count each game n times.
    """
    gain = k * (score.points - score.games * expected_score(elo - opponent))
    return elo + gain, opponent - gain


def meng_elo(games: Iterable[GameResult], *, series: int = 20, k: float = 32.0) -> dict[str, float]:
    """Ratings by `meng_update`, everyone from 0, in the order of the games.

    Every `series` games of two players are one update, as are those left over at the end. The
    result depends on the order and has no interval: it is here to compare with Meng 2020.
    """
    elo: defaultdict[str, float] = defaultdict(float)
    running: dict[tuple[str, str], Score] = {}

    def close(pair: tuple[str, str]) -> None:
        elo[pair[0]], elo[pair[1]] = meng_update(elo[pair[0]], elo[pair[1]], running.pop(pair), k=k)

    for game in games:
        for (first, second), score in scores_by_seat([game]).items():
            if first == second:
                continue
            pair = (min(first, second), max(first, second))
            seen = score if pair[0] == first else score.reversed
            running[pair] = running.get(pair, Score()) + seen
            if running[pair].games == series:
                close(pair)
    for pair in list(running):
        close(pair)
    return dict(elo)


def multiplayer_ratings(games: Iterable[GameResult]) -> tuple[Rating, ...]:
    """Plackett-Luce ratings of openskill for games of any number of seats, strongest first.

    On openskill's own scale: everyone starts at 25 and the interval is 1.96 of its sigmas to each
    side. The winner is ranked first, the others by their values; a draw is a tie of all but one who
    forfeited. openskill goes from game to game and trusts the last ones most, so the games are
    shuffled (always in the same way): a tournament is often played one pairing after the other.
    """
    with needs_extra("arena", "a rating of more than two players"):
        from openskill.models import PlackettLuce, PlackettLuceRating

    model = PlackettLuce()
    ratings: dict[str, PlackettLuceRating] = {}
    played: Counter[str] = Counter()
    games = list(games)
    Random(0).shuffle(games)
    for game in games:
        if len(set(game.seats)) < len(game.seats):
            continue  # a player who meets itself says nothing about its strength
        for player in game.seats:
            ratings.setdefault(player, model.rating(name=player))
            played[player] += 1
        teams = [[ratings[player]] for player in game.seats]
        rated = model.rate(teams, ranks=_ranks(game))
        ratings.update({player: team[0] for player, team in zip(game.seats, rated, strict=True)})
    found = (
        Rating(player, r.mu, r.mu - Z95 * r.sigma, r.mu + Z95 * r.sigma, played[player])
        for player, r in ratings.items()
    )
    return tuple(sorted(found, key=lambda rating: (-rating.value, rating.player)))


def _interval(
    likelihood: Likelihood, best: Fit, mean: Floats, unknown: Floats
) -> tuple[float, float, float]:
    """The best `unknown @ parameters`, and where its profile likelihood has dropped too far."""
    import numpy as np

    with needs_extra("arena", "a rating with its interval"):
        from scipy.optimize import brentq

    value = float(unknown @ best.parameters)
    if not unknown.any():
        return value, value, value  # the anchor, or the only player
    constraints = np.array([mean, unknown])

    def excess(at: float) -> float:
        held = likelihood.maximise(constraints, np.array([0.0, at]), best.parameters)
        return math.sqrt(2 * max(0.0, best.value - held.value)) - Z95

    def end(reach: float) -> float:
        while excess(value + reach) < 0:
            reach *= 1.5
        return float(brentq(excess, value, value + reach, xtol=5e-4))

    # A first guess from the Fisher information, a little outwards so that it brackets the end.
    system = np.block([[best.information, mean[:, None]], [mean[None], np.zeros((1, 1))]])
    variance = np.linalg.inv(system)[:-1, :-1] @ unknown @ unknown
    guess = 1.05 * Z95 * math.sqrt(float(variance))
    return value, end(-guess), end(guess)


def _relative_variance(wins: float, draws: float, losses: float) -> float:
    """The variance of one game's points over that of a game without draws and the same mean."""
    games = wins + draws + losses
    mean = (wins + draws / 2) / games
    return ((wins + draws / 4) / games - mean**2) / (mean * (1 - mean))


def _ranks(game: GameResult) -> list[float]:
    """Lower is better; equal ranks are ties."""
    if game.winner is None:
        return [-game.points(seat) for seat in range(len(game.seats))]
    return [-2.0 if s == game.winner else -value for s, value in enumerate(game.values)]
