"""The players around the classic searches: specs, limits, and being stopped."""

from time import perf_counter

import pytest

import boardzero
from boardzero import BoardZeroError
from boardzero.players import Clock, Limit, make_player
from boardzero.players.classic_search import named_evaluation
from boardzero.players.time_management import seconds_for_move
from tests.players.positions import random_positions
from tests.players.stopping import stop_while_thinking

ENGLISH = boardzero.make("english")
INTERNATIONAL = boardzero.make("international")
CHEXERS = boardzero.make("chexers")


def test_a_wrong_option_is_named_and_the_right_ones_are_listed() -> None:
    with pytest.raises(BoardZeroError, match=r"'dept'.*'depth'.*analyse, depth, eval, hash"):
        make_player("alphabeta:dept=3", ENGLISH)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("alphabeta:depth=x", "'depth' of alphabeta must be a whole number, not 'x'"),
        ("alphabeta:depth=200", "from 0 to 127, not 200"),
        ("minimax:depth=0", "from 1 to 127, not 0"),
        (
            "alphabeta:eval=magic",
            "'eval' of alphabeta 'magic'; there are auto, champion, hand, material, strong",
        ),
        ("alphabeta:time=-1", "at least 0, not -1"),
    ],
)
def test_a_wrong_value_is_refused_with_a_sentence(spec: str, complaint: str) -> None:
    with pytest.raises(BoardZeroError, match=complaint):
        make_player(spec, ENGLISH)


def test_an_evaluation_that_the_game_lacks_is_refused() -> None:
    with pytest.raises(BoardZeroError, match="chexers has no evaluation 'material'"):
        make_player("maxn:eval=material", CHEXERS)


@pytest.mark.parametrize("game", ["english", "gomoku", "chexers"])
def test_every_native_game_has_an_evaluation_written_by_hand(game: str) -> None:
    make_player("maxn:eval=hand", boardzero.make(game))
    make_player("mcts:heuristic=hand", boardzero.make(game))


@pytest.mark.parametrize(
    ("game", "older"), [("english", "strong"), ("gomoku", "lines"), ("chexers", "chexers")]
)
def test_an_evaluation_is_found_by_its_older_name(game: str, older: str) -> None:
    assert named_evaluation(boardzero.make(game), older) == "hand"


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_a_search_for_two_does_not_play_three_player_games(name: str) -> None:
    with pytest.raises(BoardZeroError, match="chexers: it has 3 players"):
        make_player(name, CHEXERS)


@pytest.mark.parametrize(
    "spec", ["minimax:depth=3", "alphabeta:depth=5", "maxn", "paranoid", "brs"]
)
def test_a_fixed_depth_is_reached_exactly(spec: str) -> None:
    choice = make_player(spec, ENGLISH).choose(ENGLISH.start())
    assert choice.depth == (5 if spec.endswith("5") else 3)
    assert choice.nodes > 0
    assert str(choice.move) == choice.pv[0]
    assert {str(c.move) for c in choice.candidates} == {str(m) for m in ENGLISH.start().moves()}


def test_the_same_seed_gives_the_same_choice_among_equal_moves() -> None:
    states = list(random_positions("english", 30))
    players = [make_player("alphabeta:depth=2,seed=7", ENGLISH) for _ in range(2)]
    first, second = ([str(p.choose(s).move) for s in states] for p in players)
    assert first == second


def test_equal_moves_are_all_chosen_sometimes() -> None:
    start = ENGLISH.start()
    player = make_player("alphabeta:depth=2,seed=7", ENGLISH)
    assert len({str(player.choose(start).move) for _ in range(100)}) == 7


def test_the_depth_of_a_limit_overrides_the_spec() -> None:
    player = make_player("alphabeta:depth=6", ENGLISH)
    assert player.choose(ENGLISH.start(), Limit(depth=3)).depth == 3
    assert player.choose(ENGLISH.start()).depth == 6


def test_nodes_are_a_bound() -> None:
    for spec in ("alphabeta:nodes=5000", "minimax", "brs"):
        choice = make_player(spec, ENGLISH).choose(ENGLISH.start(), Limit(nodes=5000, depth=20))
        assert choice.nodes <= 5000


@pytest.mark.parametrize("spec", ["alphabeta", "minimax", "maxn", "paranoid", "brs"])
@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.2])
def test_time_is_a_bound(spec: str, seconds: float) -> None:
    player = make_player(spec, INTERNATIONAL)
    begin = perf_counter()
    choice = player.choose(INTERNATIONAL.start(), Limit(time=seconds, depth=50))
    assert perf_counter() - begin < seconds + 0.1
    assert choice.time == pytest.approx(seconds, abs=0.1)
    assert choice.move in INTERNATIONAL.start().moves()


@pytest.mark.parametrize("spec", ["alphabeta:time=60", "minimax:depth=60", "maxn:depth=60"])
def test_stop_from_another_thread_ends_a_search_within_20_ms(spec: str) -> None:
    player = make_player(spec, INTERNATIONAL)
    # The machine may be busy elsewhere: one quick answer shows that it can be done.
    stops = [stop_while_thinking(player, INTERNATIONAL.start()) for _ in range(5)]
    assert all(choice.depth > 0 for choice, _ in stops)
    assert min(delay for _, delay in stops) < 0.02


def test_a_clock_is_shared_out_over_the_moves_to_come() -> None:
    assert seconds_for_move(Limit()) is None
    assert seconds_for_move(Limit(time=3), own=1) == 3
    assert seconds_for_move(Limit(), own=1) == 1
    fast = seconds_for_move(Limit(clock=Clock(60)))
    slow = seconds_for_move(Limit(clock=Clock(60, increment=2)))
    assert fast is not None
    assert slow is not None
    assert 1 < fast < 4
    assert fast + 1 < slow < fast + 2


@pytest.mark.parametrize("left", [0.0, 0.05, 0.5, 5.0])
@pytest.mark.parametrize("increment", [0.0, 10.0])
@pytest.mark.parametrize("moves", [None, 1, 5])
@pytest.mark.parametrize("own", [None, 100.0])
def test_no_move_uses_up_the_clock(
    left: float, increment: float, moves: int | None, own: float | None
) -> None:
    seconds = seconds_for_move(Limit(clock=Clock(left, increment, moves)), own)
    assert seconds is not None
    assert 0 <= seconds < left or left == seconds == 0


def test_thirty_moves_fit_into_the_clock() -> None:
    left = 1.0
    for _ in range(30):
        seconds = seconds_for_move(Limit(clock=Clock(left)))
        assert seconds is not None
        left -= seconds
    assert left > 0.05


def test_the_engine_plays_a_forced_move_at_once() -> None:
    state = ENGLISH.parse_fen("B:W18,30,31:B15,1,2")
    begin = perf_counter()
    assert make_player("alphabeta:time=30", ENGLISH).choose(state).pv[0] == "15x22"
    assert perf_counter() - begin < 5


def test_greedy_captures_the_most_and_else_goes_forward() -> None:
    player = make_player("greedy", ENGLISH)
    state = ENGLISH.parse_fen("B:W10,16,18:B6,12")
    assert {str(m) for m in state.moves()} == {"6x22", "12x19"}
    assert {str(player.choose(state).move) for _ in range(20)} == {"6x22"}
    quiet = ENGLISH.parse_fen("B:W29,30:BK3,12")
    assert {str(player.choose(quiet).move) for _ in range(20)} == {"12-16"}
    assert player.choose(quiet).value is None


def test_greedy_leaves_the_board_where_it_can() -> None:
    state = CHEXERS.parse_fen("gg2/5/6/2r3r/6/5/2bb r 0,0,0 100")
    assert str(make_player("greedy", CHEXERS).choose(state).move).startswith('("EXIT"')


@pytest.mark.slow
def test_the_engine_beats_the_plain_search() -> None:
    """Eight games from random openings, both colours: the engine looks much further."""
    engine = make_player("alphabeta:nodes=20000", ENGLISH)
    plain = make_player("alphabeta:depth=3,seed=1", ENGLISH)
    points = 0.0
    for opening in random_positions("english", 4, seed=9, keep=0.02):
        for seat in (0, 1):
            state = opening.copy()
            while state.outcome() is None:
                player = engine if state.to_move == seat else plain
                state.play(player.choose(state).move)
            outcome = state.outcome()
            assert outcome is not None
            points += outcome.values[seat]
    assert points > 0
