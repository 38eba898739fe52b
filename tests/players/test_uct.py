"""The compiled Monte-Carlo tree search: equal to the plain one, and exact where it says so."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import boardzero
from boardzero import Move, State, _core
from tests.games.variants import DRAUGHTS
from tests.players.positions import random_positions
from tests.reference.uct import Evaluator, Node, ReferenceUct

PIECES = {"english": 24, "international": 40, "russian": 24, "brazilian": 24}


def material(state: State) -> Sequence[float]:
    """Meng 2020, eq. 6.1 with kings worth two men, in single precision."""
    worth = [0, 0]
    for piece in state.pieces():
        if piece.kind == "jumped":
            worth[1 - piece.owner] += 1
        else:
            worth[piece.owner] += 2 if piece.kind == "king" else 1
    balance = float(np.float32(worth[0] - worth[1]) / np.float32(PIECES[state.game.name]))
    return [balance, -balance]


def chexers(state: State) -> Sequence[float]:
    return _core.evaluate(state.native, "hand")


HEURISTICS: dict[str, tuple[str, Evaluator]] = {
    **dict.fromkeys(PIECES, ("material", material)),
    "chexers": ("chexers", chexers),
}


def uct(
    state: State,
    heuristic: str,
    *,
    selection: str = "ucb1",
    c: float = 0.5,
    depth: int = 1000,
    megabytes: int = 16,
    shuffle: bool = False,
    seed: int = 0,
) -> _core.Uct:
    return _core.Uct(
        state.native,
        selection=selection,
        c=c,
        evaluation=None if heuristic == "rollout" else heuristic,
        prune=False,
        depth=depth,
        megabytes=megabytes,
        prove=True,
        shuffle=shuffle,
        seed=seed,
    )


def run(
    search: _core.Uct, state: State, simulations: int, played: Sequence[int] | None = None
) -> _core.UctReport:
    return search.search(state.native, played=played, seconds=None, simulations=simulations)


def visits(report: _core.UctReport) -> dict[Move, int]:
    return {c.move: c.visits for c in report.candidates}


def nodes_of(move: Move, state: State, reference: ReferenceUct) -> Iterator[Node]:
    """The nodes after each way of making the move action by action."""
    goal = state.after(move)
    unfinished = [((), state)]
    while unfinished:
        path, at = unfinished.pop()
        for action in reference.nodes[path].actions:
            below = (*path, action)
            after = at.copy()
            after.play_action(action)
            if below not in reference.nodes:
                continue
            if after == goal:
                yield reference.nodes[below]
            elif after.to_move == state.to_move:
                unfinished.append((below, after))


def assert_equal_searches(
    state: State, simulations: int, *, selection: str, c: float, depth: int = 1000
) -> None:
    heuristic, evaluate = HEURISTICS[state.game.name]
    reference = ReferenceUct(state, evaluate, selection=selection, c=c, depth=depth)
    reference.search(simulations)
    search = uct(state, heuristic, selection=selection, c=c, depth=depth)
    report = run(search, state, simulations)

    assert report.simulations == reference.nodes[()].visits
    assert report.nodes == 1 + sum(len(node.actions) for node in reference.nodes.values())
    assert {str(c.move) for c in report.candidates} == {str(m) for m in state.moves()}
    for candidate in report.candidates:
        twins = list(nodes_of(candidate.move, state, reference))
        assert candidate.visits == sum(node.visits for node in twins)
        assert candidate.proven == any(node.proven for node in twins)
        if len(twins) == 1:
            assert candidate.value == twins[0].mean


@pytest.mark.parametrize("game", list(HEURISTICS))
@pytest.mark.parametrize("selection", ["ucb1", "puct", "puct1"])
def test_every_visit_is_that_of_the_plain_search(game: str, selection: str) -> None:
    for number, state in enumerate(random_positions(game, 15, seed=3)):
        c = (0.1, 0.5, math.sqrt(1.6))[number % 3]
        assert_equal_searches(state, 300, selection=selection, c=c)


@pytest.mark.parametrize("game", ["international", "russian"])
def test_captures_of_several_steps_are_searched_as_the_plain_search_does(game: str) -> None:
    """Here the same seat acts several times in a row."""
    states = [
        state
        for state in random_positions(game, 3000, seed=5)
        if max(len(move.actions) for move in state.moves()) > 1 and len(state.moves()) > 1
    ]
    assert len(states) >= 10
    for state in states[:10]:
        assert_equal_searches(state, 200, selection="ucb1", c=0.5)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_no_path_is_longer_than_the_depth(depth: int) -> None:
    for state in random_positions("chexers", 5, seed=depth):
        assert_equal_searches(state, 200, selection="puct1", c=0.2, depth=depth)
        report = run(uct(state, "chexers", depth=depth), state, 200)
        assert report.depth <= depth


@pytest.mark.parametrize("game", ["english", "international", "chexers"])
def test_a_kept_tree_is_the_one_that_as_many_visits_from_the_new_state_build(game: str) -> None:
    heuristic, _ = HEURISTICS[game]
    for state in random_positions(game, 8, seed=11):
        kept = uct(state, heuristic)
        report = run(kept, state, 300)
        best = report.candidates[0]
        after = state.after(best.move)
        if best.proven or after.outcome() is not None:
            continue
        later = run(kept, after, 200, played=best.move.actions)
        fresh = run(uct(after, heuristic), after, best.visits + 200)
        assert later.simulations == 200
        assert visits(later) == visits(fresh)
        assert later.nodes == fresh.nodes


def test_a_tree_is_not_kept_for_a_state_that_the_actions_do_not_lead_to() -> None:
    game = boardzero.make("english")
    state = game.start()
    search = uct(state, "material")
    best = run(search, state, 300).candidates[0].move
    stranger = next(random_positions("english", 1))
    report = run(search, stranger, 100, played=best.actions)
    assert visits(report) == visits(run(uct(stranger, "material"), stranger, 100))


def test_turns_that_positions_do_not_show_are_not_confused() -> None:
    """The board is the same, but one of the games ends with this turn."""
    game = boardzero.make("chexers")
    fen = "gggg/5/6/r5b/r4b/r3b/r2b r 0,0,0 "
    early, late = game.parse_fen(fen + "0"), game.parse_fen(fen + "767")
    search = uct(early, "chexers")
    run(search, early, 100)
    report = run(search, late, 100, played=[])
    assert all(c.proven and c.value == pytest.approx(-1 / 3) for c in report.candidates)


def solve(state: State) -> float:
    """The value of perfect play for the mover of a game of two."""
    outcome = state.outcome()
    if outcome is not None:
        return outcome.values[state.to_move]
    values = []
    for move in state.moves():
        after = state.after(move)
        sign = 1 if after.to_move == state.to_move else -1
        values.append(sign * solve(after))
        if values[-1] == 1:
            break
    return max(values)


def expected(state: State) -> float:
    """What the first player gains on average if everybody plays at random."""
    outcome = state.outcome()
    if outcome is not None:
        return outcome.values[0]
    moves = state.moves()
    return sum(expected(state.after(move)) for move in moves) / len(moves)


@pytest.mark.parametrize("game", ["gomoku:size=5,line=4", "gomoku:size=5,line=4,rule=standard"])
def test_roll_outs_are_worth_what_random_play_is_worth(game: str) -> None:
    """A tree of depth one values every move by roll-outs alone."""
    states = [s for s in random_positions(game, 800, seed=6) if len(s.moves()) == 6]
    assert len(states) >= 10
    compared = 0
    for state in states:
        report = run(uct(state, "rollout", depth=1, c=10.0), state, 6000)
        for candidate in report.candidates:
            if candidate.visits > 500 and not candidate.proven:
                value = expected(state.after(candidate.move))
                value = value if state.to_move == 0 else -value
                assert candidate.value == pytest.approx(value, abs=0.15)
                compared += 1
    assert compared >= 10


def test_what_is_proven_is_the_value_of_perfect_play() -> None:
    """Boards of gomoku with few points left, of which the search solves most."""
    proven = []
    for state in random_positions("gomoku:size=5,line=4", 400, seed=2):
        if len(state.moves()) > 6:
            continue
        search = uct(state, "rollout", shuffle=True, c=1.0)
        for candidate in run(search, state, 3000).candidates:
            if candidate.proven:
                proven.append(candidate.value)
                after = state.after(candidate.move)
                assert candidate.value == -solve(after)
    assert len(proven) > 100
    assert set(proven) == {-1, 0, 1}


def test_a_proven_state_is_played_perfectly() -> None:
    for state in random_positions("gomoku:size=5,line=4", 200, seed=4):
        if len(state.moves()) > 6:
            continue
        report = run(uct(state, "rollout", shuffle=True, c=1.0), state, 20_000)
        best = report.candidates[0]
        assert best.proven
        assert best.value == solve(state)


def test_of_two_wins_the_quicker_is_played() -> None:
    """Three of four in a row: the point that completes the row wins at once, others later."""
    game = boardzero.make("gomoku:size=6,line=4")
    state = game.parse_fen("6/6/1xxx2/6/2ooo1/6 x")
    report = run(uct(state, "rollout", shuffle=True, c=1.0, seed=5), state, 5000)
    assert str(report.candidates[0].move) in ("a4", "e4")
    assert report.line == [str(report.candidates[0].move)]


def test_the_memory_is_a_bound_and_the_search_goes_on() -> None:
    state = boardzero.make("gomoku").start()
    report = run(uct(state, "rollout", megabytes=1, shuffle=True), state, 30_000)
    assert report.simulations == 30_000
    assert report.nodes * 56 <= 2**20


@pytest.mark.parametrize("game", ["english", "gomoku", "chexers"])
def test_the_seed_decides_everything(game: str) -> None:
    state = boardzero.make(game).start()

    def search(seed: int) -> dict[Move, int]:
        return visits(run(uct(state, "rollout", shuffle=True, seed=seed), state, 500))

    assert search(1) == search(1)
    assert search(1) != search(2)


def test_a_finished_game_and_another_game_are_refused() -> None:
    game = boardzero.make("gomoku")
    over = game.parse_fen("xxxxx3/8/8/8/8/8/8/8 o")
    search = uct(game.start(), "rollout")
    with pytest.raises(boardzero.BoardZeroError, match="the game is over"):
        run(search, over, 10)
    with pytest.raises(boardzero.BoardZeroError, match="made for another game"):
        run(search, boardzero.make("english").start(), 10)


@pytest.mark.parametrize("game", [*DRAUGHTS, "chexers"])
def test_random_actions_are_the_legal_ones_with_equal_chances(game: str) -> None:
    for state in random_positions(game, 15, seed=8):
        reached = {a: State(state.game, state.native.clone()) for a in state.actions()}
        for action, after in reached.items():
            after.play_action(action)
        drawn = dict.fromkeys(reached, 0)
        for seed in range(60 * len(reached)):
            native = state.native.clone()
            assert native.play_random(seed)
            (action,) = (a for a, after in reached.items() if after.native.equals(native))
            drawn[action] += 1
        assert min(drawn.values()) > 25
        assert max(drawn.values()) < 100
