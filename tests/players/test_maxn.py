"""Max^n, paranoid and best-reply search against their slow references."""

import math
from collections.abc import Callable
from time import perf_counter

import pytest

import boardzero
from boardzero import State, _core
from boardzero.players import make_player
from tests.players.pile import Pile
from tests.players.positions import random_positions
from tests.reference.minimax import best_reply, max_n, minimax

WIN_IN_ONE = "gg2/5/6/2r3r/6/5/2bb r 3,0,0 100"  # red leaves on the right

Reference = Callable[[State, int], float]


def run(others: _core.Others, state: State, depth: int) -> _core.Report:
    evaluation = "hand" if state.game.name == "chexers" else "material"
    searcher = _core.make_maxn(state.native, evaluation, others, 0)
    return searcher.search(state.native, seconds=math.inf, depth=depth, nodes=2**64 - 1)


def chexers(state: State) -> list[float]:
    return list(_core.evaluate(state.native, "hand"))


REFERENCES: dict[_core.Others, Reference] = {
    _core.Others.selfish: lambda s, depth: max_n(s, depth, chexers)[s.to_move],
    _core.Others.hostile: lambda s, depth: minimax(s, depth, chexers, s.to_move),
    _core.Others.best_reply: lambda s, depth: best_reply(s, depth, chexers, s.to_move),
}


@pytest.mark.parametrize("others", REFERENCES)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_value_equals_the_reference(others: _core.Others, depth: int) -> None:
    """Few pieces, so that the references are quick."""
    for state in random_positions("chexers", 12, seed=depth, keep=0.2, widest=9):
        expected = REFERENCES[others](state, depth)
        found = run(others, state, depth).moves[0]
        assert found.value == pytest.approx(max(-1, min(1, expected)), abs=1e-5)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("depth", range(1, 7))
def test_a_small_game_written_in_python_has_the_values_of_the_references(
    players: int, depth: int
) -> None:
    state = Pile(players=players, size=8).game().start()

    def nothing(state: State) -> list[float]:
        return [0.0] * state.game.players

    expected = {
        _core.Others.selfish: max_n(state, depth, nothing)[0],
        _core.Others.hostile: minimax(state, depth, nothing, 0),
        _core.Others.best_reply: best_reply(state, depth, nothing, 0),
    }
    for others, value in expected.items():
        assert run(others, state, depth).moves[0].value == pytest.approx(max(-1, min(1, value)))


@pytest.mark.parametrize("others", REFERENCES)
def test_for_two_players_all_of_them_are_minimax(others: _core.Others) -> None:
    slow = _core.make_minimax(boardzero.make("english").start().native, "material", 0)
    for state in random_positions("english", 100):
        expected = slow.search(state.native, seconds=math.inf, depth=4, nodes=2**64 - 1)
        assert run(others, state, 4).moves[0].value == expected.moves[0].value


@pytest.mark.parametrize("others", REFERENCES)
def test_a_win_in_one_is_taken(others: _core.Others) -> None:
    state = boardzero.make("chexers").parse_fen(WIN_IN_ONE)
    best = run(others, state, 3).moves[0]
    assert best.value == 1
    assert state.after(best.move).outcome().winner == state.to_move  # type: ignore[union-attr]


def test_maxn_looks_three_moves_ahead_within_two_seconds() -> None:
    game = boardzero.make("chexers")
    player = make_player("maxn:depth=3", game)
    for state in [game.start(), *random_positions("chexers", 30)]:
        begin = perf_counter()
        assert player.choose(state).depth == 3
        assert perf_counter() - begin < 2
