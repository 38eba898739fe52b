"""Plays players against each other and says what the games are worth.

Nothing here knows how a player thinks: ratings, tables and plots see only `GameResult`, a
tuple of player names and who won. Heavy libraries load when a function needs them.
"""

from boardzero.arena.ratings import (
    EloFit,
    Estimate,
    fit_elo,
    multiplayer_ratings,
    pair_elo,
    thesis_elo,
)
from boardzero.arena.score import Score, head_to_head, scores_by_seat
from boardzero.arena.sprt import Sprt

__all__ = [
    "EloFit",
    "Estimate",
    "Score",
    "Sprt",
    "fit_elo",
    "head_to_head",
    "multiplayer_ratings",
    "pair_elo",
    "scores_by_seat",
    "thesis_elo",
]
