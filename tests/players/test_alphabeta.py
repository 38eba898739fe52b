"""Minimax and alpha-beta: what they value, and that all of them agree."""

import math

import pytest

import boardzero
from boardzero import Game, State, _core
from tests.games.variants import DRAUGHTS
from tests.players.pile import Pile
from tests.players.positions import random_positions
from tests.reference.minimax import minimax

GOMOKU = ("gomoku:size=5,line=4", "gomoku:size=6,line=5,rule=renju")


def features(*names: str) -> _core.Features:
    chosen = _core.Features()
    for name in names:
        setattr(chosen, name, True)
    return chosen


def run(searcher: _core.Searcher, state: State, depth: int) -> _core.Report:
    return searcher.search(state.native, seconds=math.inf, depth=depth, nodes=2**64 - 1)


def worth(move: _core.ReportedMove) -> tuple[float, int]:
    """Quicker wins and slower losses are worth more."""
    return move.value, -int(move.value) * len(move.pv)


def alphabeta(game: Game | str, *names: str, evaluation: str = "material") -> _core.Searcher:
    start = (boardzero.make(game) if isinstance(game, str) else game).start()
    return _core.make_alphabeta(start.native, evaluation, features(*names), 8, 0)


def plain_minimax(game: Game | str, evaluation: str = "material") -> _core.Searcher:
    start = (boardzero.make(game) if isinstance(game, str) else game).start()
    return _core.make_minimax(start.native, evaluation, 0)


def material(state: State) -> list[float]:
    """Meng 2020, eq. 6.1 with kings worth two men."""
    worth = [0, 0]
    for piece in state.pieces():
        worth[piece.owner] += 2 if piece.kind == "king" else 1
    balance = (worth[0] - worth[1]) / len(state.game.start().pieces())
    return [balance, -balance]


@pytest.mark.parametrize("game", DRAUGHTS)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_minimax_equals_the_ten_line_reference(game: str, depth: int) -> None:
    searcher = plain_minimax(game)
    for state in random_positions(game, 40 // depth**2, seed=depth):
        expected = minimax(state, depth, material, state.to_move)
        best = run(searcher, state, depth).moves[0]
        assert best.exact
        assert best.value == pytest.approx(max(-1, min(1, expected)))


@pytest.mark.parametrize("game", [*DRAUGHTS, *GOMOKU])
def test_alpha_beta_equals_minimax_in_value_on_a_thousand_positions(game: str) -> None:
    evaluation = "hand" if game in GOMOKU else "material"
    slow, fast = plain_minimax(game, evaluation), alphabeta(game, evaluation=evaluation)
    widest = 10 if game in GOMOKU else 1000  # all empty points are moves: minimax needs few
    for state in random_positions(game, 1000, widest=widest):
        for depth in (1, 2, 3, 4):
            expected, found = run(slow, state, depth), run(fast, state, depth)
            assert found.moves[0].value == expected.moves[0].value
            assert found.nodes <= expected.nodes


def nothing(state: State) -> list[float]:
    return [0.0] * state.game.players


@pytest.mark.parametrize("depth", range(1, 12))
def test_depth_counts_changes_of_the_mover_in_a_game_written_in_python(depth: int) -> None:
    """Who takes two moves again, at no cost of depth."""
    state = Pile(size=9).game().start()
    expected = minimax(state, depth, nothing, 0)
    searchers = (
        plain_minimax(state.game),
        alphabeta(state.game),
        alphabeta(state.game, "table", "scout"),
    )
    for searcher in searchers:
        assert run(searcher, state, depth).moves[0].value == max(-1, min(1, expected))


def test_a_search_that_has_seen_every_ending_looks_no_deeper() -> None:
    state = Pile(size=7).game().start()
    assert run(plain_minimax(state.game), state, 100).depth < 9
    assert run(alphabeta(state.game), state, 100).depth < 9


@pytest.mark.parametrize("game", DRAUGHTS)
def test_alpha_beta_finds_the_same_set_of_best_moves_as_minimax(game: str) -> None:
    slow, fast = plain_minimax(game, "hand"), alphabeta(game, "ties", evaluation="hand")
    for state in random_positions(game, 200, seed=2):
        expected, found = run(slow, state, 4).moves, run(fast, state, 4).moves
        assert {m.pv[0] for m in found if m.exact and worth(m) == worth(found[0])} == {
            m.pv[0] for m in expected if worth(m) == worth(expected[0])
        }


@pytest.mark.parametrize("game", DRAUGHTS)
def test_analysis_gives_every_move_its_minimax_value(game: str) -> None:
    slow, fast = plain_minimax(game, "hand"), alphabeta(game, "all_moves", evaluation="hand")
    for state in random_positions(game, 100, seed=3):
        expected = {m.pv[0]: m.value for m in run(slow, state, 3).moves}
        report = run(fast, state, 3)
        assert all(m.exact for m in report.moves)
        assert {m.pv[0]: m.value for m in report.moves} == expected


@pytest.mark.parametrize("game", DRAUGHTS)
@pytest.mark.parametrize("extras", [("table",), ("scout",), ("table", "scout")])
def test_the_table_and_the_scout_keep_the_value_of_the_plain_search(
    game: str, extras: tuple[str, ...]
) -> None:
    plain, fast = alphabeta(game, evaluation="hand"), alphabeta(game, *extras, evaluation="hand")
    for state in random_positions(game, 150, seed=4):
        for depth in (2, 5, 7):
            fast.clear()
            assert run(fast, state, depth).moves[0].value == run(plain, state, depth).moves[0].value


def test_the_table_saves_work() -> None:
    state = boardzero.make("english").start()
    plain = alphabeta("english", evaluation="hand")
    fast = alphabeta("english", "table", evaluation="hand")
    assert run(fast, state, 11).nodes < run(plain, state, 11).nodes / 2


def test_a_quicker_win_is_preferred() -> None:
    """Both captures of the last man win; the one king move that waits wins later."""
    state = boardzero.make("international").parse_fen("W:WK28,K33:B44")
    best = run(alphabeta(state.game), state, 7).moves[0]
    assert best.value == 1
    assert len(best.pv) == min(len(m.pv) for m in run(plain_minimax(state.game), state, 7).moves)


@pytest.mark.parametrize("game", DRAUGHTS)
def test_the_principal_variation_can_be_played_and_leads_to_the_value(game: str) -> None:
    searcher = alphabeta(game, "ties")
    for state in random_positions(game, 100, seed=5):
        report = run(searcher, state, 4)
        best, end = report.moves[0], state.copy()
        for text in best.pv:
            end.play(text)
        outcome = end.outcome()
        values = material(end) if outcome is None else outcome.values
        assert best.value == pytest.approx(values[state.to_move], abs=1e-6)


@pytest.mark.parametrize("game", DRAUGHTS)
def test_the_evaluation_written_by_hand_treats_both_colours_alike(game: str) -> None:
    searcher = alphabeta(game, evaluation="hand")
    for state in random_positions(game, 100, seed=6):
        turned = State(state.game, state.native.transformed(1))
        assert run(searcher, turned, 2).moves[0].value == run(searcher, state, 2).moves[0].value


def test_only_two_players_are_accepted() -> None:
    with pytest.raises(boardzero.BoardZeroError, match="two players"):
        alphabeta("chexers")


def test_a_finished_game_is_refused_with_a_sentence() -> None:
    state = boardzero.make("english").parse_fen("B:W32:B")
    with pytest.raises(boardzero.BoardZeroError, match="game is over"):
        run(alphabeta("english"), state, 1)
