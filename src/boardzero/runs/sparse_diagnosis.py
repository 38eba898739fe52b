"""What is wrong with a run of a sparse net (NNUE): its losses, its window, its games."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property

from boardzero import _core
from boardzero.models import read_model
from boardzero.models.sparse import open_sparse_net
from boardzero.runs.evidence import (
    FEWEST_LOSSES,
    MOST_GAMES,
    Evidence,
    Finding,
    correlation,
    look_at_draws,
    look_at_probes,
    look_at_refusals,
    look_at_repetition,
    look_at_the_gate,
    look_at_values,
)
from boardzero.runs.sparse_recipe import SparseRecipe

_POSITIONS_OF_A_GAME = 10  # shown to the net


class SparseEvidence(Evidence[SparseRecipe]):
    """What a run of a sparse net left behind, read when it is asked for."""

    @cached_property
    def correlation(self) -> float | None:
        """Of the newest net's values with the results; None if there is nothing to compare."""
        folder = self.newest_model
        net = open_sparse_net(folder, read_model(folder), self.game)
        results, states = [], []
        for game in self.games:
            learned = [one.ply for one in game.decisions if one.quiet]
            shown = set(learned[:: max(1, len(learned) // _POSITIONS_OF_A_GAME)])
            state = self.game.parse_fen(game.fen) if game.fen else self.game.start()
            for ply, action in enumerate(game.actions):
                if ply in shown:
                    results.append(game.outcome[state.to_move])
                    states.append(state.copy().native)
                state.play_action(action)
        # The mover comes first; whether nobody wins is of no matter to the sign.
        logits = _core.sparse_logits(net, states)
        values = [math.tanh((mine - max(others)) / 512) for mine, *others, _ in logits]
        return correlation(results, values)


_RANDOM = "selfplay.least_random and most_random: larger"


def _learning_rate(run: SparseEvidence) -> Iterator[Finding]:
    """Of what games end with; the first loss is that of a net that knows nothing."""
    if not run.losses:
        return
    learn = run.recipe.learn
    late = run.late_loss("result")
    blind = run.losses[0].losses["result"]
    lower = f"learn.lr: {learn.lr / 10:g} instead of {learn.lr:g}"
    if not math.isfinite(late):
        yield Finding("learning rate too high", "the loss is no number any more", lower)
    elif late > 1.1 * blind:
        told = f"result loss {late:.2f}, and blind guessing has {blind:.2f}"
        yield Finding("learning rate too high", told, lower)
    elif len(run.losses) >= 4 * FEWEST_LOSSES and late > 0.98 * blind:
        told = f"result loss stays at {late:.2f}, which is blind guessing"
        higher = f"learn.lr: {min(1.0, learn.lr * 10):g}, or a smaller learn.batch_size"
        yield Finding("loss flat", told, higher)


def _value(run: SparseEvidence) -> Iterator[Finding]:
    change = "learn.result_share: larger, and a longer window (replay.positions)"
    yield from look_at_values(run, run.correlation, change)


def _nodes(run: SparseEvidence) -> Iterator[Finding]:
    """A search that cannot look at every move once teaches what the net said before."""
    nodes, puct = run.recipe.selfplay.nodes, run.recipe.selfplay.search == "puct"
    if nodes < run.choices / (2 if puct else 1):
        yield Finding(
            "too few simulations" if puct else "too few nodes",
            f"{nodes} a move, where there are {run.choices:.0f} moves to choose from",
            f"selfplay.nodes: {math.ceil((2 if puct else 10) * run.choices)} or more",
        )


def _window(run: SparseEvidence) -> Iterator[Finding]:
    window, batch = run.recipe.replay.positions, run.recipe.learn.batch_size
    if window < 10 * batch:
        yield Finding(
            "window too small",
            f"{window:,} positions are ten batches of {batch:,} or less",
            f"replay.positions: {100 * batch:,} or more",
        )


def _exploration(run: SparseEvidence) -> Iterator[Finding]:
    yield from look_at_repetition(run, _RANDOM)


def _draws(run: SparseEvidence) -> Iterator[Finding]:
    yield from look_at_draws(run, _RANDOM)


def _probes(run: SparseEvidence) -> Iterator[Finding]:
    yield from look_at_probes(run, f"{_RANDOM}, so that games come to such positions")


def _one_side(run: SparseEvidence) -> Iterator[Finding]:
    seat, wins = Counter(game.winner for game in run.games).most_common(1)[0]
    if seat is not None and wins > 0.97 * len(run.games) and len(run.games) == MOST_GAMES:
        yield Finding(
            "games too short",
            f"seat {seat} wins {wins} of {len(run.games)} games",
            f"{_RANDOM}, and selfplay.lopsided: smaller, so that the other side has a chance",
        )


SPARSE_LOOKS: tuple[Callable[[SparseEvidence], Iterator[Finding]], ...] = (
    _learning_rate,
    _value,
    _exploration,
    _window,
    _nodes,
    look_at_the_gate,
    _draws,
    _probes,
    _one_side,
    look_at_refusals,
)
