"""Forced wins that the engine must find; see golden/tactics.txt."""

import math
from pathlib import Path
from typing import NamedTuple

import pytest

import boardzero
from boardzero import State, _core
from boardzero.players import make_player

LINES = (Path(__file__).parent / "golden/tactics.txt").read_text().splitlines()
FIELDS = [line.split() for line in LINES if not line.startswith("#")]
GAMES = sorted({game for game, *_ in FIELDS})


class Tactic(NamedTuple):
    game: str
    fen: str
    best: str
    depth: int

    def state(self) -> State:
        return boardzero.make(self.game).parse_fen(self.fen)


def tactics(game: str) -> list[Tactic]:
    return [Tactic(g, fen, best, int(depth)) for g, fen, best, depth in FIELDS if g == game]


@pytest.mark.parametrize("game", GAMES)
def test_there_are_at_least_twenty_and_a_plain_search_agrees(game: str) -> None:
    assert len(tactics(game)) >= 20
    features = _core.Features()
    features.all_moves = features.table = True
    plain = _core.make_alphabeta(boardzero.make(game).start().native, "material", features, 16, 0)
    for tactic in tactics(game):
        plain.clear()
        report = plain.search(
            tactic.state().native, seconds=math.inf, depth=tactic.depth, nodes=2**64 - 1
        )
        assert [m.pv[0] for m in report.moves if m.value == 1] == [tactic.best]


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_finds_the_win(game: str) -> None:
    player = make_player("alphabeta:nodes=100000", boardzero.make(game))
    for tactic in tactics(game):
        player.new_game()
        choice = player.choose(tactic.state())
        assert choice.value == 1.0, tactic
        if str(choice.move) != tactic.best:  # a longer win
            other = make_player("alphabeta:nodes=5000000", boardzero.make(game))
            assert other.choose(tactic.state().after(choice.move)).value == -1.0, tactic


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize(
    ("rows", "moves"),
    [
        ("15/15/15/15/15/4xxxx7/5ooo7/15/15/15/15/15/15/15/15 x", {"d10", "i10"}),  # completes five
        ("15/15/15/15/15/3oxxxx7/15/5ooo7/15/15/15/15/15/15/15 o", {"i10"}),  # stops a four
        ("15/15/15/15/15/15/15/5ooo7/6x8/6x8/6x8/15/15/15/15 x", {"e8", "i8"}),  # stops a three
        (
            "15/15/15/15/15/15/5ooo7/6x8/15/6x8/6x8/15/15/15/15 o",
            {"e9", "i9"},
        ),  # makes a straight four
    ],
)
def test_the_engine_wins_and_stops_lines_in_gomoku(rule: str, rows: str, moves: set[str]) -> None:
    game = boardzero.make(f"gomoku:size=15,rule={rule}")
    player = make_player("alphabeta:nodes=20000", game)
    assert str(player.choose(game.parse_fen(rows)).move) in moves


def test_the_engine_does_not_take_an_overline_for_a_win() -> None:
    """In standard gomoku six in a row is nothing, so the five elsewhere must be stopped."""
    game = boardzero.make("gomoku:size=15,rule=standard")
    state = game.parse_fen("15/15/3xxx1xx6/15/15/15/3oxoooo6/15/15/15/15/15/15/15/x14 x")
    player = make_player("alphabeta:nodes=20000", game)
    assert str(player.choose(state).move) == "j9"
