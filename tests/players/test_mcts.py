"""The Monte-Carlo players: they find wins, keep their limits, and read their specs."""

import threading
from time import perf_counter

import pytest

import boardzero
from boardzero import BoardZeroError, State
from boardzero.players import Clock, Limit, make_player
from boardzero.players.alphachexers import AlphaChexers
from tests.players.pile import Pile, Position
from tests.players.stopping import stop_while_thinking
from tests.players.tactics import tactical_positions

ENGLISH = boardzero.make("english")
INTERNATIONAL = boardzero.make("international")
CHEXERS = boardzero.make("chexers")
GOMOKU = boardzero.make("gomoku")


def visited(state: State, spec: str) -> int:
    choice = make_player(spec, state.game).choose(state)
    return sum(c.visits for c in choice.candidates)


@pytest.mark.parametrize("game", ["english", "international", "gomoku", "chexers"])
@pytest.mark.parametrize(("turns", "count"), [(1, 10), (2, 12)])
def test_forced_wins_are_found_and_known_to_be_wins(game: str, turns: int, count: int) -> None:
    for state, winning in tactical_positions(game, count, turns=turns):
        choice = make_player("mcts:rollouts=20000,seed=1", state.game).choose(state)
        assert choice.move in winning, state
        assert choice.value == 1, state


@pytest.mark.parametrize("turns", [1, 2])
def test_alphachexers_finds_forced_wins(turns: int) -> None:
    """It does not look at exits that come too early, nor at pieces far away; wins are neither."""
    for state, winning in tactical_positions("chexers", 20, turns=turns):
        choice = make_player("alphachexers:rollouts=20000", CHEXERS).choose(state)
        assert choice.move in winning, state


def test_rollouts_are_counted_exactly() -> None:
    """One of them evaluates the state itself."""
    for game in (ENGLISH, INTERNATIONAL, GOMOKU, CHEXERS):
        assert visited(game.start(), "mcts:rollouts=600") == 599


@pytest.mark.parametrize("limit", [Limit(simulations=50), Limit(nodes=50)])
def test_a_limit_overrides_the_rollouts_of_the_spec(limit: Limit) -> None:
    choice = make_player("mcts:rollouts=600", ENGLISH).choose(ENGLISH.start(), limit)
    assert choice.nodes == 50


def test_no_limit_is_too_small_for_a_move() -> None:
    choice = make_player("mcts", CHEXERS).choose(CHEXERS.start(), Limit(simulations=0))
    assert choice.nodes == 1
    assert choice.move in CHEXERS.start().moves()


def test_without_any_bound_there_is_a_usual_number_of_rollouts() -> None:
    assert make_player("mcts", ENGLISH).choose(ENGLISH.start()).nodes == 10_000


@pytest.mark.parametrize("spec", ["mcts", "mcts:rollouts=1000000000", "mcts:heuristic=material"])
@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.2])
def test_time_is_a_bound(spec: str, seconds: float) -> None:
    player = make_player(spec, INTERNATIONAL)
    begin = perf_counter()
    choice = player.choose(INTERNATIONAL.start(), Limit(time=seconds))
    assert perf_counter() - begin < seconds + 0.1
    assert choice.time == pytest.approx(seconds, abs=0.1)
    assert choice.move in INTERNATIONAL.start().moves()


def test_a_clock_is_shared_out_and_not_spent_on_forced_moves() -> None:
    player = make_player("mcts", ENGLISH)
    clock = Limit(clock=Clock(2.0))
    assert 0.01 < player.choose(ENGLISH.start(), clock).time < 0.5
    forced = ENGLISH.parse_fen("B:W18,30,31:B15,1,2")
    assert player.choose(forced, clock).nodes == 1


@pytest.mark.parametrize("game", [INTERNATIONAL, CHEXERS])
def test_stop_from_another_thread_ends_a_search_within_20_ms(game: boardzero.Game) -> None:
    player = make_player("mcts:time=60", game)
    # The machine may be busy elsewhere: one quick answer shows that it can be done.
    stops = [stop_while_thinking(player, game.start()) for _ in range(5)]
    assert all(choice.nodes > 0 for choice, _ in stops)
    assert min(delay for _, delay in stops) < 0.02


def test_the_tree_is_kept_while_the_game_goes_on() -> None:
    player = make_player("mcts:rollouts=2000,seed=1", ENGLISH)
    state = ENGLISH.start()
    state.play(player.choose(state).move)
    reply = player.choose(state)
    assert reply.nodes == 2000
    kept = sum(c.visits for c in reply.candidates) - 2000
    assert kept > 100
    state.undo()
    assert sum(c.visits for c in player.choose(state).candidates) == 1999
    player.new_game()
    assert sum(c.visits for c in player.choose(state).candidates) == 1999


def test_the_tree_is_forgotten_where_it_is_not_to_be_reused() -> None:
    player = make_player("mcts:rollouts=2000,reuse=false", ENGLISH)
    state = ENGLISH.start()
    state.play(player.choose(state).move)
    assert sum(c.visits for c in player.choose(state).candidates) == 1999


def test_a_game_with_a_seed_is_always_the_same_game() -> None:
    def game() -> list[str]:
        players = [make_player(f"mcts:rollouts=100,seed={seed}", ENGLISH) for seed in (1, 2)]
        state = ENGLISH.start()
        while state.outcome() is None:
            state.play(players[state.to_move].choose(state).move)
        return [str(move) for move in state.history]

    assert game() == game()


def test_without_a_seed_searches_differ() -> None:
    choices = [make_player("mcts:rollouts=500", GOMOKU).choose(GOMOKU.start()) for _ in range(2)]
    first, second = ({c.move: c.visits for c in choice.candidates} for choice in choices)
    assert first != second


def test_a_choice_says_what_was_thought() -> None:
    choice = make_player("mcts:rollouts=5000", ENGLISH).choose(ENGLISH.start())
    assert choice.pv[0] == str(choice.move) == str(choice.candidates[0].move)
    assert choice.value == choice.candidates[0].value
    assert len(choice.candidates) == 7
    counts = [c.visits for c in choice.candidates]
    assert counts == sorted(counts, reverse=True)
    assert choice.depth > 1
    assert choice.nodes_per_second > 0
    state = ENGLISH.start()
    for text in choice.pv:
        state.play(text)


def test_more_rollouts_are_stronger() -> None:
    strong = make_player("mcts:rollouts=1000,seed=1", GOMOKU)
    weak = make_player("mcts:rollouts=50,seed=2", GOMOKU)
    points = 0.0
    for number in range(20):
        state = GOMOKU.start()
        seats = (strong, weak) if number % 2 == 0 else (weak, strong)
        while state.outcome() is None:
            state.play(seats[state.to_move].choose(state).move)
        outcome = state.outcome()
        assert outcome is not None
        points += outcome.values[number % 2]
    assert points > 10


def test_alphachexers_shares_out_its_minute_over_the_game() -> None:
    player = make_player("alphachexers:clock=1", CHEXERS)
    assert isinstance(player, AlphaChexers)
    state = CHEXERS.start()
    used = 0.0
    for _ in range(60):
        choice = player.choose(state)
        used += choice.time
        state.play(choice.move)
    assert 0 < used < 1
    assert player.seconds_left == pytest.approx(1 - used)
    player.new_game()
    assert player.seconds_left == 1


def test_alphachexers_never_leaves_with_too_few_pieces_to_win() -> None:
    state = CHEXERS.parse_fen("4/5/6/2r3r/6/5/2bb r 0,0,0 100")
    assert any("EXIT" in str(move) for move in state.moves())
    choice = make_player("alphachexers:rollouts=500", CHEXERS).choose(state)
    assert all(c.visits == 0 for c in choice.candidates if "EXIT" in str(c.move))


def test_alphachexers_obeys_limits_in_place_of_its_own_clock() -> None:
    player = make_player("alphachexers", CHEXERS)
    assert player.choose(CHEXERS.start(), Limit(simulations=77)).nodes == 77
    assert player.choose(CHEXERS.start(), Limit(time=0.05)).time == pytest.approx(0.05, abs=0.05)
    assert player.choose(CHEXERS.start(), Limit(clock=Clock(1.0))).time < 0.1


@pytest.mark.parametrize(
    ("spec", "game", "complaint"),
    [
        ("mcts:rollout=5", ENGLISH, "'rollout'.*'rollouts'"),
        ("mcts:selection=uct", ENGLISH, "'uct'.*'puct'"),
        ("mcts:rollouts=many", ENGLISH, "'rollouts' of mcts must be a whole number, not 'many'"),
        ("mcts:time=-1", ENGLISH, "at least 0, not -1"),
        ("mcts:heuristic=magic", ENGLISH, "english has no heuristic 'magic'"),
        ("mcts:heuristic=material", CHEXERS, "chexers has no heuristic 'material'"),
        ("alphachexers", ENGLISH, "alphachexers cannot play english: it has 2 players"),
    ],
)
def test_a_wrong_spec_says_what_is_wrong(spec: str, game: boardzero.Game, complaint: str) -> None:
    with pytest.raises(BoardZeroError, match=complaint):
        make_player(spec, game)


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_written_in_python_is_searched_and_solved(players: int) -> None:
    for size in range(3, 12):
        game = Pile(players, size).game()
        choice = make_player("mcts:rollouts=100000,seed=1", game).choose(game.start())
        assert choice.nodes < 100_000
        assert choice.value == best_values(game.start())[0]


def best_values(state: State) -> list[float]:
    """Everybody does the best for itself."""
    outcome = state.outcome()
    if outcome is not None:
        return outcome.values
    mover = state.to_move
    return max((best_values(state.after(m)) for m in state.moves()), key=lambda v: v[mover])


def test_a_search_of_a_game_written_in_python_can_be_stopped() -> None:
    game = boardzero.make("examples/connect_four.py")
    player = make_player("mcts:time=60", game)
    timer = threading.Timer(0.2, player.stop)
    begin = perf_counter()
    timer.start()
    assert player.choose(game.start()).nodes > 0
    assert perf_counter() - begin < 5


def test_a_mistake_in_rules_written_in_python_ends_the_search_with_a_sentence() -> None:
    class Broken(Pile):
        def play(self, s: Position, action: int) -> Position:
            return Position(5, 7) if s.left < 5 else super().play(s, action)

    game = Broken().game()
    with pytest.raises(BoardZeroError, match="7"):
        make_player("mcts:rollouts=100", game).choose(game.start())


@pytest.mark.slow
@pytest.mark.parametrize("rival", ["random", "greedy"])
def test_alphachexers_beats_two_rivals_at_once(rival: str) -> None:
    """In each of the three seats; a player of equal strength would win a third of the games."""
    wins = 0
    for number in range(30):
        seats = [make_player(f"{rival}:seed={number}", CHEXERS) for _ in range(3)]
        seats[number % 3] = make_player(f"alphachexers:rollouts=1000,seed={number}", CHEXERS)
        state = CHEXERS.start()
        while state.outcome() is None:
            state.play(seats[state.to_move].choose(state).move)
        outcome = state.outcome()
        assert outcome is not None
        wins += outcome.winner == number % 3
    assert wins >= 15


def test_plain_uct_counts_visits_where_a_win_could_be_proven() -> None:
    state = boardzero.make("gomoku").start()
    for move in ("a1", "h8", "b1", "h6", "c1", "h4", "d1", "h2"):  # e1 wins
        state.play(move)
    proving = make_player("mcts:rollouts=500,seed=1", state.game).choose(state)
    plain = make_player("mcts:rollouts=500,seed=1,prove=false", state.game).choose(state)
    assert proving.move.text == plain.move.text == "e1"
    assert proving.nodes < plain.nodes == 500  # who has proven the win need not go on
