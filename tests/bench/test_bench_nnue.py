"""The benchmark of sparse nets yields its four figures of a game, here in a quick trial."""

import pytest

from boardzero import BoardZeroError
from boardzero.bench import measure, nnue
from boardzero.runs.recipe import load_recipe


def test_a_quick_trial_sets_every_figure_beside_its_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the residual net beside it is made with torch")
    monkeypatch.setattr(nnue, "_recipes", lambda: [load_recipe("english-nnue")])
    figures = list(measure("nnue", quick=True))
    assert [(f.unit, f.peer) for f in figures] == [
        ("evaluations/s", "6x32 net, batch 16"),
        ("nodes/s", "eval=hand"),
        ("positions/s", "two processes"),
        ("samples/s", "the aim"),
    ]
    assert all(figure.ratio for figure in figures)


def test_every_native_game_for_two_is_measured() -> None:
    assert {recipe.game for recipe in nnue._recipes()} >= {"international", "gomoku:size=15"}


def test_a_benchmark_without_a_quick_trial_says_so() -> None:
    with pytest.raises(BoardZeroError, match="the benchmark perft has no quick trial"):
        next(iter(measure("perft", quick=True)))
