"""A SQLite database that keeps every game, match and rating.

The store knows nothing of rules or players: games and players are spec strings, moves are texts.
What it has acknowledged is never lost, and a game of a match is never counted twice. A
`StoredGame` is a `GameResult`, so whatever `Store.games` yields goes straight into the arena's
ratings and tables.
"""

from boardzero.store.records import (
    GameResult,
    MatchKind,
    MatchRecord,
    PlayedGame,
    Rating,
    StoredGame,
)
from boardzero.store.store import Store

__all__ = [
    "GameResult",
    "MatchKind",
    "MatchRecord",
    "PlayedGame",
    "Rating",
    "Store",
    "StoredGame",
]
