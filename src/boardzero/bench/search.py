"""Speed of the searches, one thread: simulations of UCT and positions of alpha-beta.

The peer of UCT is OpenSpiel's MCTSBot in C++, with the same rules, the same number of simulations
from the start, and random roll-outs as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time

from boardzero.bench import Measurement, alphabeta
from boardzero.games import make
from boardzero.players import make_player

_GAMES = (("english:endings=openspiel", "checkers"), ("gomoku:size=8", "gomoku(size=8)"))
_SIMULATIONS = 5000
_SECONDS = 4.0  # for each game


def measure() -> Iterator[Measurement]:
    for game, their_name in _GAMES:
        peer = openspiel_search(their_name, simulations=_SIMULATIONS, rollouts=1)
        if peer is None:
            (ours,) = _best_rates(_uct(game))
            yield Measurement(f"uct {game}", ours, "simulations/s")
        else:
            ours, theirs = _best_rates(_uct(game), peer)
            name = "OpenSpiel MCTSBot"
            yield Measurement(f"uct {game}", ours, "simulations/s", name, theirs)

    yield from alphabeta.measure()


def _uct(game: str) -> Callable[[], object]:
    rules = make(game)
    player = make_player(f"mcts:rollouts={_SIMULATIONS},reuse=false", rules)
    return lambda: player.choose(rules.start())


def openspiel_search(name: str, *, simulations: int, rollouts: int) -> Callable[[], object] | None:
    """A search of OpenSpiel's from the start of a game; None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1),
        uct_c=1.0,
        max_simulations=simulations,
        max_memory_mb=1000,
        solve=True,
        seed=1,
        verbose=False,
    )
    return lambda: bot.step(game.new_initial_state())


def _best_rates(*searches: Callable[[], object]) -> list[float]:
    """Simulations per second of processor time, in turns: the machine may have other work."""
    best = [0.0] * len(searches)
    end = process_time() + _SECONDS
    while process_time() < end:
        for number, search in enumerate(searches):
            start = process_time()
            search()
            best[number] = max(best[number], _SIMULATIONS / (process_time() - start))
    return best
