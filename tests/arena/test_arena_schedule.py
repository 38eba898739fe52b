"""Who plays whom, and in which seat."""

from collections import Counter

from boardzero.arena.openings import RandomOpenings
from boardzero.arena.schedule import (
    Pairing,
    Schedule,
    derived_seed,
    gauntlet,
    round_robin,
    seatings,
)
from boardzero.games import make


def pairings(groups: tuple[tuple[int, ...], ...], games: int, game: str) -> list[Pairing]:
    return list(Schedule(groups, games).pairings(make(game), RandomOpenings(2)))


def test_two_players_swap_seats() -> None:
    assert seatings((0, 1), 2) == [(0, 1), (1, 0)]


def test_three_players_sit_in_every_order_first_all_rotations() -> None:
    ways = seatings((0, 1, 2), 3)
    assert ways[:3] == [(0, 1, 2), (2, 0, 1), (1, 2, 0)]
    assert len(set(ways)) == 6


def test_two_players_on_three_seats_have_each_seat_equally_often() -> None:
    ways = seatings((0, 1), 3)
    assert len(set(ways)) == 6
    for seat in range(3):
        assert Counter(way[seat] for way in ways) == {0: 3, 1: 3}


def test_both_games_of_a_pair_have_the_same_opening_and_pairs_have_different_ones() -> None:
    games = pairings(((0, 1),), 20, "english")
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first.opening == second.opening
        assert first.seating == second.seating[::-1]
    assert len({game.opening for game in games}) == 10


def test_in_a_round_robin_each_pair_has_all_its_games() -> None:
    games = pairings(round_robin(4, 2), 10, "english")
    assert Counter(frozenset(game.seating) for game in games) == {
        frozenset(pair): 10 for pair in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    }
    assert Counter(game.seating for game in games)[0, 3] == 5


def test_more_players_than_seats_meet_in_all_combinations() -> None:
    assert round_robin(4, 3) == ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))


def test_in_a_gauntlet_the_first_meets_each_other_one() -> None:
    assert gauntlet(4) == ((0, 1), (0, 2), (0, 3))


def test_exactly_the_games_asked_for_are_played() -> None:
    assert len(pairings(((0, 1),), 5, "english")) == 5
    assert len(pairings(round_robin(3, 3), 8, "chexers")) == 8


def test_a_longer_schedule_begins_with_the_shorter_one() -> None:
    short = {game.number: game for game in pairings(round_robin(3, 2), 5, "english")}
    long = {game.number: game for game in pairings(round_robin(3, 2), 12, "english")}
    assert len(short) == 15
    assert len(long) == 36
    assert short.items() <= long.items()


def test_seeds_of_games_and_seats_differ_and_come_again() -> None:
    seeds = {derived_seed(seed, number) for seed in range(10) for number in range(100)}
    assert len(seeds) == 1000
    assert derived_seed(3, 4) == derived_seed(3, 4)
