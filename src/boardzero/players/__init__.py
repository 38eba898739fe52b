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
from boardzero.players.level import Level, levels
from boardzero.players.player import Candidate, Choice, Clock, Limit, Player
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
    "Player",
    "PlayerFamily",
    "RandomPlayer",
    "levels",
    "make_player",
    "name_player",
    "player_families",
    "player_family",
    "player_spec",
    "register_player",
]
