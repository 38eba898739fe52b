"""The benchmark of searches measures what it says, here with very few simulations."""

import pytest

from boardzero.bench import alphabeta, measure, search


def test_searches_are_set_beside_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel", reason="the peer is the optional package open_spiel")
    monkeypatch.setattr(search, "_SIMULATIONS", 20)
    monkeypatch.setattr(search, "_SECONDS", 0.01)
    monkeypatch.setattr(alphabeta, "_NODES", 1000)
    figures = list(measure("search"))
    uct = [figure for figure in figures if figure.name.startswith("uct")]
    assert len(uct) == 2
    assert any(figure.name.startswith("alphabeta") for figure in figures)
    for figure in uct:
        assert figure.peer == "OpenSpiel MCTSBot"
        assert figure.ratio is not None


def test_without_openspiel_there_is_no_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_SECONDS", 0.01)
    monkeypatch.setattr(search, "openspiel_search", lambda *_, **__: None)
    figure = next(search.measure())
    assert figure.value > 0
    assert figure.ratio is None
