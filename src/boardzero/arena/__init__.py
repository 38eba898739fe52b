"""Plays players against each other and says what the games are worth.

A `CompetitionPlan` says what is to be played; a `Competition` plays it on all cores and keeps
every game. Nothing here knows how a player thinks: ratings, tables and plots see only `GameResult`,
a tuple of player names and who won. Heavy libraries load when a function needs them, and the plots,
which always need one, are in `boardzero.arena.plots`.
"""

from boardzero.arena.competition import Competition, CompetitionPlan
from boardzero.arena.openings import RandomOpenings
from boardzero.arena.play_game import play_game
from boardzero.arena.ratings import fit_elo, meng_elo, multiplayer_ratings, pair_elo
from boardzero.arena.score import Score, head_to_head, scores_by_seat, seconds_per_move, total_wins
from boardzero.arena.sprt import Sprt
from boardzero.arena.tables import Table, cross_table, rating_table, time_table, wins_table
from boardzero.arena.terms import Terms

__all__ = [
    "Competition",
    "CompetitionPlan",
    "RandomOpenings",
    "Score",
    "Sprt",
    "Table",
    "Terms",
    "cross_table",
    "fit_elo",
    "head_to_head",
    "meng_elo",
    "multiplayer_ratings",
    "pair_elo",
    "play_game",
    "rating_table",
    "scores_by_seat",
    "seconds_per_move",
    "time_table",
    "total_wins",
    "wins_table",
]
