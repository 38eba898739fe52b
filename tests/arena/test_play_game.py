"""One game, from the opening to the record."""

import fake_players  # noqa: F401 (registers them)

from boardzero.arena.openings import Opening
from boardzero.arena.play_game import Scoresheet, play_game
from boardzero.arena.terms import Terms
from boardzero.games import make
from boardzero.players import Clock, Limit, make_player
from boardzero.store import PlayedGame


def play(
    *specs: str, game: str = "english", opening: Opening | None = None, terms: Terms | None = None
) -> PlayedGame:
    rules = make(game)
    players = [make_player(spec, rules) for spec in specs]
    sheet = Scoresheet(rules.spec, specs, opening or Opening(), seed=7)
    return play_game(rules, players, sheet=sheet, terms=terms or Terms())


def test_a_game_ends_as_the_rules_say_and_can_be_replayed() -> None:
    record = play("fake-honest:seed=1", "fake-honest:seed=2")
    state = make("english").start()
    for move in record.moves:
        state.play(move)
    outcome = state.outcome()
    assert outcome is not None
    assert (record.winner, record.reason) == (outcome.winner, outcome.reason)
    assert record.values == tuple(outcome.values)
    assert record.seed == 7


def test_equal_seeds_give_equal_games() -> None:
    first, second, other = (play("fake-honest:seed=1", f"fake-honest:seed={s}") for s in (2, 2, 3))
    assert first.moves == second.moves
    assert first.moves != other.moves


def test_every_move_of_a_player_is_timed_and_those_of_the_opening_are_not() -> None:
    opening = Opening(moves=("9-14", "24-19"))
    record = play("fake-nap:seconds=0.001", "fake-honest", opening=opening)
    assert sum(record.turns) == len(record.moves)
    assert record.plies == len(record.moves) + 2
    assert record.seconds[0] > 0.001 * record.turns[0] > 0
    assert record.opening == ("9-14", "24-19")


def test_a_game_may_start_from_a_position() -> None:
    record = play("fake-honest", "fake-honest", opening=Opening(start="W:W22:B18"))
    assert record.moves == ("22x15",)
    assert record.winner == 1
    assert record.start == "W:W22:B18"


def test_an_illegal_move_loses() -> None:
    record = play("fake-illegal:after=3", "fake-honest")
    assert record.winner == 1
    assert record.values == (-1, 1)
    assert record.reason.startswith("illegal move ")
    assert len(record.moves) == 6


def test_an_error_loses_and_its_first_line_is_recorded() -> None:
    record = play("fake-honest", "fake-fail")
    assert (record.winner, record.reason) == (0, "error: RuntimeError: no idea")


def test_a_player_that_ends_the_program_only_ends_its_game() -> None:
    assert play("fake-leave", "fake-honest").reason == "error: SystemExit: enough"


def test_a_player_cannot_play_on_the_boards_of_others() -> None:
    record = play("fake-cheating", "fake-honest")
    state = make("english").start()
    for move in record.moves:
        state.play(move)
    assert not record.reason.startswith("illegal")


def test_of_three_players_the_one_at_fault_loses_and_the_others_share() -> None:
    record = play("fake-honest", "fake-fail", "fake-honest", game="chexers")
    assert record.winner is None
    assert record.values == (0.5, -1, 0.5)


def test_a_game_that_is_too_long_is_drawn() -> None:
    record = play("fake-honest", "fake-honest", terms=Terms(max_plies=5))
    assert (record.winner, record.reason, record.plies) == (None, "cut at 5 plies", 5)


def test_a_late_move_loses() -> None:
    terms = Terms(Limit(time=0.01), margin=0.01)
    record = play("fake-honest", "fake-nap:after=1,seconds=0.05", terms=terms)
    assert record.winner == 0
    assert record.reason.startswith("late: 0.0")


def test_the_margin_forgives_a_little_lateness() -> None:
    terms = Terms(Limit(time=0.001), margin=10, max_plies=4)
    assert play("fake-nap", "fake-nap", terms=terms).reason == "cut at 4 plies"


def test_a_clock_runs_down_over_the_moves_of_a_game() -> None:
    terms = Terms(Limit(clock=Clock(0.1)), margin=0)
    record = play("fake-nap:seconds=0.03", "fake-honest", terms=terms)
    assert record.winner == 1
    assert record.reason.startswith("late")
    assert record.turns[0] <= 3
