"""Everything that picks moves. One file per family of player."""

# They register themselves.
from boardzero.players import (  # noqa: F401
    alphabeta,
    alphachexers,
    greedy,
    mcts,
    minimax,
    zero,
)
from boardzero.players.level import Level, best_player, levels
from boardzero.players.player import Candidate, Choice, Clock, Limit, NotReadyError, Player
from boardzero.players.random import RandomPlayer
from boardzero.players.registry import (
    PlayerFamily,
    make_player,
    name_player,
    player_families,
    player_family,
    player_spec,
    register_player,
)

__all__ = [
    "Candidate",
    "Choice",
    "Clock",
    "Level",
    "Limit",
    "NotReadyError",
    "Player",
    "PlayerFamily",
    "RandomPlayer",
    "best_player",
    "levels",
    "make_player",
    "name_player",
    "player_families",
    "player_family",
    "player_spec",
    "register_player",
]
